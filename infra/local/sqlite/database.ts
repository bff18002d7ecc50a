import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { isBusy, isDamage } from './busy.ts';
import { Checkpoints } from './checkpoints.ts';
import { createFileCheck } from './file-check.ts';
import { LogFile } from './log-file.ts';
import { describeForeignFile, fileDamageError } from './store-error.ts';

/** The failure that an answered change survives: a power failure with `sync`, a kill of the process with `normal`. */
export type Durability = 'sync' | 'normal';

/** The row of an item, as it is written. */
export interface ItemRow extends Key {
  /** The size as DynamoDB counts it. */
  readonly bytes: number;
  /** The attributes in the format of the protocol, as JSON. */
  readonly item: string;
  /** The key in the index; null if the item is not in it. */
  readonly indexPk: string | null;
  readonly indexSk: string | null;
  /** The time from which the item may be removed, in seconds; null if it does not expire. */
  readonly expiresAt: number | null;
}

/** An item as it is read. */
export interface StoredItem extends Pick<ItemRow, 'bytes' | 'item' | 'indexPk' | 'indexSk'> {
  /** The attributes, once they have been parsed. */
  attributes?: MarshalledItem;
}

/** A condition on columns, with a `?` for each value. */
export interface Where {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Pages are small (4 kB), since a commit writes every changed page completely, and mostly only one small item of it has changed.
 * Files of earlier versions keep their pages of 8 kB. With `NORMAL`, SQLite syncs the log before a checkpoint, and the file before
 * it reuses the log, but not every commit.
 */
const settings = `
  PRAGMA page_size = 4096;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 0;`;

/** Counts the committed frames of the log, which contain one page each. A checkpoint of this kind only reports the number. */
const countFrames = 'PRAGMA wal_checkpoint(NOOP)';

/** The statements that lead to each version of the schema. A later release adds one if it changes how items are stored. */
const schemas = [
  `CREATE TABLE tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL);
   CREATE TABLE items (
     tbl INTEGER NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL, bytes INTEGER NOT NULL, item TEXT NOT NULL,
     indexPk TEXT, indexSk TEXT
   );
   CREATE UNIQUE INDEX itemKey ON items (tbl, pk, sk);
   CREATE INDEX itemIndex ON items (tbl, indexPk, indexSk, pk, sk) WHERE indexPk IS NOT NULL;`,
  `ALTER TABLE items ADD COLUMN expiresAt INTEGER;
   UPDATE items SET expiresAt = CAST(json_extract(item, '$.expiresAtSeconds.N') AS INTEGER);
   CREATE INDEX itemExpiry ON items (expiresAt) WHERE expiresAt IS NOT NULL;`,
];

/**
 * The file, or memory, that stores the items of all tables. Other processes may have the file open at the same time. All writes in
 * one turn of the event loop are one transaction; no other process writes in between. No method waits for a lock of another process:
 * it throws an error for which `isBusy` returns true, and changes nothing.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #log: LogFile | undefined;
  readonly #checkpoints: Checkpoints | undefined;
  /** @throws StoreError if the file, or one that SQLite stores next to it, was removed or replaced, or if the log was cut off. */
  assertInPlace = () => {};
  /** True while a transaction that may write is open. */
  #isWriting = false;
  #isFrozen = false;
  #version = 0;
  /** The frames of the log after the last commit. */
  #frames = 0;
  /** True if the open transaction has changes that must be flushed to disk. During `write`, true if its action has written. */
  #mustFlush = false;
  /** True if there may be committed changes that are not on disk yet. */
  #isUnflushed = false;
  /** The commit of this turn; undefined if there is nothing to commit. */
  #committing: Promise<void> | undefined;
  /** The last flush; undefined once it succeeded. */
  #flushing: Promise<void> | undefined;

