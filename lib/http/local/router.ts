import createFindMyWay, { type HTTPMethod } from 'find-my-way';
import { type Endpoint, type LambdaHandler, routeOf } from '../declaration.ts';

/** Which function a request goes to, and what API Gateway says about the request's address. */
export interface Route {
  readonly handler: LambdaHandler;
  /** `GET /things/{id}`, or `$default` for what no declaration takes. */
  readonly routeKey: string;
  /** The path as API Gateway hands it over: decoded. */
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** Decoded once; undefined for a path without parameters. */
  readonly pathParameters: Record<string, string> | undefined;
}

export type Router = (method: string, target: string) => Route;

/**
 * Finds the function for a method and a request target. A static segment wins over a parameter, letter case matters, and
 * HEAD goes where GET goes. Like API Gateway it decodes before it matches, so an escaped slash separates segments;
 * a segment with a bad escape stays as it is, for the function to refuse.
 */
export function createRouter(endpoints: Readonly<Record<string, Endpoint>>, notFound: LambdaHandler): Router {
  const routes = createFindMyWay({ caseSensitive: true, maxParamLength: Number.MAX_SAFE_INTEGER });
  for (const handler of Object.values(endpoints)) {
    const { method, path } = handler.declaration;
    routes.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {}, {
      handler,
      routeKey: routeOf(handler.declaration),
    });
  }

  return function route(method, target) {
    const { path, rawQueryString } = split(target);
    const rawPath = decodePath(path);
    const found = routes.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, toPlainPath(rawPath));
    const parameters = found === null ? [] : Object.values(found.params);
    // API Gateway takes no empty segment for a parameter.
    if (found === null || parameters.includes('')) {
      return { handler: notFound, routeKey: '$default', rawPath, rawQueryString, pathParameters: undefined };
    }
    const { handler, routeKey }: Pick<Route, 'handler' | 'routeKey'> = found.store;
    const pathParameters = parameters.length === 0 ? undefined : (found.params as Record<string, string>);
    return { handler, routeKey, rawPath, rawQueryString, pathParameters };
  };
}

/** A proxy's client names the whole address in its first line; the path is what follows the host. */
function split(target: string): { path: string; rawQueryString: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, rawQueryString: '' };
  return { path: local.slice(0, mark), rawQueryString: local.slice(mark + 1) };
}

function decodePath(path: string): string {
  return path.includes('%') ? path.split('/').map(decodeSegment).join('/') : path;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The router decodes what it is given and ends a path at certain characters, so whatever is special goes in escaped. */
function toPlainPath(decoded: string): string {
  return /^[\w.~/-]*$/.test(decoded) ? decoded : decoded.split('/').map(encodeURIComponent).join('/');
}
