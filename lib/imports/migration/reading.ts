import { invalid, truncate } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../values/json.ts';

/** ServerAnswer of a server to a GET; the body is undefined unless the status is 200. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Asks a server, or a folder that keeps its answers, for a path. */
export type Get = (path: string) => Promise<ServerAnswer>;

/** A read that a server does not answer. */
export interface Missing {
  readonly path: string;
  readonly status: number;
  /** The part of a migration that is left out for it. */
  readonly consequence: string;
}

/** Called as a long part of the reading goes on. */
export type OnRead = (what: string, done: number, total?: number) => void;

/** Most things of one list: far beyond what the service holds, so that only a list without an end has more. */
const listedMax = 2_000_000;

/** Returns the text under a name; undefined where there is none. */
export function textIn(thing: JsonObject, name: string): string | undefined {
  const value = thing[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads of one server, in the forms in which it answers, with what it lacks. */
export class Reading {
  readonly missing: Missing[] = [];
  readonly #get: Get;
  readonly #onRead: OnRead;

  constructor(get: Get, onRead: OnRead) {
    this.#get = get;
    this.#onRead = onRead;
  }

  /**
   * Reads an answer; undefined where the server has none.
   * @param consequence of its absence; without one, nothing is said of it.
   * @throws ApiError 400 where the token is refused, or the server fails.
   */
  async body(path: string, consequence?: string): Promise<unknown> {
    const { status, body } = await this.#get(path);
    if (status === 200) {
      if (isDeeperThan(depthMax, body)) throw invalid(`${path}: the answer is nested more than ${depthMax} times.`);
      return body;
    }
    if (status === 401) throw invalid(`${path}: the server refuses the token (401).`);
    if (consequence !== undefined) this.missing.push({ path, status, consequence });
    return undefined;
  }

  /** @throws ApiError 400 for an answer that is no object. */
  async thing(path: string, consequence?: string): Promise<JsonObject | undefined> {
    const body = await this.body(path, consequence);
    if (body !== undefined && !isJsonObject(body)) throw notAsExpected(path, 'an object');
    return body;
  }

  /**
   * Reads a list: the answer itself, or a member of it.
   * @throws ApiError 400 for an answer that is no list of objects.
   */
  async list(path: string, member: string, consequence?: string): Promise<JsonObject[] | undefined> {
    const body = await this.body(path, consequence);
    return body === undefined ? undefined : listIn(path, body, member);
  }

  /**
   * Reads a list page by page, until its end or as long as somebody asks; not even one page where the server has no such
   * list. A list that grows meanwhile may show a thing twice.
   * @param pathAt returns the path of the page that begins at a place.
   * @throws ApiError 400 for a list that does not end.
   */
  async *pages(
    pathAt: (offset: number) => string,
    { member, idOf, consequence }: { member: string; idOf: (thing: JsonObject) => unknown; consequence?: string },
  ): AsyncGenerator<JsonObject[]> {
    const found = new Set<unknown>();
    for (let offset = 0; ; ) {
      const path = pathAt(offset);
      const body = await this.body(path, offset === 0 ? consequence : undefined);
      if (body === undefined && offset === 0) return;
      if (body === undefined)
        throw invalid(`${path}: the server has answered earlier pages of this list, and not this one.`);
      const page = listIn(path, body, member);
      const before = found.size;
      for (const thing of page) found.add(idOf(thing));
      offset += page.length;
      const total = isJsonObject(body) && typeof body.total === 'number' ? body.total : undefined;
      this.#onRead(member, found.size, total);
      yield page;
      if (page.length === 0 || (total !== undefined && offset >= total)) return;
      if (found.size === before || found.size > listedMax) throw invalid(`${path}: this list does not end.`);
    }
  }

  /** Reads something for each of many things, which may be some of more. */
  async each<T, R>(
    what: string,
    things: readonly T[],
    read: (thing: T) => Promise<R>,
    { before, total }: { before: number; total: number } = { before: 0, total: things.length },
  ): Promise<R[]> {
    let done = before;
    return await Promise.all(
      things.map(async (thing) => {
        const result = await read(thing);
        done += 1;
        this.#onRead(what, done, total);
        return result;
      }),
    );
  }
}

/** Deeper than anything of Unleash's, and than any code here goes into. */
const depthMax = 100;

function isDeeperThan(max: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true;
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

function listIn(path: string, body: unknown, member: string): JsonObject[] {
  const list = isJsonObject(body) ? body[member] : body;
  if (!Array.isArray(list) || !list.every(isJsonObject)) throw notAsExpected(path, `a list of ${member}`);
  return list;
}

function notAsExpected(path: string, expected: string) {
  return invalid(`${truncate(path)}: the answer is not ${expected}, as Unleash has it.`);
}
