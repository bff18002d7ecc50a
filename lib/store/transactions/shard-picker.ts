import { randomInt } from 'node:crypto';
import { type Key, keyText } from '../client/definition.ts';

/**
 * Deals out items of which any will do. Two transactions in flight that touch the same item conflict: of this process no
 * two do, and those of different processes seldom.
 */
export class ShardPicker {
  readonly #taken = new Set<string>();
  /** Processes begin anywhere, so that they do not follow each other. */
  #turn = randomInt(2 ** 31);

  /** Takes the next one that is free, or the next one where all are taken. */
  take(items: readonly Key[]): Disposable & { readonly key: Key } {
    this.#turn += 1;
    const next = (step: number) => items[(this.#turn + step) % items.length] as Key;
    let step = 0;
    while (step < items.length && this.#taken.has(keyText(next(step)))) step += 1;
    const key = next(step);
    this.#turn += step % items.length;
    const id = keyText(key);
    this.#taken.add(id);
    return { key, [Symbol.dispose]: () => void this.#taken.delete(id) };
  }
}
