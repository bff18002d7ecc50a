import type { Declaration } from './declaration.ts';

type Routed = Pick<Declaration, 'method' | 'path'>;

/** Route that takes a path. */
export interface Match<R> {
  readonly route: R;
  /** Path as it is declared, with the values of its parameters. */
  readonly path: string;
  /** Parameters; undefined for a path without any. */
  readonly parameters: Record<string, string> | undefined;
}

export interface RouteMatcher<R> {
  /** Finds the route of a method and a path. A word counts more than a parameter, and HEAD goes where GET goes. */
  find(method: string, path: string): Match<R> | undefined;
  /**
   * Returns the methods of a path, as the Allow header lists them; undefined for an unknown path. HEAD comes with GET,
   * and OPTIONS with every path (RFC 9110, section 10.2.1).
   */
  allowOn(path: string): string | undefined;
}

interface Candidate<R> {
  readonly route: R;
  readonly segments: readonly string[];
  /** Lowercase segments; undefined in the place of a parameter. */
  readonly words: readonly (string | undefined)[];
}

/**
 * Matches paths with routes, everywhere alike. Doubled slashes, a trailing slash and the case of words do not count:
 * many clients are configured with a base URL that ends with a slash.
 */
export function matcherOf<R extends Routed>(routes: readonly R[]): RouteMatcher<R> {
  const candidates = routes
    .map((route): Candidate<R> => {
      const segments = segmentsOf(route.path);
      return { route, segments, words: segments.map((each) => (isParameter(each) ? undefined : each.toLowerCase())) };
    })
    .toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  // Nearly all that is asked for, again and again, is a path as it is declared, without a parameter.
  const plain = Map.groupBy(
    routes
      .filter(({ path }) => !path.includes('{'))
      .map((route) => ({ route, path: route.path as string, parameters: undefined })),
    ({ path }) => path,
  );
  const byLength = Map.groupBy(candidates, ({ segments }) => segments.length);

  function taking(sent: readonly string[]): readonly Candidate<R>[] {
    const small = sent.map((segment) => segment.toLowerCase());
    const ofLength = byLength.get(sent.length) ?? [];
    return ofLength.filter(({ words }) => words.every((word, index) => word === undefined || word === small[index]));
  }

  return {
    find(method, path) {
      const asked = method === 'HEAD' ? 'GET' : method;
      const known = plain.get(path)?.find(({ route }) => route.method === asked);
      if (known !== undefined) return known;
      const sent = segmentsOf(path);
      const found = taking(sent).find(({ route }) => route.method === asked);
      return found && toMatch(found, sent);
    },
    allowOn(path) {
      const methods = taking(segmentsOf(path)).flatMap(({ route: { method } }) =>
        method === 'GET' ? ['GET', 'HEAD'] : [method],
      );
      return methods.length === 0 ? undefined : [...new Set([...methods, 'OPTIONS'])].join(', ');
    },
  };
}

/** Splits a path into its segments, without the empty ones. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/**
 * Decodes a path before it is matched: an escaped slash separates segments. A bad escape stays, for the endpoint to
 * refuse.
 */
export function decodePath(path: string): string {
  return path.includes('%') ? path.split('/').map(decodeSegment).join('/') : path;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Returns a sort key: of two routes with as many segments, the one with a word where they first differ comes first. */
function rankOf({ words }: Candidate<unknown>): string {
  return words.map((word) => (word === undefined ? 1 : 0)).join('');
}

function toMatch<R>({ route, segments }: Candidate<R>, sent: readonly string[]): Match<R> {
  const values = segments.map((segment, index) => (isParameter(segment) ? (sent[index] ?? '') : segment));
  const parameters = segments.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), values[index] ?? '']] : [],
  );
  return {
    route,
    path: `/${values.join('/')}`,
    parameters: parameters.length === 0 ? undefined : Object.fromEntries(parameters),
  };
}
