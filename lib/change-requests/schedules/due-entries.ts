import type { Key } from '../../store/client/definition.ts';

/** An entry of an index by time: the id of a request, and its time. */
export interface DueEntry {
  readonly id: number;
  readonly at: string;
}

/** Reads the entry from an item of the index. */
export function parseDue({ sk }: Pick<Key, 'sk'>): DueEntry {
  const [at = '', id] = sk.split('#');
  return { id: Number(id), at };
}
