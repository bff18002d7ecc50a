import { listLive } from '../../delivery/preview/live-strategies.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';

/**
 * Lists the fields of a context that the strategies of a flag ask about, `userId` first.
 * @param environment undefined for all environments.
 */
export function listAskedFields(
  { feature, segments }: Pick<ConsoleFlag, 'feature' | 'segments'>,
  environment?: string,
): string[] {
  const environments = feature.environments.filter(({ name }) => environment === undefined || name === environment);
  const fields = environments
    .flatMap((each) => listLive(each))
    .flatMap(({ name, parameters, constraints, segments: ids }) => [
      ...constraints.map(({ contextName }) => contextName),
      ...segments
        .filter(({ id }) => ids.includes(id))
        .flatMap((segment) => segment.constraints.map(({ contextName }) => contextName)),
      ...(name === 'remoteAddress' ? ['remoteAddress'] : []),
      ...stickinessOf(parameters.stickiness),
    ]);
  return [...new Set(['userId', ...fields])];
}

function stickinessOf(stickiness = 'default'): string[] {
  return stickiness === 'default' || stickiness === 'random' ? [] : [stickiness];
}
