import { createHash } from 'node:crypto';
import * as keys from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/** Identifies this store for as long as it exists. */
export async function instanceIdOf(table: Table): Promise<string> {
  const seeded = await readItem<{ seededAt: string }>(table, keys.seeded());
  return createHash('sha256').update(`${table.name} ${seeded?.seededAt}`).digest('hex').slice(0, 32);
}
