import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { isBusy, isDamage } from './busy.ts';
import { Checkpoints } from './checkpoints.ts';
import { LogFile } from './log-file.ts';
import { fileDamageError, ofAnother } from './store-error.ts';
import { watchFiles } from './watch-files.ts';

/** The worst that a change survives once it was answered: a power cut with `sync`, a kill of the process with `normal`. */
export type Durability = 'sync' | 'normal';

/** An item as it is written. */
export interface ItemRow extends Key {
  /** Its size as DynamoDB counts it. */
  readonly bytes: number;
  /** Its attributes in the protocol's form, as JSON. */
  readonly item: string;
  /** Its place in the index; null where it has none there. */
  readonly indexPk: string | null;
  readonly indexSk: string | null;
  /** The second from which it may be removed; null where it stays. */
  readonly expiresAt: number | null;
}

/** An item as it is read. */
export interface KeptItem extends Pick<ItemRow, 'bytes' | 'item' | 'indexPk' | 'indexSk'> {
  /** Its attributes, once they were looked at. */
  attributes?: MarshalledItem;
}

/** A condition on columns, with a `?` for each value. */
export interface Where {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Pages of 4 kB: a commit writes each page whole in which something changed, mostly one small item. Files that earlier
 * versions have made keep pages of 8 kB. With `NORMAL`, SQLite syncs the log before a checkpoint, and the file before the log
 * begins again, but not each commit.
 */
const settings = `
  PRAGMA page_size = 4096;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 0;`;

/** Counts the frames of the log that are committed, of a page each; a checkpoint that does nothing says so. */
const countFrames = 'PRAGMA wal_checkpoint(NOOP)';

/** The steps to each version of the schema. A later Flagstaff adds one when it changes how items are kept. */
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
 * The file, or memory, that keeps the items of all tables, and that other processes may have open as well. What is written in
 * one turn of the event loop is committed together; no other process writes in between. Nothing waits for another process
 * here: what one is in the way of throws, as `isBusy` tells, and has done nothing.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #log: LogFile | undefined;
  readonly #checkpoints: Checkpoints | undefined;
  /** @throws StoreError once its file, or what SQLite has beside it, was removed or replaced, or the log cut off. */
  assertInPlace = () => {};
  #isOpen = false;
  #isHeld = false;
  #version = 0;
  /** The frames of the log after the last commit. */
  #frames = 0;
  /** True while the transaction has changes that an answer may tell of. */
  #isWorthKeeping = false;
  /** True while there may be such changes that are committed and not on disk. */
  #isUnkept = false;
  /** The commit of this turn; undefined where there is nothing to commit. */
  #committing: Promise<void> | undefined;
  /** The last flush; undefined once it has succeeded. */
  #flushing: Promise<void> | undefined;

