import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import * as markKeys from './keys.ts';

/**
 * Removes the marks of the environments of a project in which changes need approval: in one transaction, since a project has
 * fewer environments than a transaction has writes.
 */
export async function removeProtection(request: Request, project: string): Promise<void> {
  const marks = await queryAll<Key>(request, markKeys.protectedEnvironments(project));
  await transact(
    request,
    marks.map(({ pk, sk }) => ({ remove: { pk, sk } })),
    undefined,
  );
}
