import type { ConsoleRequestPage } from '../../screens/request-schema.ts';

/** The parts of a strategy or a segment that name context fields. */
interface WithConditions {
  readonly constraints?: readonly { readonly contextName: string }[];
  readonly segments?: readonly number[];
  readonly parameters?: { readonly stickiness?: string };
}

/** Lists the context fields that the flags of a request use, as they are now and as the request wants them. */
export function listRequestFields({ request, features, segments }: ConsoleRequestPage): string[] {
  const current = features.flatMap(
    ({ environments }) => environments.find(({ name }) => name === request.environment)?.strategies ?? [],
  );
  const wanted = request.features.flatMap(({ changes }) =>
    changes.map(({ payload }) => (payload ?? {}) as WithConditions),
  );
  const all: readonly WithConditions[] = [...current, ...wanted];
  const ids = new Set(all.flatMap((each) => each.segments ?? []));
  const used = segments.filter(({ id }) => ids.has(id));
  const names = [...all, ...used].flatMap(({ constraints = [] }) => constraints.map(({ contextName }) => contextName));
  const sticky = all.flatMap(({ parameters }) => parameters?.stickiness ?? []);
  return [...new Set([...names, ...sticky.filter((field) => field !== 'default' && field !== 'random')])];
}
