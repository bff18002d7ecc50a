import { createHash } from 'node:crypto';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';

/** Identifies this store for as long as it exists. */
export async function instanceIdOf(request: Request): Promise<string> {
  const seeded = await readItem<{ seededAt: string }>(request, keys.seeded());
  return createHash('sha256').update(`${request.store.name} ${seeded?.seededAt}`).digest('hex').slice(0, 32);
}
