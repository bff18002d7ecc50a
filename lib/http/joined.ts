import type { Endpoint, LambdaHandler } from './declaration.ts';
import { fallback } from './fallback.ts';
import { decodePath, matcherOf } from './route-matcher.ts';

/**
 * One function for several endpoints, behind a gateway or a URL of its own: SDKs know one address, and what one of them has
 * brought into memory serves the others. What none of them takes is answered as everywhere else.
 */
export function joined(endpoints: readonly Endpoint[]): LambdaHandler {
  const matcher = matcherOf(endpoints.map((handler) => ({ ...handler.declaration, handler })));
  const otherwise = fallback(async (path) => matcher.allowOn(path));
  return (event, context) => {
    // Unlike API Gateway, the URL of a function hands over the path as it was sent.
    const found = matcher.find(event.requestContext?.http?.method ?? 'GET', decodePath(event.rawPath));
    if (found === undefined) return otherwise(event, context);
    const { route, path: rawPath, parameters: pathParameters } = found;
    return route.handler({ ...event, rawPath, ...(pathParameters && { pathParameters }) }, context);
  };
}
