import { randomInt } from 'node:crypto';
import type { Key } from './keys.ts';

/**
 * Deals out items of which any will do. Two transactions in flight that touch the same item conflict: of this process no
 * two do, and those of different processes seldom.
 */
export class Rotation {
  readonly #taken = new Set<string>();
  /** Processes begin anywhere, so that they do not follow each other. */
  #turn = randomInt(2 ** 31);

  /** Takes the next one that is free, or the next one where all are taken. */
  take(items: readonly Key[]): Disposable & { readonly key: Key } {
    this.#turn += 1;
    const ordered = items.map((_, index) => items[(this.#turn + index) % items.length] as Key);
    const steps = Math.max(
      0,
      ordered.findIndex((item) => !this.#taken.has(idOf(item))),
    );
    this.#turn += steps;
    const key = ordered[steps] as Key;
    const id = idOf(key);
    this.#taken.add(id);
    return { key, [Symbol.dispose]: () => void this.#taken.delete(id) };
  }
}

function idOf({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}
