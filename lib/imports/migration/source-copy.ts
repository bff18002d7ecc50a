import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../values/json.ts';
import { isName } from '../../values/primitives.ts';

/** A flag of a server, as lists and its own path show it, with its tags, stages and strategies. */
export interface SourceFeature {
  readonly name: string;
  readonly project: string;
  readonly content: JsonObject;
}

/** A flag as lists show it. */
export interface SourceListing {
  readonly name: string;
  readonly project: string;
  readonly listed: JsonObject;
}

/** The number of rows that are read together. */
const pageSize = 100;

/** The columns of all queries. `listed`, `content` and `event` are JSON. */
interface Row {
  readonly name: string;
  readonly project: string;
  readonly listed: string;
  readonly content: string;
  readonly id: number;
  readonly event: string;
}

/**
 * The flags and the events of a server in a temporary file, which ends with the process, so that little of them is in memory.
 */
export class SourceCopy implements Disposable {
  readonly #database = new DatabaseSync('');
  #round = 0;
  #completeUpTo = 0;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE features (
        name TEXT PRIMARY KEY, project TEXT NOT NULL, listed TEXT NOT NULL, content TEXT, round INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE events (id INTEGER PRIMARY KEY, feature TEXT, event TEXT NOT NULL);
      CREATE INDEX ofFeature ON events (feature, id);`);
  }

  /** The id of the newest event when everything was read; 0 before that. */
  get completeUpTo(): number {
    return this.#completeUpTo;
  }

  /** Notes that everything was read. */
  complete(): void {
    this.#completeUpTo = this.lastEventId;
  }

  /** Starts a list of all flags. */
  beginList(): void {
    this.#round += 1;
  }

  /** Adds a flag to the list. A flag that looks the same as in the previous list keeps its content. */
  list({ name, project, listed }: SourceListing): void {
    const before = this.#row('SELECT listed FROM features WHERE name = ? AND project = ?', name, project);
    const isSame =
      before !== undefined && isDeepStrictEqual(withoutUsage(JSON.parse(before.listed)), withoutUsage(listed));
    this.#database
      .prepare(
        `INSERT INTO features (name, project, listed, round) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
         project = excluded.project, listed = excluded.listed, content = iif(?, content, NULL), round = excluded.round`,
      )
      .run(name, project, JSON.stringify(listed), this.#round, Number(isSame));
  }

  /** Ends a list, and removes the flags that it lacks. */
  endList(): void {
    this.#database.prepare('DELETE FROM features WHERE round < ?').run(this.#round);
  }

  /** A page of listed flags whose content was not read; empty if all were read. */
  get unread(): SourceListing[] {
    return this.#rows('SELECT name, project, listed FROM features WHERE content IS NULL LIMIT ?', pageSize).map(
      ({ name, project, listed }) => ({ name, project, listed: JSON.parse(listed) }),
    );
  }

  get unreadCount(): number {
    return this.#count('features WHERE content IS NULL');
  }

  /** Removes all contents, so that all flags are read again. */
  forgetContents(): void {
    this.#database.exec('UPDATE features SET content = NULL');
  }

  keep(name: string, content: JsonObject): void {
    this.#database.prepare('UPDATE features SET content = ? WHERE name = ?').run(JSON.stringify(content), name);
  }

  get featureCount(): number {
    return this.#count('features');
  }

  /** All flags, in the order of their names. */
  *features(): Generator<SourceFeature> {
    for (let last = ''; ; ) {
      const rows = this.#rows('SELECT * FROM features WHERE name > ? ORDER BY name LIMIT ?', last, pageSize);
      for (const { name, project, content } of rows) yield { name, project, content: JSON.parse(content) };
      if (rows.length < pageSize) return;
      last = rows.at(-1)?.name ?? last;
    }
  }

  feature(name: string): SourceFeature | undefined {
    const row = this.#row('SELECT project, content FROM features WHERE name = ?', name);
    return row && { name, project: row.project, content: JSON.parse(row.content) };
  }

  /** Adds new events. A flag with a new event is read again. */
  addEvents(events: readonly JsonObject[]): void {
    const add = this.#database.prepare('INSERT OR IGNORE INTO events (id, feature, event) VALUES (?, ?, ?)');
    const forget = this.#database.prepare('UPDATE features SET content = NULL WHERE name = ?');
    this.#database.exec('BEGIN');
    for (const event of events) {
      const { id, featureName } = event;
      if (!Number.isSafeInteger(id)) continue;
      const feature = typeof featureName === 'string' && isName(featureName) ? featureName : null;
      const { changes } = add.run(Number(id), feature, JSON.stringify(event));
      if (changes === 1 && feature !== null) forget.run(feature);
    }
    this.#database.exec('COMMIT');
  }

  /** Tells whether an event with a higher id is from before a time (ISO 8601). */
  hasEventBefore(time: string, id: number): boolean {
    return (
      this.#row("SELECT id FROM events WHERE id > ? AND event ->> 'createdAt' < ? LIMIT 1", id, time) !== undefined
    );
  }

  get eventCount(): number {
    return this.#count('events');
  }

  /** The id of the newest event; 0 without events. */
  get lastEventId(): number {
    return Number(this.#database.prepare('SELECT max(id) AS id FROM events').get()?.id ?? 0);
  }

  /** The events of a flag, by rising id. */
  eventsOf(name: string): JsonObject[] {
    return this.#rows('SELECT event FROM events WHERE feature = ? ORDER BY id', name).map(({ event }) =>
      JSON.parse(event),
    );
  }

  /** All events, by rising id, after one. */
  *events(after = 0): Generator<JsonObject> {
    for (let last = after; ; ) {
      const rows = this.#rows('SELECT id, event FROM events WHERE id > ? ORDER BY id LIMIT ?', last, pageSize);
      for (const { event } of rows) yield JSON.parse(event);
      if (rows.length < pageSize) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  /** The names of deleted flags with events. */
  get deletedFeatures(): string[] {
    return this.#rows(
      'SELECT DISTINCT feature AS name FROM events WHERE feature IS NOT NULL AND feature NOT IN (SELECT name FROM features)',
    ).map(({ name }) => name);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #rows(sql: string, ...values: (string | number)[]): Row[] {
    return this.#database.prepare(sql).all(...values) as unknown as Row[];
  }

  #row(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#rows(sql, ...values)[0];
  }

  #count(condition: string): number {
    return Number(this.#database.prepare(`SELECT count(*) AS count FROM ${condition}`).get()?.count);
  }
}

/** Returns a listed flag without its usage, which does not count as a change. */
function withoutUsage(listed: JsonObject): unknown {
  const usage = ['lastSeenAt', 'yes', 'no'];
  return JSON.parse(JSON.stringify(listed, (key, value) => (usage.includes(key) ? undefined : value)));
}
