import type { Pointer } from '../entity/entity-definition.ts';
import type { Request } from '../request.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryAll, readItems } from '../store/read.ts';

/** Lists the ids of the users or groups that the directory manages. */
export async function listManagedIds(request: Request, managed: Partition): Promise<number[]> {
  const items = await queryAll<Key>(request, managed, { attributes: ['sk'] });
  return items.map(({ sk }) => Number(sk));
}

/** Finds the ids of the users or groups that have unique values, such as names, by the keys that reserve these values. */
export async function findIdsByUniqueKeys(request: Request, keys: readonly Key[]): Promise<number[]> {
  const pointers = await readItems<Key & Pointer<number>>(request, keys);
  return [...new Set(pointers.flatMap((pointer) => pointer?.id ?? []))];
}
