import { Problem } from '../problem.ts';
import { askService, problemIn, type Source } from './ask-service.ts';

/** The features to export: the given ones, or those with a tag or of a project, or all that are not archived. */
export interface Selection {
  readonly environment: string;
  readonly features?: readonly string[] | undefined;
  readonly tag?: string | undefined;
  readonly project?: string | undefined;
}

type Entries = readonly Readonly<Record<string, unknown>>[];
/** An export: its lists, by Unleash's names. */
export type Export = Record<string, Entries>;

const maxFeatures = 200;
const pageSize = 1_000;

const lists = ['features', 'featureStrategies', 'featureEnvironments', 'featureTags', 'dependencies', 'links'] as const;

/** The lists that several features share. Each part of an export repeats them, and the first part with an entry counts. */
const sharedLists: readonly string[] = ['contextFields', 'segments', 'tagTypes'];

const emptyExport: Export = Object.fromEntries([...lists, ...sharedLists].map((list) => [list, []]));

/**
 * Exports features in as many requests as necessary. Each feature is a consistent snapshot.
 * @throws Problem with the error of the service.
 */
export async function fetchExport(source: Source, selection: Selection): Promise<Export> {
  const names = selection.features ?? (await listNames(source, selection));
  let whole = emptyExport;
  // A request without names would export all features.
  for (let start = 0; start < names.length; start += maxFeatures) {
    const part = await fetchPart(source, selection.environment, names.slice(start, start + maxFeatures));
    whole = join(whole, part);
  }
  return whole;
}

/** Exports some features. If the answer is too large, exports them in halves. */
async function fetchPart(source: Source, environment: string, features: readonly string[]): Promise<Export> {
  const answer = await askService(source, 'POST', '/api/admin/features-batch/export', { environment, features });
  const { status, body } = answer;
  if (status === 200) return body as Export;
  const isTooLarge = status === 400 && JSON.stringify(body).includes('"path":"features"');
  if (!isTooLarge || features.length < 2) throw new Problem(problemIn(answer));
  const middle = Math.ceil(features.length / 2);
  const first = await fetchPart(source, environment, features.slice(0, middle));
  return join(first, await fetchPart(source, environment, features.slice(middle)));
}

function join(whole: Export, part: Export): Export {
  const lists = Object.entries(part).map(([name, entries]) => {
    const before = whole[name] ?? [];
    const isKnown = (entry: Entries[number]) => before.some((other) => other.name === entry.name);
    return [name, [...before, ...(sharedLists.includes(name) ? entries.filter((entry) => !isKnown(entry)) : entries)]];
  });
  return { ...whole, ...Object.fromEntries(lists) };
}

interface SearchResult {
  readonly total: number;
  readonly features: readonly { readonly name: string; readonly tags?: readonly { type: string; value: string }[] }[];
}

/**
 * Lists the names of the selected features that are live, or of those that are archived.
 * @throws Problem with the error of the service.
 */
export async function listNames(
  source: Source,
  { project, tag }: Selection,
  state: 'live' | 'archived' = 'live',
): Promise<string[]> {
  const names: string[] = [];
  for (let offset = 0; ; ) {
    const query = new URLSearchParams({
      ...(project !== undefined && { project: `IS:${project}` }),
      archived: `IS:${state === 'archived'}`,
      ...{ offset: String(offset), limit: String(pageSize), sortBy: 'name' },
    });
    const answer = await askService(source, 'GET', `/api/admin/search/features?${query}`);
    if (answer.status !== 200) throw new Problem(problemIn(answer));
    const { total, features } = answer.body as SearchResult;
    const isTagged = ({ tags = [] }: SearchResult['features'][number]) =>
      tag === undefined || tags.some(({ type, value }) => value === tag || `${type}:${value}` === tag);
    names.push(...features.filter(isTagged).map(({ name }) => name));
    // An Unleash server may return fewer entries than requested.
    offset += features.length;
    if (features.length === 0 || offset >= total) return [...new Set(names)];
  }
}

/** Returns the names in a list of the service; none if the service does not have this list. */
export async function fetchNames(source: Source, path: string): Promise<string[]> {
  const { status, body } = await askService(source, 'GET', path);
  if (status !== 200) return [];
  const list = Object.values(Array.isArray(body) ? [body] : Object(body)).find(Array.isArray) ?? [];
  return list.map(({ name }) => String(name));
}
