import { Problem } from '../problem.ts';
import { askService, problemIn, type Source } from './ask-service.ts';

/** The features to export: the named ones, else those with a tag, of a project, or all that are not archived. */
export interface Wanted {
  readonly environment: string;
  readonly features?: readonly string[] | undefined;
  readonly tag?: string | undefined;
  readonly project?: string | undefined;
}

type Things = readonly Readonly<Record<string, unknown>>[];
/** An export: lists by the names that Unleash gives them. */
export type Export = Record<string, Things>;

const featuresAtOnce = 200;
const pageSize = 1_000;

const lists = ['features', 'featureStrategies', 'featureEnvironments', 'featureTags', 'dependencies', 'links'] as const;

/** The members that features share, which each part repeats; the first part that has an entry counts. */
const shared: readonly string[] = ['contextFields', 'segments', 'tagTypes'];

const nothing: Export = Object.fromEntries([...lists, ...shared].map((list) => [list, []]));

/**
 * Exports features in as many requests as it takes; each feature is as it was at one moment.
 * @throws Problem with what the service says against it.
 */
export async function fetchExport(source: Source, wanted: Wanted): Promise<Export> {
  const names = wanted.features ?? (await listNames(source, wanted));
  let whole = nothing;
  // A request that named no features would be one for all.
  for (let start = 0; start < names.length; start += featuresAtOnce) {
    const part = await fetchPart(source, wanted.environment, names.slice(start, start + featuresAtOnce));
    whole = joined(whole, part);
  }
  return whole;
}

/** Fetches the export of some features; one that does not fit into an answer is fetched by halves. */
async function fetchPart(source: Source, environment: string, features: readonly string[]): Promise<Export> {
  const answer = await askService(source, 'POST', '/api/admin/features-batch/export', { environment, features });
  const { status, body } = answer;
  if (status === 200) return body as Export;
  const isTooLarge = status === 400 && JSON.stringify(body).includes('"path":"features"');
  if (!isTooLarge || features.length < 2) throw new Problem(problemIn(answer));
  const middle = Math.ceil(features.length / 2);
  const first = await fetchPart(source, environment, features.slice(0, middle));
  return joined(first, await fetchPart(source, environment, features.slice(middle)));
}

function joined(whole: Export, part: Export): Export {
  const entries = Object.entries(part).map(([name, things]) => {
    const before = whole[name] ?? [];
    const isKnown = (thing: Things[number]) => before.some((each) => each.name === thing.name);
    return [name, [...before, ...(shared.includes(name) ? things.filter((each) => !isKnown(each)) : things)]];
  });
  return { ...whole, ...Object.fromEntries(entries) };
}

interface Found {
  readonly total: number;
  readonly features: readonly { readonly name: string; readonly tags?: readonly { type: string; value: string }[] }[];
}

/**
 * The names of the live features that are meant, or of archived ones.
 * @throws Problem with what the service says against it.
 */
export async function listNames(
  source: Source,
  { project, tag }: Wanted,
  which: 'live' | 'archived' = 'live',
): Promise<string[]> {
  const names: string[] = [];
  for (let offset = 0; ; ) {
    const query = new URLSearchParams({
      ...(project !== undefined && { project: `IS:${project}` }),
      archived: `IS:${which === 'archived'}`,
      ...{ offset: String(offset), limit: String(pageSize), sortBy: 'name' },
    });
    const answer = await askService(source, 'GET', `/api/admin/search/features?${query}`);
    if (answer.status !== 200) throw new Problem(problemIn(answer));
    const { total, features } = answer.body as Found;
    const isTagged = ({ tags = [] }: Found['features'][number]) =>
      tag === undefined || tags.some(({ type, value }) => value === tag || `${type}:${value}` === tag);
    names.push(...features.filter(isTagged).map(({ name }) => name));
    // An Unleash server gives fewer at once than are asked for.
    offset += features.length;
    if (features.length === 0 || offset >= total) return [...new Set(names)];
  }
}

/** The names in a list of the service; none where there is no such list. */
export async function fetchNames(source: Source, path: string): Promise<string[]> {
  const { status, body } = await askService(source, 'GET', path);
  if (status !== 200) return [];
  const list = Object.values(Array.isArray(body) ? [body] : Object(body)).find(Array.isArray) ?? [];
  return list.map(({ name }) => String(name));
}