  /** @throws Error if the file is not a database, is damaged, or was written by a newer version. */
  constructor(file: string | undefined, durability: Durability) {
    // Rows are arrays, which are read twice as fast as objects.
    this.#database = new DatabaseSync(file ?? ':memory:', { timeout: 0, returnArrays: true });
    try {
      this.#assertOurs(file);
      this.#prepareFile();
    } catch (error) {
      this.#database.close();
      throw isDamage(error) ? fileDamageError(file, error) : error;
    }
    if (file === undefined) return;
    this.#log = durability === 'sync' ? new LogFile(`${file}-wal`) : undefined;
    this.#checkpoints = new Checkpoints(file);
    const [pageBytes = 0] = this.#first<[number]>('PRAGMA page_size') ?? [];
    this.#frames = readFrames(this.#prepare(countFrames));
    this.assertInPlace = createFileCheck(file, {
      cached: () => bytesOf(this.#frames, pageBytes),
      current: () => bytesOf(countFramesOf(file), pageBytes),
    });
  }

  /** A number that changes when another process has written. */
  get version(): number {
    return this.#version;
  }

  /** Carries out an action that only reads. It sees a consistent state of the file. */
  read<T>(action: () => T): T {
    if (this.#isWriting || this.#isFrozen) return action();
    this.#prepare('BEGIN').run();
    try {
      this.#noticeOtherWriters();
      return action();
    } finally {
      if (this.#database.isTransaction) this.#prepare('COMMIT').run();
    }
  }

  /** Makes all later reads see the file as it is now, regardless of other writers. Writing is no longer possible. */
  freeze(): void {
    this.#prepare('BEGIN').run();
    // The first read determines the state that later ones see.
    this.listTables();
    this.#isFrozen = true;
  }

  /** Returns a number that another process changes with each of its commits. Reading it takes microseconds. */
  readVersion(): number {
    return this.#first<[number]>('PRAGMA data_version')?.[0] ?? 0;
  }

  /**
   * Carries out an action that may write. No other process writes between its reads and its writes. If it throws after a write, all
   * writes of this turn are rolled back. A savepoint could limit the damage, but would slow down every action, and such errors are
   * rare: mostly the disk is full.
   * @param mayBeLost true if no answer needs to wait until the write is on disk. Later writes never survive without it.
   */
  write<T>(action: () => T, mayBeLost = false): T {
    if (!this.#isWriting) this.#begin();
    // SQLite itself rolls back a transaction that cannot be written to disk.
    else if (!this.#database.isTransaction) throw new Error('An earlier write of this turn has failed.');
    const mustFlush = this.#mustFlush;
    this.#mustFlush = false;
    try {
      return action();
    } catch (error) {
      if (this.#mustFlush && this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    } finally {
      this.#mustFlush = mustFlush || (this.#mustFlush && !mayBeLost);
    }
  }

  /** Lists all tables with their definitions. */
  listTables(): (readonly [id: number, name: string, definition: string])[] {
    return this.#prepare('SELECT id, name, definition FROM tables').all() as never;
  }

  addTable(name: string, definition: string): number {
    return this.#runWrite('INSERT INTO tables (name, definition) VALUES (?, ?)', name, definition).lastInsertRowid;
  }

  removeTable(id: number): void {
    this.#runWrite('DELETE FROM items WHERE tbl = ?', id);
    this.#runWrite('DELETE FROM tables WHERE id = ?', id);
  }

  find(table: number, { pk, sk }: Key): StoredItem | undefined {
    const sql = 'SELECT bytes, item, indexPk, indexSk FROM items WHERE tbl = ? AND pk = ? AND sk = ?';
    const row = this.#first<[number, string, string | null, string | null]>(sql, table, pk, sk);
    return row && { bytes: row[0], item: row[1], indexPk: row[2], indexSk: row[3] };
  }

  /**
   * Reads rows up to a limit. The limit is a sum in the SQL, since SQLite plans the query again for each value of a plain placeholder,
   * which takes longer than reading some rows.
   */
  select(
    table: number,
    where: readonly Where[],
    order: string,
    limit: number,
  ): (readonly [bytes: number, item: string])[] {
    const conditions = where.map(({ sql }) => ` AND ${sql}`).join('');
    const sql = `SELECT bytes, item FROM items WHERE tbl = ?${conditions} ORDER BY ${order} LIMIT ? + 0`;
    return this.#prepare(sql).all(table, ...where.flatMap(({ values }) => values), limit) as never;
  }

  put(table: number, { pk, sk, bytes, item, indexPk, indexSk, expiresAt }: ItemRow): void {
    this.#runWrite(
      `INSERT INTO items (tbl, pk, sk, bytes, item, indexPk, indexSk, expiresAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tbl, pk, sk) DO UPDATE SET bytes = excluded.bytes, item = excluded.item,
         indexPk = excluded.indexPk, indexSk = excluded.indexSk, expiresAt = excluded.expiresAt`,
      ...[table, pk, sk, bytes, item, indexPk, indexSk, expiresAt],
    );
  }

  remove(table: number, { pk, sk }: Key): void {
    this.#runWrite('DELETE FROM items WHERE tbl = ? AND pk = ? AND sk = ?', table, pk, sk);
  }

  /** Removes items that expired by a time, the oldest first, up to a limit. @returns the number of removed items. */
  removeExpired(second: number, limit: number): number {
    const expired = 'SELECT rowid FROM items WHERE expiresAt <= ? ORDER BY expiresAt LIMIT ?';
    return this.#runWrite(`DELETE FROM items WHERE rowid IN (${expired})`, second, limit).changes;
  }

  /**
   * Waits until all writes so far are committed. It always waits for the next turn of the event loop, so that requests of the same
   * turn are committed together.
   */
  async waitForCommit(): Promise<void> {
    const committing = this.#committing;
    await nextTurn();
    await committing;
  }

  /**
   * Waits until everything that was read or committed so far is on disk; undefined if it is already. Reads wait as well, since they may
   * have returned changes of another request or process that are not on disk yet.
   */
  flush(): Promise<void> | undefined {
    if (this.#isUnflushed && this.#log !== undefined) {
      this.#isUnflushed = false;
      // A running flush may have begun before the last commit.
      const flushing = this.#log.flush().then(
        () => {
          if (this.#flushing === flushing) this.#flushing = undefined;
        },
        (error) => {
          this.#isUnflushed = true;
          throw error;
        },
      );
      this.#flushing = flushing;
    }
    return this.#flushing;
  }

  /** Waits until everything that was read or written so far is on disk. */
  async commitAndFlush(): Promise<void> {
    await this.waitForCommit();
    await this.flush();
  }

  async close(): Promise<void> {
    await this.#checkpoints?.close();
    this.#log?.close();
    this.#database.close();
  }

  /**
   * Refuses the file of another application or of a newer version before anything is written. It reads with one statement, since
   * another process may be creating the file.
   */
  #assertOurs(file = ''): void {
    const sql = `SELECT user_version, count(name), total(name = 'itemKey') FROM pragma_user_version LEFT JOIN sqlite_schema`;
    const [version = 0, objects = 0, ownObjects = 0] = this.#first<number[]>(sql) ?? [];
    if (ownObjects === 0 && (version > 0 || objects > 0)) throw new Error(describeForeignFile(file));
    if (version > schemas.length) throw new Error('it was written by a newer version of Flagstaff');
  }

  #prepareFile(): void {
    const readVersion = () => this.#first<[number]>('PRAGMA user_version')?.[0] ?? 0;
    this.#database.exec(settings);
    if (readVersion() === schemas.length) return;
    // Another process may do the same at the same time, so the version is read again.
    this.#database.exec('BEGIN IMMEDIATE');
    for (const step of schemas.slice(readVersion())) this.#database.exec(step);
    this.#database.exec(`PRAGMA user_version = ${schemas.length}; COMMIT`);
  }

  #begin(): void {
    this.#prepare('BEGIN IMMEDIATE').run();
    this.#isWriting = true;
    this.#noticeOtherWriters();
    this.#committing = this.#commit();
    // Every write that was not refused waits for the commit, and reports its error.
    this.#committing.catch(() => {});
  }

  async #commit(): Promise<void> {
    await nextTurn();
    this.#isWriting = false;
    this.#committing = undefined;
    const mustFlush = this.#mustFlush;
    this.#mustFlush = false;
    try {
      this.assertInPlace();
      this.#prepare('COMMIT').run();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#isUnflushed ||= mustFlush;
    this.#frames = readFrames(this.#prepare(countFrames));
    this.#checkpoints?.startIfDue(this.#frames);
  }

  /** Checks whether other processes have written. Their changes may not be on disk yet. */
  #noticeOtherWriters(): void {
    const version = this.readVersion();
    if (version !== this.#version) this.#isUnflushed = true;
    this.#version = version;
  }

  /** Returns the columns of the first row. */
  #first<T>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as never;
  }

  #runWrite(sql: string, ...values: SQLInputValue[]): { readonly changes: number; readonly lastInsertRowid: number } {
    this.#mustFlush = true;
    return this.#prepare(sql).run(...values) as never;
  }

  #prepare(sql: string): StatementSync {
    const prepared = this.#statements.get(sql);
    if (prepared !== undefined) return prepared;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function readFrames(counting: StatementSync): number {
  const [, frames = 0] = counting.get() as unknown as [busy: number, frames: number];
  return frames;
}

/**
 * Counts the frames of a file's log with a separate connection, since SQLite does not report them to one that is writing.
 * @returns infinity if they cannot be read.
 */
function countFramesOf(file: string): number {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 0, returnArrays: true });
    return readFrames(database.prepare(countFrames));
  } catch (error) {
    if (isBusy(error)) throw error;
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns the size of a log: a header, and for each frame another header and a page. */
const bytesOf = (frames: number, pageBytes: number) => (frames === 0 ? 0 : 32 + frames * (24 + pageBytes));
