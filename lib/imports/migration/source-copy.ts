import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../values/json.ts';
import { isName } from '../../values/primitives.ts';

/** A flag of a server: what lists and its own path say of it, with its tags, its stages and its strategies. */
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

const atOnce = 100;

/** The columns that queries ask for some of; those with things are JSON. */
interface Row {
  readonly name: string;
  readonly project: string;
  readonly listed: string;
  readonly content: string;
  readonly id: number;
  readonly event: string;
}

/**
 * The flags and the events of a server, however many there are: in a file without a name, which is gone with the process,
 * so that little of them is in memory.
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

  /** The id of the newest event when all was read; 0 before that. */
  get completeUpTo(): number {
    return this.#completeUpTo;
  }

  /** Notes that all is read. */
  complete(): void {
    this.#completeUpTo = this.lastEventId;
  }

  /** Begins a list of all flags. */
  beginList(): void {
    this.#round += 1;
  }

  /** Notes a flag of the list. One that looks as it did in the list before keeps its content. */
  list({ name, project, listed }: SourceListing): void {
    const before = this.#row('SELECT listed FROM features WHERE name = ? AND project = ?', name, project);
    const isSame = before !== undefined && isDeepStrictEqual(settled(JSON.parse(before.listed)), settled(listed));
    this.#database
      .prepare(
        `INSERT INTO features (name, project, listed, round) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
         project = excluded.project, listed = excluded.listed, content = iif(?, content, NULL), round = excluded.round`,
      )
      .run(name, project, JSON.stringify(listed), this.#round, Number(isSame));
  }

  /** Ends a list: flags that it lacks are forgotten. */
  endList(): void {
    this.#database.prepare('DELETE FROM features WHERE round < ?').run(this.#round);
  }

  /** Some of the listed flags whose content is not known; none where all are. */
  get unread(): SourceListing[] {
    return this.#rows('SELECT name, project, listed FROM features WHERE content IS NULL LIMIT ?', atOnce).map(
      ({ name, project, listed }) => ({ name, project, listed: JSON.parse(listed) }),
    );
  }

  get unreadCount(): number {
    return this.#count('features WHERE content IS NULL');
  }

  /** Has all flags read again. */
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
      const some = this.#rows('SELECT * FROM features WHERE name > ? ORDER BY name LIMIT ?', last, atOnce);
      for (const { name, project, content } of some) yield { name, project, content: JSON.parse(content) };
      if (some.length < atOnce) return;
      last = some.at(-1)?.name ?? last;
    }
  }

  feature(name: string): SourceFeature | undefined {
    const found = this.#row('SELECT project, content FROM features WHERE name = ?', name);
    return found && { name, project: found.project, content: JSON.parse(found.content) };
  }

  /** Adds events, each of which it has once. A flag with a new one is read again. */
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

  get eventCount(): number {
    return this.#count('events');
  }

  /** The id of the newest event; 0 where there is none. */
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
      const some = this.#rows('SELECT id, event FROM events WHERE id > ? ORDER BY id LIMIT ?', last, atOnce);
      for (const { event } of some) yield JSON.parse(event);
      if (some.length < atOnce) return;
      last = some.at(-1)?.id ?? last;
    }
  }

  /** The names of flags that have events, and are there no more. */
  get goneFeatures(): string[] {
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

  #row(sql: string, ...values: string[]): Row | undefined {
    return this.#rows(sql, ...values)[0];
  }

  #count(of: string): number {
    return Number(this.#database.prepare(`SELECT count(*) AS count FROM ${of}`).get()?.count);
  }
}

/** Returns a listed flag without its use, which is not followed. */
function settled(listed: JsonObject): unknown {
  const use = ['lastSeenAt', 'yes', 'no'];
  return JSON.parse(JSON.stringify(listed, (key, value) => (use.includes(key) ? undefined : value)));
}
