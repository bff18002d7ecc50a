import { ApiError } from '../errors.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import type { Write } from '../table/write.ts';

/** What is deleted at once, and with time all that belonged to it. */
export type Removable = 'project' | 'environment';

/** The write, in the transaction that deletes a thing, which says that more is to be removed. */
export function removalBegun(kind: Removable, id: string): Write {
  return { put: keys.removal(kind, id), item: {}, when: 'absent' };
}

/** Whether things that belonged to a deleted one may still be there. */
export async function isInRemoval(table: Table, kind: Removable, id: string): Promise<boolean> {
  return (await readItem(table, keys.removal(kind, id))) !== undefined;
}

/** The condition under which nothing is left of an earlier thing of that id. */
export function notInRemoval(kind: Removable, id: string): Write {
  const otherwise = () => new ApiError('ConflictError', `The ${kind} "${id}" is still being deleted; try again.`);
  return { check: keys.removal(kind, id), when: 'absent', otherwise };
}

/** Says that nothing is left, as the last transaction of a request. */
export function completeRemoval(table: Table, kind: Removable, id: string): Promise<void> {
  return transact(table, [{ remove: keys.removal(kind, id) }], undefined);
}

/** For steps before the last one: the receipt and the precondition of a request are for the whole of it. */
export function forSteps({ receipt: _receipt, expectedVersions: _versions, ...table }: Table): Table {
  return table;
}
