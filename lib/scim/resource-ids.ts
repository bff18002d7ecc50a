import type { Pointer } from '../entity/entity.ts';
import type { Request } from '../request.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryAll, readItems } from '../store/read.ts';

/** Lists the ids of the users or groups that the directory manages. */
export async function listManagedIds(request: Request, managed: Partition): Promise<number[]> {
  const items = await queryAll<Key>(request, managed, { attributes: ['sk'] });
  return items.map(({ sk }) => Number(sk));
}

/** Finds the ids of the users or groups that have claimed unique values, such as names. */
export async function findClaimingIds(request: Request, claims: readonly Key[]): Promise<number[]> {
  const pointers = await readItems<Key & Pointer<number>>(request, claims);
  return [...new Set(pointers.flatMap((pointer) => pointer?.id ?? []))];
}
