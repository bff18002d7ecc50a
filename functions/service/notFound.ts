import { allowOn } from '../../lib/http/allow.ts';
import type { LambdaHandler } from '../../lib/http/declaration.ts';
import { fallback } from '../../lib/http/fallback.ts';

/** Answers what no endpoint takes. It is not in the registry, since it has neither a method nor a path. */
export const handler: LambdaHandler = fallback(async (path) => {
  const endpoints = Object.values(await import('../index.ts'));
  return allowOn(
    path,
    endpoints.map(({ declaration }) => declaration),
  );
});
