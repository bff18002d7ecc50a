import { randomBytes } from 'node:crypto';

/** A server that is measured several times must not know the names of a later run yet. */
const run = randomBytes(3).toString('hex');
let count = 0;

/** Returns a name that nothing has yet. */
export function freshName(kind = 'feature'): string {
  count += 1;
  return `${kind}-${run}-${count}`;
}

export function freshNames(amount: number, kind?: string): string[] {
  return times(amount, () => freshName(kind));
}

/** Returns the results of `make` for 0, 1, 2, … */
export function times<T>(amount: number, make: (index: number) => T): T[] {
  return Array.from({ length: amount }, (_, index) => make(index));
}

/** Lists of `size` each, the last one of what is left. */
export function slicesOf<T>(items: readonly T[], size: number): T[][] {
  return times(Math.ceil(items.length / size), (index) => items.slice(index * size, (index + 1) * size));
}
