import { keyText } from '../store/client/definition.ts';
import type { Write } from '../store/transactions/write.ts';

/** Splits steps where one changes an item of an earlier one: a transaction takes each item once. */
export function untilRepeated<T extends { readonly writes: readonly Write[] }>(steps: readonly T[]): T[][] {
  const runs: T[][] = [[]];
  let items = new Set<string>();
  for (const step of steps) {
    const own = step.writes.flatMap((write) => ('put' in write ? keyText(write.put) : []));
    if (own.some((item) => items.has(item))) {
      runs.push([]);
      items = new Set();
    }
    runs.at(-1)?.push(step);
    for (const item of own) items.add(item);
  }
  return runs;
}
