import { type Endpoint, type LambdaHandler, routeOf } from '../declaration.ts';
import { decodePath, matcherOf } from '../route-matcher.ts';

/** Function that a request goes to, and the properties of its address as API Gateway reports them. */
export interface Route {
  readonly handler: LambdaHandler;
  /** `GET /things/{id}`, or `$default` if no declaration takes the request. */
  readonly routeKey: string;
  /** The path as API Gateway hands it over: decoded. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** Decoded once; undefined for a path without parameters. */
  readonly pathParameters: Record<string, string> | undefined;
}

export type Router = (method: string, target: string) => Route;

/**
 * Finds the function for a method and a request target. Like API Gateway it decodes before it matches, so an escaped
 * slash separates segments.
 */
export function createRouter(endpoints: Readonly<Record<string, Endpoint>>, notFound: LambdaHandler): Router {
  const matcher = matcherOf(
    Object.values(endpoints).map((handler) => {
      const { method, path } = handler.declaration;
      return { method, path, handler, routeKey: routeOf(handler.declaration) };
    }),
  );

  return function route(method, target) {
    const { path, rawQueryString } = split(target);
    const sent = decodePath(path);
    const found = matcher.find(method, sent);
    if (found === undefined) {
      return { handler: notFound, routeKey: '$default', rawPath: sent, rawQueryString, pathParameters: undefined };
    }
    const { handler, routeKey } = found.route;
    return { handler, routeKey, rawPath: found.path, rawQueryString, pathParameters: found.parameters };
  };
}

/** Splits a target into path and query. A proxy's client sends the whole URL; its path is the part after the host. */
function split(target: string): { path: string; rawQueryString: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, rawQueryString: '' };
  return { path: local.slice(0, mark), rawQueryString: local.slice(mark + 1) };
}
