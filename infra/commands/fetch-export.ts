import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import { retryAfterIn } from './retry-after.ts';
import { addressIn } from './service.ts';

/** The features to export: the named ones, else those with a tag, of a project, or all that are not archived. */
export interface Wanted {
  readonly environment: string;
  readonly features?: readonly string[] | undefined;
  readonly tag?: string | undefined;
  readonly project?: string | undefined;
}

/** The service, and the token that it is called with. */
export interface Source {
  readonly service: URL;
  readonly token: string;
}

type Things = readonly Readonly<Record<string, unknown>>[];
/** An export: lists by the names that Unleash gives them. */
export type Export = Record<string, Things>;

const featuresAtOnce = 200;
const pageSize = 1_000;
const attemptsMax = 6;
/** A server that counts requests usually does so by the minute. */
const attemptsMaxWhileBusy = 8;
const pauseMs = 500;
const answerMsMax = 60_000;

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
  const { status, body } = await ask(source, 'POST', '/api/admin/features-batch/export', { environment, features });
  if (status === 200) return body as Export;
  const isTooLarge = status === 400 && JSON.stringify(body).includes('"path":"features"');
  if (!isTooLarge || features.length < 2) throw new Problem(problemIn(status, body));
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
    const { status, body } = await ask(source, 'GET', `/api/admin/search/features?${query}`);
    if (status !== 200) throw new Problem(problemIn(status, body));
    const { total, features } = body as Found;
    const isTagged = ({ tags = [] }: Found['features'][number]) =>
      tag === undefined || tags.some(({ type, value }) => value === tag || `${type}:${value}` === tag);
    names.push(...features.filter(isTagged).map(({ name }) => name));
    // An Unleash server gives fewer at once than are asked for.
    offset += features.length;
    if (features.length === 0 || offset >= total) return [...new Set(names)];
  }
}

/** The names in a list of the service; none where there is no such list. */
export async function listed(source: Source, path: string): Promise<string[]> {
  const { status, body } = await ask(source, 'GET', path);
  if (status !== 200) return [];
  const list = Object.values(Array.isArray(body) ? [body] : Object(body)).find(Array.isArray) ?? [];
  return list.map(({ name }) => String(name));
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number;
}

/** Asks again while the service is busy or out of reach, as late as its `Retry-After` says. */
async function ask({ service, token }: Source, method: string, path: string, body?: object): Promise<Answer> {
  const address = addressIn(service, path);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await attemptToAsk(address, token, method, body);
    const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!isPassing) return answer;
    if (attempt === (answer.status === 429 ? attemptsMaxWhileBusy : attemptsMax))
      throw new Problem(problemIn(answer.status, answer.body));
    await sleep(Math.max(pauseMs * 2 ** (attempt - 1), answer.retryAfterMs));
  }
}

async function attemptToAsk(address: URL, token: string, method: string, body?: object): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method,
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text), retryAfterMs: retryAfterIn(response) };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return { status: 0, body: { message: `${address.origin} does not answer: ${reason}` }, retryAfterMs: 0 };
  }
}

/** Parses the JSON of an answer; a proxy in between may answer anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 500).trim() };
  }
}

function problemIn(status: number, body: unknown): string {
  const { message = '' } = (body ?? {}) as { readonly message?: string };
  return status === 0 ? message : `${status} ${message}`;
}
