import type { Declaration, Endpoint, LambdaHandler } from './declaration.ts';
import { fallback } from './fallback.ts';
import { refuseStreaming } from './refuse-streaming.ts';
import { matcherOf } from './route-matcher.ts';

/**
 * Joins several endpoints into one function, behind a gateway or a function URL. They share the data in memory. A request without an
 * endpoint gets the usual error.
 * @param others endpoints of other functions whose paths this function also gets, with other methods.
 */
export function joinEndpoints(
  endpoints: readonly Endpoint[],
  others: readonly Pick<Declaration, 'method' | 'path' | 'freeText'>[] = [],
): LambdaHandler {
  const matcher = matcherOf(endpoints.map((handler) => ({ ...handler.declaration, handler })));
  const allPaths = matcherOf([...endpoints.map(({ declaration }) => declaration), ...others]);
  const otherwise = fallback(async (path) => allPaths.allowOn(path), { refuse: refuseStreaming });
  const servesPeople = endpoints.some(({ declaration: { audience = 'admin' } }) => audience === 'admin');
  return (event, context) => {
    // A gateway has decoded the path. A function URL, whose only route is $default, passes it as it was sent.
    const isEncoded = event.routeKey === '$default';
    const match = matcher.find(event.requestContext?.http?.method ?? 'GET', event.rawPath, { isEncoded });
    // Only functions for people may read sessions.
    if (match === undefined) return otherwise(servesPeople ? event : { ...event, cookies: [] }, context);
    const { route, path: rawPath, parameters: pathParameters } = match;
    return route.handler({ ...event, rawPath, ...(pathParameters && { pathParameters }) }, context);
  };
}
