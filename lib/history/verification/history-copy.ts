import { DatabaseSync } from 'node:sqlite';

/** An item of events, without its content. */
export interface EventRow {
  readonly pk: string;
  /** Null for events of no feature. */
  readonly feature: string | null;
  readonly firstId: number;
  readonly lastId: number;
  /** The number of its events. */
  readonly count: number;
  /** The total and the first event of the feature, as the item has them. */
  readonly total: number | null;
  readonly firstOfFeature: number | null;
  readonly at: string;
  readonly link: string | null;
  /** The hash of its content. */
  readonly content: string;
  /** 1 if it was imported from another server, else 0. */
  readonly isImported: number;
}

/** An item of events, with its leaf in a seal. */
export interface SealedRow extends EventRow {
  /** The hash in its leaf; null if no seal lists it. */
  readonly leaf: string | null;
  readonly seal: number | null;
}

/** A feature's own item, or the tombstone of a deleted one. */
export interface OwnRow {
  readonly feature: string;
  readonly isDeleted: number;
  readonly link: string | null;
  readonly lastEventId: number | null;
  /** Null in a tombstone. */
  readonly eventCount: number | null;
  readonly firstEventId: number | null;
}

/** A leaf, and the seal that lists it. */
export interface LeafRow {
  readonly id: number;
  readonly hash: string;
  readonly seal: number;
  /** Another seal that lists the item with another hash; null if there is none. */
  readonly otherSeal?: number | null;
}

const columns = {
  events: [
    'pk',
    'feature',
    'firstId',
    'lastId',
    'count',
    'total',
    'firstOfFeature',
    'at',
    'link',
    'content',
    'isImported',
  ],
  own: ['feature', 'isDeleted', 'link', 'lastEventId', 'eventCount', 'firstEventId'],
  leaves: ['id', 'hash', 'seal'],
} as const;

/** The items of events with their leaves, as `SealedRow`. */
const sealedEvents = `
  SELECT events.*, leaves.hash AS leaf, leaves.seal FROM events LEFT JOIN leaves ON leaves.id = events.firstId`;

/**
 * The action for a leaf of an item that already has one. With the same hash, the earlier seal counts. With another hash, the first leaf that
 * was read counts, and the other seal is noted.
 */
const noteOther = `UPDATE SET
  otherSeal = iif(hash <> excluded.hash AND seal <> excluded.seal, excluded.seal, otherSeal),
  seal = iif(hash = excluded.hash, min(seal, excluded.seal), seal)`;

/**
 * The parts of a history that a verification needs, in a temporary database that is deleted with the process. So a long history needs
 * no more memory than a short one.
 */
