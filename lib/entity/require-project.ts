import { notFound } from '../errors.ts';
import { isName } from '../schemas/primitives.ts';
import * as keys from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { isUnseen, type Table } from '../table/table.ts';

/**
 * Requires a project that a request names besides what it changes, if it names one. It stands here because projects rest on
 * things that may belong to one.
 * @throws ApiError 404 for an unknown project, and in the same words for one that the holder of the table must not see.
 */
export async function requireProject(table: Table, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  const found = isName(id) ? await readItem(table, keys.project(id)) : undefined;
  if (found === undefined || isUnseen(table, id)) throw notFound('project', id);
}
