import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import * as v from 'valibot';
import { deploymentOf } from '../functions/folders.ts';
import { type Declaration, isOfSdks } from '../lib/http/declaration.ts';
import { segmentsOf } from '../lib/http/route-matcher.ts';

/** The part of an endpoint that its routes depend on. */
export interface Routed {
  readonly operationId: string;
  readonly folder: string;
  readonly declaration: Pick<Declaration, 'method' | 'path' | 'freeText' | 'audience' | 'params' | 'throttle'>;
}

/** A route of the API: a method, or any, of a path. */
export interface ApiRoute {
  readonly method: HttpMethod;
  readonly path: string;
  /** Its id in its stack, which must not change as long as it leads to the same path. */
  readonly id: string;
  readonly throttle: Declaration['throttle'] | undefined;
}

/** Ten thousand instances of SDKs poll 700 times a second, and many of them at once after an outage. */
const sdkThrottle = { ratePerSecond: 1_000, burst: 5_000 } as const;

/**
 * The routes that lead to an endpoint. An API has at most 300 until AWS raises that.
 *
 * A folder that is one function gets all that is below a path by one route, `ANY /api/admin/segments/{proxy+}`. It lies
 * neither over paths of another such folder nor over a path whose limit another spelling would evade. Functions of their own
 * may lie below it: what is not greedy is closer.
 *
 * A GET gets every method that no other route of its path has, since HEAD would otherwise need a route of its own. Where it
 * would take the requests of another endpoint as well, it does get a route for HEAD: `ANY /archive/features` is closer
 * to `DELETE /archive/features` than `DELETE /archive/{featureName}` is, which deletes a feature of the name `features`.
 *
 * A path that ends with any text ends with a greedy variable: the API decodes a path before it looks for the route, and a value
 * may hold slashes.
 * @param all the endpoints of the API.
 */
export function routesTo(endpoint: Routed, all: readonly Routed[]): ApiRoute[] {
  const { operationId, declaration } = endpoint;
  const { method } = declaration;
  const path = withLongText(declaration);
  const throttle = declaration.throttle ?? (isOfSdks(declaration) ? sdkThrottle : undefined);
  if (isJoined(endpoint) && declaration.throttle === undefined) {
    const above = pathAbove(endpoint, all);
    if (above !== undefined) {
      return [{ method: HttpMethod.ANY, path: `/${above.join('/')}/{proxy+}`, id: `${wordsOf(above)}Route`, throttle }];
    }
    const [ofGet, ...others] = method === 'GET' ? [] : routesOfGet(endpoint, all);
    if (ofGet?.method === HttpMethod.ANY && others.length === 0) return [ofGet];
  }
  if (method !== 'GET') return [{ method: HttpMethod[method], path, id: `${operationId}Route`, throttle }];
  const methods = all.some((other) => other.declaration.method !== 'GET' && hides(path, other.declaration))
    ? [HttpMethod.GET, HttpMethod.HEAD]
    : [HttpMethod.ANY];
  return methods.map((each) => {
    return { method: each, path, id: `${operationId}${each === HttpMethod.HEAD ? 'Head' : ''}Route`, throttle };
  });
}

export function routeKeyOf({ method, path }: Pick<ApiRoute, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns the path of an endpoint with a greedy variable in its last place, where that takes any text. */
function withLongText({ path, freeText = [] }: Routed['declaration']): string {
  return path.replace(/\{(\w+)\}$/, (variable, name) => (freeText.includes(name) ? `{${name}+}` : variable));
}

function isJoined({ folder }: Routed): boolean {
  return deploymentOf(folder) !== 'apart';
}

/** The endpoints of other functions whose paths are below, or are, those of the routes to some endpoints. */
export function neighboursOf(members: readonly Routed[], all: readonly Routed[]): Routed[] {
  const routed = members.flatMap((member) => routesTo(member, all)).map(({ path }) => segmentsOf(path));
  return all.filter((other) => {
    const sent = segmentsOf(other.declaration.path);
    return (
      !members.includes(other) &&
      routed.some((path) => {
        const isGreedy = path.at(-1)?.endsWith('+}') === true;
        return isGreedy ? isBelow(path.slice(0, -1), sent) : path.length === sent.length && isAlike(path, sent);
      })
    );
  });
}

/** The shortest path above that of an endpoint below which everything may be led to its folder. */
function pathAbove({ folder, declaration }: Routed, all: readonly Routed[]): readonly string[] | undefined {
  const segments = segmentsOf(declaration.path);
  const blocking = all.filter((other) =>
    other.folder === folder ? other.declaration.throttle !== undefined : isJoined(other),
  );
  const others = blocking.map((other) => segmentsOf(other.declaration.path));
  return segments
    .slice(0, -1)
    .map((_, index) => segments.slice(0, index + 1))
    .find((above) => !others.some((other) => isBelow(above, other)));
}

/** The routes of the GET of the same path and folder. */
function routesOfGet({ folder, declaration: { path } }: Routed, all: readonly Routed[]): ApiRoute[] {
  const get = all.find((other) => {
    const { method, throttle } = other.declaration;
    return other.folder === folder && other.declaration.path === path && method === 'GET' && throttle === undefined;
  });
  return get === undefined ? [] : routesTo(get, all);
}

/** Tells whether some addresses that a path takes are below those that another one takes. */
function isBelow(above: readonly string[], path: readonly string[]): boolean {
  return path.length > above.length && isAlike(above, path);
}

/** Tells whether one path may begin with what the other one is. */
function isAlike(path: readonly string[], other: readonly string[]): boolean {
  return path.every((segment, index) => {
    const another = other[index] ?? '';
    return segment === another || isParameter(segment) || isParameter(another);
  });
}

/** The words of a path as a name: those of `/api/admin/segments` are `ApiAdminSegments`. */
function wordsOf(segments: readonly string[]): string {
  const words = segments.join('-').match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/**
 * Tells whether a route of all methods takes requests of another endpoint: both paths match them, and the first segment
 * in which the two differ is a word in the path of the route and a parameter, which takes that word, in the other one.
 */
function hides(path: string, other: Routed['declaration']): boolean {
  const words = path.split('/');
  const others = other.path.split('/');
  const differing = words.flatMap((word, index) => {
    const another = others[index] ?? '';
    return isParameter(word) === isParameter(another) && (isParameter(word) || word === another)
      ? []
      : [{ word, another }];
  });
  const [first] = differing;
  return (
    first !== undefined &&
    words.length === others.length &&
    isParameter(first.another) &&
    differing.every(({ word, another }) => isParameter(word) || (isParameter(another) && takes(other, another, word)))
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** A parameter of numbers, such as the id of a user, takes no word. */
function takes({ params }: Routed['declaration'], segment: string, word: string): boolean {
  const name = segment.slice(1, -1);
  const { issues = [] } = params === undefined ? {} : v.safeParse(params, { [name]: word });
  return !issues.some(({ path }) => path?.[0]?.key === name);
}
