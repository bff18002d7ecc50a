import { type Endpoint, type LambdaHandler, routeOf } from '../declaration.ts';
import { decodePath, matcherOf } from '../route-matcher.ts';

/** Function that a request goes to, and the properties of its address as API Gateway reports them. */
export interface Route {
  readonly handler: LambdaHandler;
  /** `GET /things/{id}`, or `$default` if no declaration takes the request. */
  readonly routeKey: string;
  /** The path as API Gateway hands it over: decoded, with slashes of values among those of the path. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** Decoded once; undefined for a path without parameters. */
  readonly pathParameters: Record<string, string> | undefined;
}

export type Router = (method: string, target: string) => Route;

/**
 * Finds the function for a method and a request target. An escaped slash belongs to the value that it is in; API Gateway,
 * which decodes before it matches, leads such a path here only where it ends with any text.
 */
export function createRouter(endpoints: Readonly<Record<string, Endpoint>>, notFound: LambdaHandler): Router {
  const matcher = matcherOf(
    Object.values(endpoints).map((handler) => {
      const { method, path, freeText } = handler.declaration;
      return { method, path, ...(freeText && { freeText }), handler, routeKey: routeOf(handler.declaration) };
    }),
  );

  return function route(method, target) {
    const { path, rawQueryString } = split(target);
    const found = matcher.find(method, path, { isEncoded: true });
    if (found === undefined) {
      const rawPath = decodePath(path);
      return { handler: notFound, routeKey: '$default', rawPath, rawQueryString, pathParameters: undefined };
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