  /** @throws Error when the file is no database, damaged, or written by a newer version. */
  constructor(file: string | undefined, durability: Durability) {
    // Rows are arrays: thousands of objects take twice as long.
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
    this.#frames = framesFrom(this.#prepare(countFrames));
    this.assertInPlace = watchFiles(file, {
      seen: () => bytesOf(this.#frames, pageBytes),
      now: () => bytesOf(framesNow(file), pageBytes),
    });
  }

  /** A number that differs once another process has changed anything. */
  get version(): number {
    return this.#version;
  }

  /** Carries out an action that reads only, and sees one state of the file. */
  reading<T>(action: () => T): T {
    if (this.#isOpen || this.#isHeld) return action();
    this.#prepare('BEGIN').run();
    try {
      this.#notice();
      return action();
    } finally {
      if (this.#database.isTransaction) this.#prepare('COMMIT').run();
    }
  }

  /** Lets all reads from now on see the file as it is at this moment, whatever others write. Nothing can be written here any more. */
  hold(): void {
    this.#prepare('BEGIN').run();
    // The moment is that of the first read.
    this.tables();
    this.#isHeld = true;
  }

  /**
   * Carries out an action that may write. Nobody else writes between what it reads and what it writes. Where it throws after a
   * write, nothing of this turn is kept: a savepoint would cost every action something for the sake of the few that fail so, mostly
   * when the disk is full.
   * @param mayBeLost true where no answer need wait for the disk: what is written later is not there without it.
   */
  writing<T>(action: () => T, mayBeLost = false): T {
    if (!this.#isOpen) this.#begin();
    // SQLite itself ends a transaction that the disk does not take.
    else if (!this.#database.isTransaction) throw new Error('An earlier write of this turn has failed.');
    const isWorthKeeping = this.#isWorthKeeping;
    this.#isWorthKeeping = false;
    try {
      return action();
    } catch (error) {
      if (this.#isWorthKeeping && this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    } finally {
      this.#isWorthKeeping = isWorthKeeping || (this.#isWorthKeeping && !mayBeLost);
    }
  }

  /** Tables by name, as they were defined. */
  tables(): (readonly [id: number, name: string, definition: string])[] {
    return this.#prepare('SELECT id, name, definition FROM tables').all() as never;
  }

  addTable(name: string, definition: string): number {
    return this.#write('INSERT INTO tables (name, definition) VALUES (?, ?)', name, definition).lastInsertRowid;
  }

  removeTable(id: number): void {
    this.#write('DELETE FROM items WHERE tbl = ?', id);
    this.#write('DELETE FROM tables WHERE id = ?', id);
  }

  find(table: number, { pk, sk }: Key): KeptItem | undefined {
    const sql = 'SELECT bytes, item, indexPk, indexSk FROM items WHERE tbl = ? AND pk = ? AND sk = ?';
    const row = this.#first<[number, string, string | null, string | null]>(sql, table, pk, sk);
    return row && { bytes: row[0], item: row[1], indexPk: row[2], indexSk: row[3] };
  }

  /**
   * Reads rows, no more than a number of them. This is a sum, since SQLite would plan the query anew for each value of a
   * placeholder alone, which takes longer than to read some rows.
   */
  select(
    table: number,
    where: readonly Where[],
    order: string,
    most: number,
  ): (readonly [bytes: number, item: string])[] {
    const conditions = where.map(({ sql }) => ` AND ${sql}`).join('');
    const sql = `SELECT bytes, item FROM items WHERE tbl = ?${conditions} ORDER BY ${order} LIMIT ? + 0`;
    return this.#prepare(sql).all(table, ...where.flatMap(({ values }) => values), most) as never;
  }

  put(table: number, { pk, sk, bytes, item, indexPk, indexSk, expiresAt }: ItemRow): void {
    this.#write(
      `INSERT INTO items (tbl, pk, sk, bytes, item, indexPk, indexSk, expiresAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tbl, pk, sk) DO UPDATE SET bytes = excluded.bytes, item = excluded.item,
         indexPk = excluded.indexPk, indexSk = excluded.indexSk, expiresAt = excluded.expiresAt`,
      ...[table, pk, sk, bytes, item, indexPk, indexSk, expiresAt],
    );
  }

  remove(table: number, { pk, sk }: Key): void {
    this.#write('DELETE FROM items WHERE tbl = ? AND pk = ? AND sk = ?', table, pk, sk);
  }

  /** Removes items whose time was over by a second, the oldest first, and no more than a number of them; tells how many. */
  removeExpired(second: number, most: number): number {
    const expired = 'SELECT rowid FROM items WHERE expiresAt <= ? ORDER BY expiresAt LIMIT ?';
    return this.#write(`DELETE FROM items WHERE rowid IN (${expired})`, second, most).changes;
  }

  /**
   * Waits until all that was written so far is committed. It comes in a later turn of the event loop in any case, so that
   * requests that are made together are under way together.
   */
  async committed(): Promise<void> {
    const committing = this.#committing;
    await nextTurn();
    await committing;
  }

  /**
   * Waits until all that was read and committed so far is on disk; undefined where it is. Even what was only read waits for it,
   * since another may have just written that, in this process or in another one.
   */
  flushed(): Promise<void> | undefined {
    if (this.#isUnkept && this.#log !== undefined) {
      this.#isUnkept = false;
      // One that is under way may have begun too early.
      const flushing = this.#log.flushed().then(
        () => {
          if (this.#flushing === flushing) this.#flushing = undefined;
        },
        (error) => {
          this.#isUnkept = true;
          throw error;
        },
      );
      this.#flushing = flushing;
    }
    return this.#flushing;
  }

  /** Waits until all that was read and written so far is on disk. */
  async kept(): Promise<void> {
    await this.committed();
    await this.flushed();
  }

  async close(): Promise<void> {
    await this.#checkpoints?.close();
    this.#log?.close();
    this.#database.close();
  }

  /**
   * Refuses the file of another application or a newer version before anything is written. It is one statement, since
   * another process may just be making the file.
   */
  #assertOurs(file = ''): void {
    const sql = `SELECT user_version, count(name), total(name = 'itemKey') FROM pragma_user_version LEFT JOIN sqlite_schema`;
    const [version = 0, things = 0, ours = 0] = this.#first<number[]>(sql) ?? [];
    if (ours === 0 && (version > 0 || things > 0)) throw new Error(ofAnother(file));
    if (version > schemas.length) throw new Error('a newer version of Flagstaff has written it');
  }

  #prepareFile(): void {
    const versionOf = () => this.#first<[number]>('PRAGMA user_version')?.[0] ?? 0;
    this.#database.exec(settings);
    if (versionOf() === schemas.length) return;
    // Another process may do the same.
    this.#database.exec('BEGIN IMMEDIATE');
    for (const step of schemas.slice(versionOf())) this.#database.exec(step);
    this.#database.exec(`PRAGMA user_version = ${schemas.length}; COMMIT`);
  }

  #begin(): void {
    this.#prepare('BEGIN IMMEDIATE').run();
    this.#isOpen = true;
    this.#notice();
    this.#committing = this.#commit();
    // Those who have written wait for it, unless they were refused.
    this.#committing.catch(() => {});
  }

  async #commit(): Promise<void> {
    await nextTurn();
    this.#isOpen = false;
    this.#committing = undefined;
    const isWorthKeeping = this.#isWorthKeeping;
    this.#isWorthKeeping = false;
    try {
      this.assertInPlace();
      this.#prepare('COMMIT').run();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#isUnkept ||= isWorthKeeping;
    this.#frames = framesFrom(this.#prepare(countFrames));
    this.#checkpoints?.consider(this.#frames);
  }

  /** Looks for changes of other processes, which their authors may not have on disk yet. */
  #notice(): void {
    const version = this.#first<[number]>('PRAGMA data_version')?.[0] ?? 0;
    if (version !== this.#version) this.#isUnkept = true;
    this.#version = version;
  }

  /** The columns of the first row. */
  #first<T>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as never;
  }

  #write(sql: string, ...values: SQLInputValue[]): { readonly changes: number; readonly lastInsertRowid: number } {
    this.#isWorthKeeping = true;
    return this.#prepare(sql).run(...values) as never;
  }

  #prepare(sql: string): StatementSync {
    const found = this.#statements.get(sql);
    if (found !== undefined) return found;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function framesFrom(counting: StatementSync): number {
  const [, frames = 0] = counting.get() as unknown as [busy: number, frames: number];
  return frames;
}

/** Counts the frames by a connection of its own, since one that writes is told nothing; infinitely many cannot be read. */
function framesNow(file: string): number {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 0, returnArrays: true });
    return framesFrom(database.prepare(countFrames));
  } catch (error) {
    if (isBusy(error)) throw error;
    return Number.POSITIVE_INFINITY;
  }
}

/** The bytes of a log: it has a header, and each frame one before its page. */
const bytesOf = (frames: number, pageBytes: number) => (frames === 0 ? 0 : 32 + frames * (24 + pageBytes));
