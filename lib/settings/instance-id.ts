import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';
import { sha256 } from '../values/sha256.ts';

/** Identifies this store for as long as it exists. */
export async function instanceIdOf(request: Request): Promise<string> {
  const seeded = await readItem<{ seededAt: string }>(request, keys.seeded());
  return sha256(`${request.store.name} ${seeded?.seededAt}`).slice(0, 32);
}
