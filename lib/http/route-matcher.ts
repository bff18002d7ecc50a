import type { Declaration } from './declaration.ts';

type Routed = Pick<Declaration, 'method' | 'path' | 'alias' | 'freeText'>;

/** A route that matches a path. */
interface Match<R> {
  readonly route: R;
  /** The path as it is declared, with the values of its parameters. */
  readonly path: string;
  /** The parameters; undefined for a path without parameters. */
  readonly parameters: Record<string, string> | undefined;
}

export interface RouteMatcher<R> {
  /**
   * Finds the route for a method and a path. Words take precedence over parameters, and HEAD uses the route of GET.
   * @param isEncoded true for a path as the client sent it, where an escaped slash belongs to a value. By default false, for a path that
   * a gateway has decoded.
   */
  find(method: string, path: string, options?: { readonly isEncoded: boolean }): Match<R> | undefined;
  /**
   * Returns the methods of a path for the `Allow` header; undefined for an unknown path. GET implies HEAD, and every path has OPTIONS
   * (RFC 9110, section 10.2.1).
   */
  allowOn(path: string): string | undefined;
}

interface Candidate<R> {
  readonly route: R;
  readonly segments: readonly string[];
  /** The lowercase segments; undefined for a parameter. */
  readonly words: readonly (string | undefined)[];
  /** The position of a parameter that may be any text; -1 if there is none. */
  readonly textAt: number;
}

/** A candidate that matches a path, with a segment of the path for each of its own. */
interface CandidateMatch<R> {
  readonly candidate: Candidate<R>;
  readonly sent: readonly string[];
}

/**
 * Creates a matcher of paths and routes. Double slashes, a slash at the end and the case of words are ignored, since many clients are
 * configured with a base URL that ends with a slash. A gateway decodes an escaped slash, so a path with too many segments matches a
 * route whose parameter may be any text; that parameter gets the excess.
 */
export function matcherOf<R extends Routed>(routes: readonly R[]): RouteMatcher<R> {
  const paths = routes.flatMap((route) => [
    { route, path: route.path },
    ...(route.alias === undefined ? [] : [{ route, path: route.alias }]),
  ]);
  const candidates = paths
    .map(({ route, path }): Candidate<R> => {
      const segments = segmentsOf(path);
      const words = segments.map((segment) => (isParameter(segment) ? undefined : segment.toLowerCase()));
      const [text = ''] = route.freeText ?? [];
      return { route, segments, words, textAt: segments.indexOf(`{${text}}`) };
    })
    .toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  // Most requests are for paths without a parameter, written exactly as declared.
  const plain = Map.groupBy(
    paths
      .filter(({ path }) => !path.includes('{'))
      .map(({ route, path }) => ({ route, path: path as string, parameters: undefined })),
    ({ path }) => path,
  );
  const byLength = Map.groupBy(candidates, ({ segments }) => segments.length);
  const textCandidates = candidates
    .filter(({ textAt }) => textAt !== -1)
    .toSorted((a, b) => b.segments.length - a.segments.length);

  function listMatches(sent: readonly string[]): readonly CandidateMatch<R>[] {
    const exact = (byLength.get(sent.length) ?? []).map((candidate) => ({ candidate, sent })).filter(matches);
    if (exact.length > 0) return exact;
    const shorter = textCandidates.filter(({ segments }) => segments.length < sent.length);
    return shorter.map((candidate) => withLongText(candidate, sent)).filter(matches);
  }

  return {
    find(method, path, { isEncoded } = { isEncoded: false }) {
      const routeMethod = method === 'HEAD' ? 'GET' : method;
      const plainRoute = plain.get(path)?.find(({ route }) => route.method === routeMethod);
      if (plainRoute !== undefined) return plainRoute;
      const hasSlash = isEncoded && /%2f/i.test(path);
      const readings = [...(hasSlash ? [decodedSegments(path)] : []), segmentsOf(isEncoded ? decodePath(path) : path)];
      for (const sent of readings) {
        const match = listMatches(sent).find(({ candidate }) => candidate.route.method === routeMethod);
        if (match !== undefined) return toMatch(match);
      }
      return undefined;
    },
    allowOn(path) {
      const methods = listMatches(segmentsOf(path)).flatMap(({ candidate: { route } }) =>
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

/** Decodes a path as a gateway does: an escaped slash separates segments. An invalid escape stays, and the endpoint refuses it. */
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

function matches({ candidate: { words }, sent }: CandidateMatch<unknown>): boolean {
  return (
    words.length === sent.length &&
    words.every((word, index) => word === undefined || word === sent[index]?.toLowerCase())
  );
}

/** Joins the segments of a path with too many that belong to the parameter that may be any text. */
function withLongText<R>(candidate: Candidate<R>, sent: readonly string[]): CandidateMatch<R> {
  const { segments, textAt } = candidate;
  const end = sent.length - (segments.length - textAt - 1);
  return { candidate, sent: sent.toSpliced(textAt, end - textAt, sent.slice(textAt, end).join('/')) };
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Returns a sort key. If two routes have equally many segments, the one with a word at the first difference comes first. */
function rankOf({ words }: Candidate<unknown>): string {
  return words.map((word) => (word === undefined ? 1 : 0)).join('');
}

function toMatch<R>({ candidate: { route, segments }, sent }: CandidateMatch<R>): Match<R> {
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
