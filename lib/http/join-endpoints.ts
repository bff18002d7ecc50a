import type { Declaration, Endpoint, LambdaHandler } from './declaration.ts';
import { fallback } from './fallback.ts';
import { matcherOf } from './route-matcher.ts';
import { refuseStreaming } from './streaming.ts';

/**
 * Joins several endpoints in one function, behind a gateway or a URL of its own. Data that one of them has brought into
 * memory serves the others; a request that none of them takes is answered as everywhere else.
 * @param others endpoints of other functions whose paths may lead here with further methods.
 */
export function joinEndpoints(
  endpoints: readonly Endpoint[],
  others: readonly Pick<Declaration, 'method' | 'path' | 'freeText'>[] = [],
): LambdaHandler {
  const matcher = matcherOf(endpoints.map((handler) => ({ ...handler.declaration, handler })));
  const allPaths = matcherOf([...endpoints.map(({ declaration }) => declaration), ...others]);
  const otherwise = fallback(async (path) => allPaths.allowOn(path), { refuse: refuseStreaming });
  const isOfPeople = endpoints.some(({ declaration: { audience = 'admin' } }) => audience === 'admin');
  return (event, context) => {
    // A gateway has decoded the path. The URL of a function, which knows no other route, hands it over as it was sent.
    const isEncoded = event.routeKey === '$default';
    const found = matcher.find(event.requestContext?.http?.method ?? 'GET', event.rawPath, { isEncoded });
    // No other function may read sessions.
    if (found === undefined) return otherwise(isOfPeople ? event : { ...event, cookies: [] }, context);
    const { route, path: rawPath, parameters: pathParameters } = found;
    return route.handler({ ...event, rawPath, ...(pathParameters && { pathParameters }) }, context);
  };
}
