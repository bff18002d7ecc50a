import type { Key } from '../../store/client/definition.ts';

/** A due index entry: the id of a request, and its time. */
export interface DueEntry {
  readonly id: number;
  readonly at: string;
}

/** Returns the entry of an item of an index. */
export function parseDue({ sk }: Pick<Key, 'sk'>): DueEntry {
  const [at = '', id] = sk.split('#');
  return { id: Number(id), at };
}

/** Returns the end of the sort keys that are due. With the ~, entries of this very millisecond, which have a longer key, are due, too. */
export function dueUntil(now: Date): string {
  return `${now.toISOString()}~`;
}
