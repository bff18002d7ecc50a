import { DatabaseSync } from 'node:sqlite';
import { type Key, keyText, type Partition } from '../store/client/definition.ts';
import type { WholeItem } from '../store/whole-items.ts';
import { carriedOf, isEntrance, jointContentOf } from './carried.ts';

/** A row of the copy; the item is JSON. */
interface CopiedItem extends Key {
  readonly item: string;
}

/**
 * The items that a backup has read so far, in a file without a name, which goes with the process: they come in the store's own
 * order, and go out in that of their keys, however many they are. What a backup does not carry never gets into it.
 */
export class WorkingCopy implements Disposable {
  readonly #database = new DatabaseSync('');
  /** The parts that items lack here, in words, by their keys. */
  readonly #lacks = new Map<string, string>();
  #round = 1;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE items (
        pk TEXT NOT NULL, sk TEXT NOT NULL, late INTEGER NOT NULL, round INTEGER NOT NULL, item TEXT NOT NULL
      );
      CREATE UNIQUE INDEX place ON items (late, pk, sk);`);
  }

  /** Begins another reading of some partitions. */
  nextRound(): void {
    this.#round += 1;
  }

  /**
   * Keeps items that were read.
   * @returns the keys of those which are new, or other than they were; not of those that are counted or seen apart.
   */
  put(items: readonly WholeItem[]): Key[] {
    const find = this.#database.prepare('SELECT item FROM items WHERE late = ? AND pk = ? AND sk = ?');
    const put = this.#database.prepare(
      `INSERT INTO items (late, pk, sk, round, item) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (late, pk, sk) DO UPDATE SET round = excluded.round, item = excluded.item`,
    );
    this.#database.exec('BEGIN');
    const changed = items.flatMap((read): Key[] => {
      const { pk, sk } = read;
      const { item, lack } = carriedOf(read);
      if (lack !== undefined) this.#lacks.set(keyText(read), lack);
      if (item === undefined) return [];
      const found = find.get(lateness(pk), pk, sk) as Pick<CopiedItem, 'item'> | undefined;
      put.run(lateness(pk), pk, sk, this.#round, JSON.stringify(item));
      return jointContentOf(item) === (found && jointContentOf(JSON.parse(found.item))) ? [] : [{ pk, sk }];
    });
    this.#database.exec('COMMIT');
    return changed;
  }

  /**
   * Forgets the items of a partition that this round has not found any more.
   * @returns their keys.
   */
  forgetGone({ pk, prefix = '' }: Partition): Key[] {
    const where = 'late = ? AND pk = ? AND sk >= ? AND sk < ? AND round < ?';
    const place = [lateness(pk), pk, prefix, endOf(prefix), this.#round];
    const gone = this.#database.prepare(`SELECT pk, sk FROM items WHERE ${where}`).all(...place) as unknown as Key[];
    if (gone.length > 0) this.#database.prepare(`DELETE FROM items WHERE ${where}`).run(...place);
    for (const key of gone) this.#lacks.delete(keyText(key));
    return gone;
  }

  find({ pk, sk }: Key): WholeItem | undefined {
    const sql = 'SELECT item FROM items WHERE late = ? AND pk = ? AND sk = ?';
    const found = this.#database.prepare(sql).get(lateness(pk), pk, sk) as Pick<CopiedItem, 'item'> | undefined;
    return found && JSON.parse(found.item);
  }

  /** The sort keys of a partition that begin with a prefix. */
  sortKeysOf(pk: string, prefix = ''): string[] {
    const sql = 'SELECT sk FROM items WHERE late = ? AND pk = ? AND sk >= ? AND sk < ?';
    return this.#database
      .prepare(sql)
      .all(lateness(pk), pk, prefix, endOf(prefix))
      .map(({ sk }) => String(sk));
  }

  /** The names of all partitions that begin with a prefix. */
  partitionsOf(prefix: string): string[] {
    // One after the other: to see each of their items takes long.
    const next = this.#database.prepare('SELECT min(pk) AS pk FROM items WHERE late = ? AND pk > ? AND pk < ?');
    const names: string[] = [];
    for (let last = prefix; ; ) {
      const pk = next.get(lateness(prefix), last, endOf(prefix))?.pk;
      if (typeof pk !== 'string') return names;
      names.push(pk);
      last = pk;
    }
  }

  /** The sum of a number in the items of a partition whose sort keys begin with a prefix. */
  sumIn(pk: string, prefix: string, attribute: 'mark' | 'sum'): number {
    const sql = 'SELECT sum(json_extract(item, ?)) AS sum FROM items WHERE late = ? AND pk = ? AND sk >= ? AND sk < ?';
    const { sum } = this.#database.prepare(sql).get(`$.${attribute}`, lateness(pk), pk, prefix, endOf(prefix)) ?? {};
    return Number(sum ?? 0);
  }

  get size(): number {
    return Number(this.#database.prepare('SELECT count(*) AS size FROM items').get()?.size);
  }

  /** The parts that somebody has to set again after a restore, in words. */
  get lacks(): string[] {
    return [...this.#lacks.values()].toSorted();
  }

  /** All items, those by which somebody gets in last, else in the order of their keys. */
  items(): Iterable<CopiedItem> {
    const all = this.#database.prepare('SELECT pk, sk, item FROM items ORDER BY late, pk, sk');
    return all.iterate() as unknown as Iterable<CopiedItem>;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** 1 for the items that come last. */
const lateness = (pk: string) => Number(isEntrance({ pk }));

/** A text behind all that begin with a prefix, in the order of their code points. */
const endOf = (prefix: string) => `${prefix}\u{10ffff}`;
