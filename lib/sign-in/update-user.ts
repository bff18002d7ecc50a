import type { Actor } from '../events/actor.ts';
import { type UserFields, updateUser } from '../people/administer-users.ts';
import type { Request } from '../request.ts';
import { linksEnded, loadRecord } from './passwords/records.ts';

/**
 * Changes a user. With another e-mail address, the links end by which they may choose a password: these may have been mailed
 * to the one before, which may be somebody else's.
 * @throws ApiError as `updateUser`.
 */
export function updateUserWhoSignsIn(request: Request, actor: Actor, id: number, fields: UserFields) {
  return updateUser(request, actor, id, fields, async () => {
    const record = await loadRecord(request, id);
    return (before, after) => (before.email === after.email ? [] : linksEnded(id, record));
  });
}
