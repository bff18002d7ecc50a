import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LogFile } from './log-file.ts';

/** An item as it is kept. */
export interface KeptItem {
  /** Its size as DynamoDB counts it. */
  readonly bytes: number;
  /** Its attributes in the protocol's form, as JSON. */
  readonly item: string;
}

/** An item with its place in the table, and in its index; null where it has none there. */
export interface IndexedItem extends KeptItem {
  readonly pk: string;
  readonly sk: string;
  readonly indexPk: string | null;
  readonly indexSk: string | null;
}

/** The rows to be read: a part of a table or of its index, in order. */
export interface Selection {
  readonly table: number;
  /** Further conditions on columns, with a `?` for each value. */
  readonly where: readonly { readonly sql: string; readonly values: readonly SQLInputValue[] }[];
  /** Columns of the order. */
  readonly order: readonly string[];
  readonly descending: boolean;
  /** The most rows. */
  readonly limit: number;
}

/** Pages of 8 kB, since an item takes up to a third of one. */
const schema = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS items (
    tbl INTEGER NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL, bytes INTEGER NOT NULL, item TEXT NOT NULL,
    indexPk TEXT, indexSk TEXT
  );
  CREATE UNIQUE INDEX IF NOT EXISTS itemKey ON items (tbl, pk, sk);
  CREATE INDEX IF NOT EXISTS itemIndex ON items (tbl, indexPk, indexSk, pk, sk) WHERE indexPk IS NOT NULL;`;

/** The version of the schema; a later Flagstaff raises it when it changes how items are kept. */
const schemaVersion = 1;

/**
 * The file, or memory, that keeps the items of all tables. What is written in one turn of the event loop is committed
 * together.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #log: LogFile | undefined;
  #isOpen = false;
  /** Resolves when what was written last is kept; undefined once it is. */
  #kept: Promise<void> | undefined;

  /** @throws Error when the file is no database, damaged, locked, or written by a newer version. */
  constructor(file: string | undefined) {
    this.#database = new DatabaseSync(file ?? ':memory:', { timeout: 0 });
    const { user_version: version } = this.#database.prepare('PRAGMA user_version').get() ?? {};
    if (Number(version) > schemaVersion) throw new Error('a newer version of Flagstaff has written it');
    this.#database.exec(`${schema} PRAGMA user_version = ${schemaVersion};`);
    this.#log = file === undefined ? undefined : new LogFile(`${file}-wal`);
  }

  /** Tables by name, as they were defined. */
  tables(): { readonly id: number; readonly name: string; readonly definition: string }[] {
    return this.#prepare('SELECT id, name, definition FROM tables').all() as never;
  }

  addTable(name: string, definition: string): number {
    this.#begin();
    const { lastInsertRowid } = this.#prepare('INSERT INTO tables (name, definition) VALUES (?, ?)').run(
      name,
      definition,
    );
    return Number(lastInsertRowid);
  }

  removeTable(id: number): void {
    this.#begin();
    this.#prepare('DELETE FROM items WHERE tbl = ?').run(id);
    this.#prepare('DELETE FROM tables WHERE id = ?').run(id);
  }

  find(table: number, pk: string, sk: string): KeptItem | undefined {
    return this.#prepare('SELECT bytes, item FROM items WHERE tbl = ? AND pk = ? AND sk = ?').get(table, pk, sk) as
      | KeptItem
      | undefined;
  }

  /** Reads rows, as arrays: thousands of objects take twice as long. */
  select({ table, where, order, descending, limit }: Selection): (readonly [bytes: number, item: string])[] {
    const conditions = where.map(({ sql }) => ` AND ${sql}`).join('');
    const columns = order.map((column) => (descending ? `${column} DESC` : column)).join(', ');
    const statement = this.#prepare(
      `SELECT bytes, item FROM items WHERE tbl = ?${conditions} ORDER BY ${columns} LIMIT ?`,
    );
    statement.setReturnArrays(true);
    return statement.all(table, ...where.flatMap(({ values }) => values), limit) as never;
  }

  put(table: number, { pk, sk, bytes, item, indexPk, indexSk }: IndexedItem): void {
    this.#begin();
    this.#prepare(
      `INSERT INTO items (tbl, pk, sk, bytes, item, indexPk, indexSk) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tbl, pk, sk) DO UPDATE SET
         bytes = excluded.bytes, item = excluded.item, indexPk = excluded.indexPk, indexSk = excluded.indexSk`,
    ).run(table, pk, sk, bytes, item, indexPk, indexSk);
  }

  remove(table: number, pk: string, sk: string): void {
    this.#begin();
    this.#prepare('DELETE FROM items WHERE tbl = ? AND pk = ? AND sk = ?').run(table, pk, sk);
  }

  /** Carries out all writes of an action, or none where it throws. */
  together(action: () => void): void {
    this.#begin();
    this.#database.exec('SAVEPOINT together');
    try {
      action();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO together');
      throw error;
    } finally {
      if (this.#database.isTransaction) this.#database.exec('RELEASE together');
    }
  }

  /**
   * Waits until all that was written so far survives a power cut. An answer waits for it, even one that has only read,
   * since it may tell of what another has just written. It comes in a later turn of the event loop in any case, so that
   * requests that are made together are under way together.
   */
  async kept(): Promise<void> {
    const kept = this.#kept;
    await nextTurn();
    await kept;
  }

  close(): void {
    this.#log?.close();
    this.#database.close();
  }

  #begin(): void {
    if (this.#isOpen) {
      // SQLite itself ends a transaction that the disk does not take.
      if (!this.#database.isTransaction) throw new Error('An earlier write of this turn has failed.');
      return;
    }
    this.#database.exec('BEGIN IMMEDIATE');
    this.#isOpen = true;
    const kept = this.#commit().finally(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    // Those who have written wait for it, unless they were refused.
    kept.catch(() => {});
    this.#kept = kept;
  }

  async #commit(): Promise<void> {
    await nextTurn();
    this.#isOpen = false;
    try {
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    await this.#log?.flushed();
  }

  #prepare(sql: string): StatementSync {
    const found = this.#statements.get(sql);
    if (found !== undefined) return found;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
