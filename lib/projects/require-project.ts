import { notFound } from '../errors.ts';
import { isHidden, type Request } from '../request.ts';
import { readItem } from '../store/read.ts';
import { isName } from '../values/primitives.ts';
import * as projectKeys from './keys.ts';

/**
 * Requires the project that a request refers to, if it names one. It lives in this file because projects depend on
 * things that may belong to one.
 * @throws ApiError 404 for an unknown project, and in the same words for one that the caller must not see.
 */
export async function requireProject(request: Request, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return;
  const found = isName(id) ? await readItem(request, projectKeys.project(id)) : undefined;
  if (found === undefined || isHidden(request, id)) throw notFound('project', id);
}
