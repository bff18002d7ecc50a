import type { ApiAddress } from './address.ts';
import { peek, reload } from './cache.ts';
import type { Versioned } from './save-edits.ts';

/** Reads an address again, as a form edits it, with its version; undefined if it is gone. */
export async function loadVersioned<T, E>(
  path: ApiAddress<T>,
  toEdits: (value: T) => E,
): Promise<Versioned<E> | undefined> {
  await reload(path);
  const { value, etag } = peek(path);
  return value === undefined ? undefined : { value: toEdits(value), etag };
}
