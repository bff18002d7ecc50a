import { isDeepStrictEqual } from 'node:util';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import * as v from 'valibot';
import { deploymentOf } from '../functions/folders.ts';
import { type Declaration, isOfSdks } from '../lib/http/declaration.ts';
import { segmentsOf } from '../lib/http/route-matcher.ts';

/** The properties of an endpoint that its routes depend on. */
export interface Routed {
  readonly operationId: string;
  readonly folder: string;
  readonly declaration: Pick<Declaration, 'method' | 'path' | 'freeText' | 'audience' | 'params' | 'throttle'>;
}

/** A route of the API: a path with a method, or with any method. */
export interface ApiRoute {
  readonly method: HttpMethod;
  readonly path: string;
  /** The id in the stack, which must not change as long as the path stays the same. */
  readonly id: string;
  readonly throttle: Declaration['throttle'] | undefined;
}

/** Ten thousand instances of SDKs poll 700 times a second, and after an outage many poll at the same time. */
const sdkThrottle = { ratePerSecond: 1_000, burst: 5_000 } as const;

/**
 * Returns the routes that lead to an endpoint. AWS limits an API to 300 unless it raises the quota.
 *
 * A folder that is deployed as one function gets everything below a path through one route, such as
 * `ANY /api/admin/segments/{proxy+}`. That route must not include paths of another such folder, or a path whose throttle another
 * spelling would bypass, unless all paths of the folder have the same. It may include paths of functions of their own: a route that is not greedy has precedence.
 *
 * The route of a GET accepts every method that no other route of its path has, so that HEAD needs no route of its own. If that would
 * also match requests of another endpoint, GET and HEAD are two routes: `ANY /archive/features` accepts precedence over
 * `DELETE /archive/{featureName}`, which deletes a feature with the name `features`.
 *
 * A path whose last variable may be any text ends with a greedy variable. The API decodes a path before it looks for the route,
 * so a value may contain slashes.
 * @param all the endpoints of the API.
 */
export function routesTo(endpoint: Routed, all: readonly Routed[]): ApiRoute[] {
  const { operationId, declaration } = endpoint;
  const { method } = declaration;
  const path = buildGreedyPath(declaration);
  const throttle = declaration.throttle ?? (isOfSdks(declaration) ? sdkThrottle : undefined);
  if (isJoined(endpoint) && (declaration.throttle === undefined || isThrottledAsOne(endpoint, all))) {
    const parent = parentPathOf(endpoint, all);
    if (parent !== undefined) {
      return [
        { method: HttpMethod.ANY, path: `/${parent.join('/')}/{proxy+}`, id: `${pascalCaseOf(parent)}Route`, throttle },
      ];
    }
    const [getRoute, ...others] = method === 'GET' ? [] : routesOfGet(endpoint, all);
    if (getRoute?.method === HttpMethod.ANY && others.length === 0) return [getRoute];
  }
  if (method !== 'GET') return [{ method: HttpMethod[method], path, id: `${operationId}Route`, throttle }];
  const methods = all.some((other) => other.declaration.method !== 'GET' && shadows(path, other.declaration))
    ? [HttpMethod.GET, HttpMethod.HEAD]
    : [HttpMethod.ANY];
  return methods.map((routeMethod) => {
    return {
      method: routeMethod,
      path,
      id: `${operationId}${routeMethod === HttpMethod.HEAD ? 'Head' : ''}Route`,
      throttle,
    };
  });
}

export function routeKeyOf({ method, path }: Pick<ApiRoute, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns the path of an endpoint, with a greedy variable at its end if that may be any text. */
function buildGreedyPath({ path, freeText = [] }: Routed['declaration']): string {
  return path.replace(/\{(\w+)\}$/, (variable, name) => (freeText.includes(name) ? `{${name}+}` : variable));
}

function isJoined({ folder }: Routed): boolean {
  return deploymentOf(folder) !== 'apart';
}

/** Tells whether all endpoints of a folder have the same throttle, which their common route then has. */
function isThrottledAsOne({ folder, declaration: { throttle } }: Routed, all: readonly Routed[]): boolean {
  const members = all.filter((other) => other.folder === folder);
  return members.every(({ declaration }) => isDeepStrictEqual(declaration.throttle, throttle));
}

/** Returns the endpoints of other functions whose paths the routes of these endpoints match, too. */
export function neighboursOf(members: readonly Routed[], all: readonly Routed[]): Routed[] {
  const routePaths = members.flatMap((member) => routesTo(member, all)).map(({ path }) => segmentsOf(path));
  return all.filter((other) => {
    const otherPath = segmentsOf(other.declaration.path);
    return (
      !members.includes(other) &&
      routePaths.some((path) => {
        const isGreedy = path.at(-1)?.endsWith('+}') === true;
        return isGreedy
          ? isBelow(path.slice(0, -1), otherPath)
          : path.length === otherPath.length && startsAlike(path, otherPath);
      })
    );
  });
}

/** Returns the shortest parent path of an endpoint whose whole subtree may be routed to its folder. */
function parentPathOf({ folder, declaration }: Routed, all: readonly Routed[]): readonly string[] | undefined {
  const segments = segmentsOf(declaration.path);
  const blocking = all.filter((other) =>
    other.folder === folder
      ? other.declaration.throttle !== undefined && !isThrottledAsOne(other, all)
      : isJoined(other),
  );
  const others = blocking.map((other) => segmentsOf(other.declaration.path));
  return segments
    .slice(0, -1)
    .map((_, index) => segments.slice(0, index + 1))
    .find((parent) => !others.some((other) => isBelow(parent, other)));
}

/** Returns the routes of the GET with the same path and folder. */
function routesOfGet({ folder, declaration: { path } }: Routed, all: readonly Routed[]): ApiRoute[] {
  const get = all.find((other) => {
    const { method, throttle } = other.declaration;
    return other.folder === folder && other.declaration.path === path && method === 'GET' && throttle === undefined;
  });
  return get === undefined ? [] : routesTo(get, all);
}

/** Returns true if some addresses that match `path` are below addresses that match `parent`. */
function isBelow(parent: readonly string[], path: readonly string[]): boolean {
  return path.length > parent.length && startsAlike(parent, path);
}

/** Returns true if some address matches both `path` and the beginning of `other`. */
function startsAlike(path: readonly string[], other: readonly string[]): boolean {
  return path.every((segment, index) => {
    const otherSegment = other[index] ?? '';
    return segment === otherSegment || isParameter(segment) || isParameter(otherSegment);
  });
}

/** Returns a path as a name: `/api/admin/segments` becomes `ApiAdminSegments`. */
function pascalCaseOf(segments: readonly string[]): string {
  const words = segments.join('-').match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/**
 * Returns true if a route of all methods would take requests of another endpoint. Both paths match those requests, and in the
 * first segment in which the paths differ, the route has a word, and the other path has a parameter that accepts this word.
 */
function shadows(path: string, other: Routed['declaration']): boolean {
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
    differing.every(({ word, another }) => isParameter(word) || (isParameter(another) && accepts(other, another, word)))
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** Returns true if a parameter accepts a word. A numeric parameter, such as the id of a user, does not. */
function accepts({ params }: Routed['declaration'], segment: string, word: string): boolean {
  const name = segment.slice(1, -1);
  const { issues = [] } = params === undefined ? {} : v.safeParse(params, { [name]: word });
  return !issues.some(({ path }) => path?.[0]?.key === name);
}
