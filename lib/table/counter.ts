import { type CounterName, keys } from './keys.ts';
import { readItem } from './read.ts';
import type { Table } from './table.ts';

/**
 * The highest number that a counter has given out; 0 where it has given none. Whoever reads it before everything else
 * and uses the next number under the condition that nothing bears it yet cannot overlook what another writer adds at
 * the same time.
 */
export async function readCounter(table: Table, name: CounterName): Promise<number> {
  const counter = await readItem<{ value: number }>(table, keys.counter(name));
  return counter?.value ?? 0;
}
