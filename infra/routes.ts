import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import * as v from 'valibot';
import { type Declaration, isOfSdks } from '../lib/http/declaration.ts';

/** What the route of an endpoint depends on. */
export type Routed = Pick<Declaration, 'method' | 'path' | 'audience' | 'params'>;

/** A route of the API: a method, or any, of a path. */
export interface Route {
  readonly method: HttpMethod;
  readonly path: string;
}

/**
 * The routes that lead to an endpoint.
 *
 * A GET gets every method that no other route of its path has. HEAD would otherwise need a route of its own, and an API
 * has at most 300 routes until AWS raises that. Where it would take the requests of another endpoint as well, it does
 * get a route for HEAD: `ANY /archive/features` is closer to `DELETE /archive/features` than
 * `DELETE /archive/{featureName}` is, which deletes a feature of the name `features`.
 * @param all the endpoints of the API.
 */
export function routesTo(endpoint: Routed, all: readonly Routed[]): Route[] {
  const { method, path } = endpoint;
  if (isOfSdks(endpoint)) return [{ method: HttpMethod.ANY, path: path.replace(belowPathsOfSdks, '$1/{proxy+}') }];
  if (method !== 'GET') return [{ method: HttpMethod[method], path }];
  const methods = all.some((other) => other.method !== 'GET' && hides(path, other))
    ? [HttpMethod.GET, HttpMethod.HEAD]
    : [HttpMethod.ANY];
  return methods.map((each) => ({ method: each, path }));
}

export function keyOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** The one function of the endpoints of SDKs gets all methods of their paths, and all that is below one by one route. */
const belowPathsOfSdks = /^(\/api\/client|\/api\/frontend|\/ofrep)\/.+/;

/**
 * Whether a route of all methods takes requests of another endpoint: both paths match them, and the first segment in
 * which the two differ is a word in the path of the route and a parameter, which takes that word, in the other one.
 */
function hides(path: string, other: Routed): boolean {
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
function takes({ params }: Routed, segment: string, word: string): boolean {
  const name = segment.slice(1, -1);
  const { issues = [] } = params === undefined ? {} : v.safeParse(params, { [name]: word });
  return !issues.some(({ path }) => path?.[0]?.key === name);
}
