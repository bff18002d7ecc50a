import type { ApiAddress } from './address.ts';
import { peek, reload } from './cache.ts';
import type { Versioned } from './save-edits.ts';

/** Returns the known state of an address as a form edits it, with its version. */
export function peekVersioned<T, E>(path: ApiAddress<T>, toEdits: (value: T) => E): Versioned<E> | undefined {
  const { value, etag } = peek(path);
  return value === undefined ? undefined : { value: toEdits(value), etag };
}

/** Reads an address again, as a form edits it, with its version; undefined if it is gone. */
export async function loadVersioned<T, E>(
  path: ApiAddress<T>,
  toEdits: (value: T) => E,
): Promise<Versioned<E> | undefined> {
  await reload(path);
  return peekVersioned(path, toEdits);
}