export class HistoryCopy implements Disposable {
  readonly #database = new DatabaseSync('');
  readonly #add: Readonly<Record<keyof typeof columns, (row: object) => void>>;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE events (
        pk TEXT, feature TEXT, firstId INTEGER, lastId INTEGER, count INTEGER, total INTEGER, firstOfFeature INTEGER, at TEXT, link TEXT,
        content TEXT, isImported INTEGER
      );
      CREATE TABLE own (
        feature TEXT PRIMARY KEY, isDeleted INTEGER, link TEXT, lastEventId INTEGER, eventCount INTEGER, firstEventId INTEGER
      ) WITHOUT ROWID;
      CREATE TABLE leaves (id INTEGER PRIMARY KEY, hash TEXT, seal INTEGER, otherSeal INTEGER);
      BEGIN;`);
    const adderTo = (table: keyof typeof columns, otherwise = 'NOTHING') => {
      const names = columns[table];
      const sql = `INSERT INTO ${table} (${names}) VALUES (${names.map((name) => `:${name}`)}) ON CONFLICT DO ${otherwise}`;
      const statement = this.#database.prepare(sql);
      return (row: object) => void statement.run(row as Record<string, string | number | null>);
    };
    this.#add = { events: adderTo('events'), own: adderTo('own'), leaves: adderTo('leaves', noteOther) };
  }

  addEvents(row: EventRow): void {
    this.#add.events(row);
  }

  addOwn(row: OwnRow): void {
    this.#add.own(row);
  }

  /** Adds a leaf, unless there is one of the same item. */
  addLeaf(row: LeafRow): void {
    this.#add.leaves(row);
  }

  /** Builds the indexes. Everything must have been added before. */
  buildIndexes(): void {
    this.#database.exec(
      'COMMIT; CREATE INDEX features ON events (feature, firstId); CREATE INDEX ids ON events (firstId)',
    );
  }

  /** Lists the items of events of features, by feature and id. */
  listFeatureEvents(): Iterable<SealedRow> {
    return this.#list(`${sealedEvents} WHERE feature IS NOT NULL ORDER BY feature, firstId, pk`);
  }

  /** Lists the items of events of no feature, by id. */
  listServiceEvents(): Iterable<SealedRow> {
    return this.#list(`${sealedEvents} WHERE feature IS NULL ORDER BY firstId`);
  }

  /** Lists the leaves without an item, by id. */
  listMissingLeaves(): Iterable<LeafRow> {
    return this.#list('SELECT * FROM leaves WHERE id NOT IN (SELECT firstId FROM events) ORDER BY id');
  }

  /** Lists the leaves without an item whose ids are between two others. */
  listMissingLeavesBetween(after: number, before: number): Iterable<LeafRow> {
    return this.#list(
      'SELECT * FROM leaves WHERE id > ? AND id < ? AND id NOT IN (SELECT firstId FROM events) ORDER BY id DESC',
      after,
      before,
    );
  }

  /** Lists the leaves of items that two seals list with different hashes, by id. */
  listConflictingLeaves(): Iterable<LeafRow> {
    return this.#list('SELECT * FROM leaves WHERE otherSeal IS NOT NULL ORDER BY id');
  }

  findOwn(feature: string): OwnRow | undefined {
    const [own] = this.#list<OwnRow>('SELECT * FROM own WHERE feature = ?', feature);
    return own;
  }

  /** Lists the features' own items without events in the store. */
  listOwnWithoutEvents(): Iterable<OwnRow> {
    return this.#list('SELECT * FROM own WHERE feature NOT IN (SELECT feature FROM events WHERE feature IS NOT NULL)');
  }

  /**
   * Lists the items of events that are in no seal although the last one ended after them. A new item can be from shortly before that end, if
   * its writer has a clock that is late. Ids rise, so it has a higher id than all that is sealed.
   * @param earliest the time from which a new item can be late.
   */
  listUnsealedBefore(at: string, earliest: string): Iterable<SealedRow> {
    return this.#list(
      `SELECT events.*, NULL AS leaf, NULL AS seal FROM events
       WHERE at < ? AND (at < ? OR firstId < (SELECT max(id) FROM leaves)) AND firstId NOT IN (SELECT id FROM leaves) ORDER BY firstId`,
      at,
      earliest,
    );
  }

  /**
   * Lists the items of events, but for imported ones, that a seal lists although they are from before a time.
   * @param earliest the time for each seal.
   */
  listTooOldForSeal(earliest: ReadonlyMap<number, string>): Iterable<SealedRow> {
    this.#database.exec('CREATE TEMPORARY TABLE earliest (seal INTEGER PRIMARY KEY, at TEXT)');
    const add = this.#database.prepare('INSERT INTO earliest VALUES (?, ?)');
    for (const [seal, at] of earliest) add.run(seal, at);
    return this.#list(
      `SELECT events.*, leaves.hash AS leaf, leaves.seal FROM leaves
       JOIN earliest ON earliest.seal = leaves.seal JOIN events ON events.firstId = leaves.id
       WHERE events.at < earliest.at AND isImported = 0 ORDER BY firstId`,
    );
  }

  /** Counts the items of events that are in no seal, and finds the time of the first. */
  summarizeUnsealed(): { readonly count: number; readonly since: string | null } {
    const sql = 'SELECT count(*) AS count, min(at) AS since FROM events WHERE firstId NOT IN (SELECT id FROM leaves)';
    const [summary] = this.#list<{ count: number; since: string | null }>(sql);
    return summary ?? { count: 0, since: null };
  }

  #list<T>(sql: string, ...values: (string | number)[]): Iterable<T> {
    return this.#database.prepare(sql).iterate(...values) as Iterable<T>;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
