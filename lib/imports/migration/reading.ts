import { invalid, truncate } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../values/json.ts';

/** A thing that is not imported, or not unchanged, with the reason. */
export interface Remark {
  readonly name: string;
  readonly reason: string;
}

/** The answer of a server to a GET. The body is undefined unless the status is 200. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Gets a path from a server or from a folder of its answers. */
export type Get = (path: string) => Promise<ServerAnswer>;

/** A path that a server does not answer. */
export interface Missing {
  readonly path: string;
  readonly status: number;
  /** The part that the migration lacks therefore. */
  readonly consequence: string;
}

/** Called with the progress of a long part of the reading. */
export type OnRead = (kind: string, done: number, total?: number) => void;

/** The most things of one list: far beyond the limits of the service, so that only an endless list has more. */
const listedMax = 2_000_000;

/** Returns the text of a property; undefined if it is no text. */
export function textIn(thing: JsonObject, name: string): string | undefined {
  const value = thing[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads the answers of one server, and collects the paths that it does not answer. */
export class Reading {
  readonly missing: Missing[] = [];
  readonly #get: Get;
  readonly #onRead: OnRead;

  constructor(get: Get, onRead: OnRead) {
    this.#get = get;
    this.#onRead = onRead;
  }

  /**
   * Reads an answer; undefined if the server has none.
   * @param consequence of its absence; without one, the absence is not reported.
   * @throws ApiError 400 if the server refuses the token or fails.
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

  /** Reads an object. @throws ApiError 400 for another answer. */
  async thing(path: string, consequence?: string): Promise<JsonObject | undefined> {
    const body = await this.body(path, consequence);
    if (body !== undefined && !isJsonObject(body)) throw notAsExpected(path, 'an object');
    return body;
  }

  /**
   * Reads a list, which is the answer or a member of it.
   * @throws ApiError 400 for an answer that is no list of objects.
   */
  async list(path: string, member: string, consequence?: string): Promise<JsonObject[] | undefined> {
    const body = await this.body(path, consequence);
    return body === undefined ? undefined : listIn(path, body, member);
  }

  /**
   * Reads a list page by page; no page if the server has no such list. A list that grows meanwhile may show a thing twice.
   * @param pathAt returns the path of the page at an offset.
   * @throws ApiError 400 for an endless list.
   */
  async *pages(
    pathAt: (offset: number) => string,
    { member, idOf, consequence }: { member: string; idOf: (thing: JsonObject) => unknown; consequence?: string },
  ): AsyncGenerator<JsonObject[]> {
    const ids = new Set<unknown>();
    for (let offset = 0; ; ) {
      const path = pathAt(offset);
      const body = await this.body(path, offset === 0 ? consequence : undefined);
      if (body === undefined && offset === 0) return;
      if (body === undefined)
        throw invalid(`${path}: the server answered earlier pages of this list, but not this page.`);
      const page = listIn(path, body, member);
      const before = ids.size;
      for (const thing of page) ids.add(idOf(thing));
      offset += page.length;
      const total = isJsonObject(body) && typeof body.total === 'number' ? body.total : undefined;
      this.#onRead(member, ids.size, total);
      yield page;
      if (page.length === 0 || (total !== undefined && offset >= total)) return;
      if (ids.size === before || ids.size > listedMax) throw invalid(`${path}: this list does not end.`);
    }
  }

  /** Reads something for each thing, with progress. @param kind the kind of thing, for the progress. @param options the numbers of things that were read before, and of all. */
  async each<T, R>(
    kind: string,
    things: readonly T[],
    read: (thing: T) => Promise<R>,
    { before, total }: { before: number; total: number } = { before: 0, total: things.length },
  ): Promise<R[]> {
    let done = before;
    return await Promise.all(
      things.map(async (thing) => {
        const result = await read(thing);
        done += 1;
        this.#onRead(kind, done, total);
        return result;
      }),
    );
  }
}

/** The deepest nesting that is read. Unleash nests less, and all code here can handle it. */
const depthMax = 100;

function isDeeperThan(max: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true;
    const next: unknown[] = [];
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue;
      for (const child of Object.values(parent)) if (typeof child === 'object' && child !== null) next.push(child);
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
  return invalid(`${truncate(path)}: the answer is not ${expected}, as on Unleash.`);
}
