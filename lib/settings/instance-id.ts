import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';
import { sha256 } from '../values/sha256.ts';

/** Loads an id of this store, which stays the same as long as the store exists. */
export async function loadInstanceId(request: Request): Promise<string> {
  const seeded = await readItem<{ seededAt: string }>(request, keys.seeded());
  return sha256(`${request.store.name} ${seeded?.seededAt}`).slice(0, 32);
}
