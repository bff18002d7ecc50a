import { type Endpoint, type LambdaHandler, routeOf } from '../declaration.ts';
import { decodePath, matcherOf } from '../route-matcher.ts';

/** The name of the route of requests without an endpoint, as API Gateway reports it. */
export const noRoute = '$default';

/** The function for a request, and the properties of the request as API Gateway reports them. */
export interface Route {
  readonly handler: LambdaHandler;
  /** `GET /things/{id}`, or `$default` for a request without an endpoint. */
  readonly routeKey: string;
  /** The path as API Gateway passes it on: decoded, so slashes of values look like separators. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** The decoded parameters; undefined for a path without parameters. */
  readonly pathParameters: Record<string, string> | undefined;
}

export type Router = (method: string, target: string) => Route;

/**
 * Finds the function for a method and a request target. An escaped slash belongs to a value. API Gateway decodes a path before it
 * matches, so there such a path only works if the last parameter may be any text.
 */
export function createRouter(endpoints: Readonly<Record<string, Endpoint>>, notFound: LambdaHandler): Router {
  const matcher = matcherOf(
    Object.values(endpoints).map((handler) => {
      const { method, path, alias, freeText } = handler.declaration;
      return {
        method,
        path,
        ...(alias && { alias }),
        ...(freeText && { freeText }),
        handler,
        routeKey: routeOf(handler.declaration),
      };
    }),
  );

  return function route(method, target) {
    const { path, rawQueryString } = split(target);
    const match = matcher.find(method, path, { isEncoded: true });
    if (match === undefined) {
      const rawPath = decodePath(path);
      return { handler: notFound, routeKey: noRoute, rawPath, rawQueryString, pathParameters: undefined };
    }
    const { handler, routeKey } = match.route;
    return { handler, routeKey, rawPath: match.path, rawQueryString, pathParameters: match.parameters };
  };
}

/** Splits a target into path and query. Clients of a proxy send a complete URL, in which the path follows the host. */
function split(target: string): { path: string; rawQueryString: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, rawQueryString: '' };
  return { path: local.slice(0, mark), rawQueryString: local.slice(mark + 1) };
}
