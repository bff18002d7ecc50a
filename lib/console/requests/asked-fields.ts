import type { ConsoleRequestPage } from '../../screens/request-schema.ts';

interface WithConditions {
  readonly constraints?: readonly { readonly contextName: string }[];
  readonly segments?: readonly number[];
  readonly parameters?: { readonly stickiness?: string };
}

/** Lists the fields of a context that the flags of a request ask about, now and after it. */
export function conditionsIn({ request, features, segments }: ConsoleRequestPage): string[] {
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
