import { DatabaseSync } from 'node:sqlite';
import { type Key, keyText, type Partition } from '../store/client/definition.ts';
import type { RawItem } from '../store/raw-items.ts';
import { isCredential, toBackupItem, transactionalContentOf } from './backup-items.ts';

/** A row of the copy; the item is JSON. */
interface CopiedItem extends Key {
  readonly item: string;
}

/**
 * The items that a backup has read so far, in a temporary database that is deleted with the process. It sorts any number of items by
 * their keys. Secrets that a backup omits are never written to it.
 */
export class WorkingCopy implements Disposable {
  readonly #database = new DatabaseSync('');
  /** The omitted parts, in words, by the keys of their items. */
  readonly #omissions = new Map<string, string>();
  #round = 1;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE items (
        pk TEXT NOT NULL, sk TEXT NOT NULL, late INTEGER NOT NULL, round INTEGER NOT NULL, item TEXT NOT NULL
      );
      CREATE UNIQUE INDEX position ON items (late, pk, sk);`);
  }

  /** Begins another round of reads. */
  nextRound(): void {
    this.#round += 1;
  }

  /**
   * Stores items that were read.
   * @returns the keys of items that are new or changed, except independent ones.
   */
  put(items: readonly RawItem[]): Key[] {
    const find = this.#database.prepare('SELECT item FROM items WHERE late = ? AND pk = ? AND sk = ?');
    const put = this.#database.prepare(
      `INSERT INTO items (late, pk, sk, round, item) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (late, pk, sk) DO UPDATE SET round = excluded.round, item = excluded.item`,
    );
    this.#database.exec('BEGIN');
    const changed = items.flatMap((read): Key[] => {
      const { pk, sk } = read;
      const { item, omission } = toBackupItem(read);
      if (omission !== undefined) this.#omissions.set(keyText(read), omission);
      if (item === undefined) return [];
      const earlier = find.get(lateness(pk), pk, sk) as Pick<CopiedItem, 'item'> | undefined;
      put.run(lateness(pk), pk, sk, this.#round, JSON.stringify(item));
      const content = earlier && transactionalContentOf(JSON.parse(earlier.item));
      return transactionalContentOf(item) === content ? [] : [{ pk, sk }];
    });
    this.#database.exec('COMMIT');
    return changed;
  }

  /**
   * Removes the items of a partition that were not read in this round.
   * @returns their keys.
   */
  removeMissing({ pk, prefix = '' }: Partition): Key[] {
    const where = 'late = ? AND pk = ? AND sk >= ? AND sk < ? AND round < ?';
    const range = [lateness(pk), pk, prefix, endOf(prefix), this.#round];
    const missing = this.#database.prepare(`SELECT pk, sk FROM items WHERE ${where}`).all(...range) as unknown as Key[];
    if (missing.length > 0) this.#database.prepare(`DELETE FROM items WHERE ${where}`).run(...range);
    for (const key of missing) this.#omissions.delete(keyText(key));
    return missing;
  }

  find({ pk, sk }: Key): RawItem | undefined {
    const sql = 'SELECT item FROM items WHERE late = ? AND pk = ? AND sk = ?';
    const row = this.#database.prepare(sql).get(lateness(pk), pk, sk) as Pick<CopiedItem, 'item'> | undefined;
    return row && JSON.parse(row.item);
  }

  /** Lists the sort keys of a partition with a prefix. */
  sortKeysOf(pk: string, prefix = ''): string[] {
    const sql = 'SELECT sk FROM items WHERE late = ? AND pk = ? AND sk >= ? AND sk < ?';
    return this.#database
      .prepare(sql)
      .all(lateness(pk), pk, prefix, endOf(prefix))
      .map(({ sk }) => String(sk));
  }

  /** Lists the names of all partitions with a prefix. */
  partitionsOf(prefix: string): string[] {
    // A query per partition is faster than a scan of all items.
    const next = this.#database.prepare('SELECT min(pk) AS pk FROM items WHERE late = ? AND pk > ? AND pk < ?');
    const names: string[] = [];
    for (let last = prefix; ; ) {
      const pk = next.get(lateness(prefix), last, endOf(prefix))?.pk;
      if (typeof pk !== 'string') return names;
      names.push(pk);
      last = pk;
    }
  }

  /** Sums a number over the items of a partition with a prefix of the sort key. */
  sumIn(pk: string, prefix: string, attribute: 'mark' | 'sum'): number {
    const sql = 'SELECT sum(json_extract(item, ?)) AS sum FROM items WHERE late = ? AND pk = ? AND sk >= ? AND sk < ?';
    const { sum } = this.#database.prepare(sql).get(`$.${attribute}`, lateness(pk), pk, prefix, endOf(prefix)) ?? {};
    return Number(sum ?? 0);
  }

  get size(): number {
    return Number(this.#database.prepare('SELECT count(*) AS size FROM items').get()?.size);
  }

  /** The omitted parts that somebody must set again after a restore, in words. */
  get omissions(): string[] {
    return [...this.#omissions.values()].toSorted();
  }

  /** Lists all items in the order of their keys; those that grant access are last. */
  items(): Iterable<CopiedItem> {
    const all = this.#database.prepare('SELECT pk, sk, item FROM items ORDER BY late, pk, sk');
    return all.iterate() as unknown as Iterable<CopiedItem>;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** Returns 1 for items that come last in a file, else 0. */
const lateness = (pk: string) => Number(isCredential({ pk }));

/** Returns a text that sorts after all texts with a prefix. */
const endOf = (prefix: string) => `${prefix}\u{10ffff}`;
