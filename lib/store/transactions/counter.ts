import * as keys from '../keys.ts';
import { readItem } from '../read.ts';
import type { Work } from '../work.ts';

/**
 * The highest number that a counter has given out; 0 where it has given none. Read it before everything else, and use the
 * next number on the condition that it is still free: then nothing that another writer adds meanwhile is missed.
 */
export async function readCounter(work: Work, name: string): Promise<number> {
  const counter = await readItem<{ value: number }>(work, keys.counter(name));
  return counter?.value ?? 0;
}
