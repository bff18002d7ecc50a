import type { Declaration } from './declaration.ts';

type Routed = Pick<Declaration, 'method' | 'path' | 'freeText'>;

/** Route that takes a path. */
interface Match<R> {
  readonly route: R;
  /** Path as it is declared, with the values of its parameters. */
  readonly path: string;
  /** Parameters; undefined for a path without any. */
  readonly parameters: Record<string, string> | undefined;
}

export interface RouteMatcher<R> {
  /**
   * Finds the route of a method and a path. A word counts more than a parameter, and HEAD goes where GET goes.
   * @param isEncoded true for a path as a client sends it, in which an escaped slash belongs to a value; false by default,
   * for one that a gateway has decoded.
   */
  find(method: string, path: string, options?: { readonly isEncoded: boolean }): Match<R> | undefined;
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
  /** The place of a parameter that takes any text; -1 where there is none. */
  readonly textAt: number;
}

/** A candidate that takes a path, with a segment of the path for each of its own. */
interface Taking<R> {
  readonly candidate: Candidate<R>;
  readonly sent: readonly string[];
}

/**
 * Matches paths with routes, everywhere alike. Doubled slashes, a trailing slash and the case of words do not count:
 * many clients are configured with a base URL that ends with a slash. A gateway turns an escaped slash into one of the path, so
 * a path that is too long for every route goes to one with a parameter of any text, which takes what is too much.
 */
export function matcherOf<R extends Routed>(routes: readonly R[]): RouteMatcher<R> {
  const candidates = routes
    .map((route): Candidate<R> => {
      const segments = segmentsOf(route.path);
      const words = segments.map((each) => (isParameter(each) ? undefined : each.toLowerCase()));
      const [text = ''] = route.freeText ?? [];
      return { route, segments, words, textAt: segments.indexOf(`{${text}}`) };
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
  const ofText = candidates
    .filter(({ textAt }) => textAt !== -1)
    .toSorted((a, b) => b.segments.length - a.segments.length);

  function taking(sent: readonly string[]): readonly Taking<R>[] {
    const exact = (byLength.get(sent.length) ?? []).map((candidate) => ({ candidate, sent })).filter(takes);
    if (exact.length > 0) return exact;
    const shorter = ofText.filter(({ segments }) => segments.length < sent.length);
    return shorter.map((candidate) => withLongText(candidate, sent)).filter(takes);
  }

  return {
    find(method, path, { isEncoded } = { isEncoded: false }) {
      const asked = method === 'HEAD' ? 'GET' : method;
      const known = plain.get(path)?.find(({ route }) => route.method === asked);
      if (known !== undefined) return known;
      const hasSlash = isEncoded && /%2f/i.test(path);
      const readings = [...(hasSlash ? [decodedSegments(path)] : []), segmentsOf(isEncoded ? decodePath(path) : path)];
      for (const sent of readings) {
        const found = taking(sent).find(({ candidate }) => candidate.route.method === asked);
        if (found !== undefined) return toMatch(found);
      }
      return undefined;
    },
    allowOn(path) {
      const methods = taking(segmentsOf(path)).flatMap(({ candidate: { route } }) =>
        route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
      );
      return methods.length === 0 ? undefined : [...new Set([...methods, 'OPTIONS'])].join(', ');
    },
  };
}

/** Splits a path into its segments, without the empty ones. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Decodes a path as a gateway does: an escaped slash separates segments. A bad escape stays, for the endpoint to refuse. */
export function decodePath(path: string): string {
  return path.includes('%') ? path.split('/').map(decodeSegment).join('/') : path;
}

function decodedSegments(path: string): string[] {
  return segmentsOf(path).map(decodeSegment);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function takes({ candidate: { words }, sent }: Taking<unknown>): boolean {
  return (
    words.length === sent.length &&
    words.every((word, index) => word === undefined || word === sent[index]?.toLowerCase())
  );
}

/** Joins the segments of a path that is longer than a route in the place where the route takes any text. */
function withLongText<R>(candidate: Candidate<R>, sent: readonly string[]): Taking<R> {
  const { segments, textAt } = candidate;
  const end = sent.length - (segments.length - textAt - 1);
  return { candidate, sent: sent.toSpliced(textAt, end - textAt, sent.slice(textAt, end).join('/')) };
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Returns a sort key: of two routes with as many segments, the one with a word where they first differ comes first. */
function rankOf({ words }: Candidate<unknown>): string {
  return words.map((word) => (word === undefined ? 1 : 0)).join('');
}

function toMatch<R>({ candidate: { route, segments }, sent }: Taking<R>): Match<R> {
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
