import { randomInt } from 'node:crypto';
import { type Key, keyText } from '../client/definition.ts';

/**
 * Picks one of several shards for a write. Two concurrent transactions that write the same item conflict: transactions of this
 * process never pick the same shard while another is free, and those of different processes seldom do.
 */
export class ShardPicker {
  readonly #taken = new Set<string>();
  /** The start is random, so that processes do not pick in step. */
  #turn = randomInt(2 ** 31);

  /** Takes the next free shard, or just the next one if none is free. Disposing of the result frees it. */
  take(items: readonly Key[]): Disposable & { readonly key: Key } {
    this.#turn += 1;
    const itemAt = (offset: number) => items[(this.#turn + offset) % items.length] as Key;
    let offset = 0;
    while (offset < items.length && this.#taken.has(keyText(itemAt(offset)))) offset += 1;
    const key = itemAt(offset);
    this.#turn += offset % items.length;
    const id = keyText(key);
    this.#taken.add(id);
    return { key, [Symbol.dispose]: () => void this.#taken.delete(id) };
  }
}
