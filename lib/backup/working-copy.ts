import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Key } from '../store/client/definition.ts';
import type { WholeItem } from '../store/whole-items.ts';
import { isEntrance } from './carried.ts';

/** An item of a copy as JSON. */
export interface CopiedItem extends Key {
  readonly item: string;
}

/**
 * The items of a store that a backup has read so far, in a file: they come in the store's own order, and a file puts them
 * into that of their keys, however many they are.
 */
export class WorkingCopy implements Disposable {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#file = file;
    rmSync(file, { force: true });
    // Hashes of secrets are in it.
    closeSync(openSync(file, 'wx', 0o600));
    this.#database = new DatabaseSync(file);
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE items (
        pk TEXT NOT NULL, sk TEXT NOT NULL, late INTEGER NOT NULL, round INTEGER NOT NULL, item TEXT NOT NULL
      );
      CREATE UNIQUE INDEX place ON items (late, pk, sk);`);
  }

  /**
   * Keeps the items of a page.
   * @param round the reading that found them.
   * @returns the number of those which are new, or other than before, in the content that `contentOf` gives.
   */
  put(items: readonly WholeItem[], round: number, contentOf: (item: WholeItem) => string | undefined): number {
    const find = this.#database.prepare('SELECT item FROM items WHERE late = ? AND pk = ? AND sk = ?');
    const put = this.#database.prepare(
      `INSERT INTO items (late, pk, sk, round, item) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (late, pk, sk) DO UPDATE SET round = excluded.round, item = excluded.item`,
    );
    let changes = 0;
    this.#database.exec('BEGIN');
    for (const item of items) {
      const place = [Number(isEntrance(item)), item.pk, item.sk] as const;
      if (round > 1) {
        const found = find.get(...place) as { item: string } | undefined;
        const before = found && contentOf(JSON.parse(found.item));
        if (contentOf(item) !== before) changes += 1;
      }
      put.run(...place, round, JSON.stringify(item));
    }
    this.#database.exec('COMMIT');
    return changes;
  }

  /**
   * Forgets the items that a reading has not found any more.
   * @returns the number of those that had a content.
   */
  forgetBefore(round: number, contentOf: (item: WholeItem) => string | undefined): number {
    const rows = this.#database.prepare('SELECT item FROM items WHERE round < ?').all(round) as unknown as CopiedItem[];
    this.#database.prepare('DELETE FROM items WHERE round < ?').run(round);
    return rows.filter(({ item }) => contentOf(JSON.parse(item)) !== undefined).length;
  }

  get size(): number {
    return Number(this.#database.prepare('SELECT count(*) AS size FROM items').get()?.size);
  }

  /** All items, those by which somebody gets in last, else in the order of their keys. */
  items(): Iterable<CopiedItem> {
    const all = this.#database.prepare('SELECT pk, sk, item FROM items ORDER BY late, pk, sk');
    return all.iterate() as unknown as Iterable<CopiedItem>;
  }

  [Symbol.dispose](): void {
    this.#database.close();
    rmSync(this.#file, { force: true });
  }
}
