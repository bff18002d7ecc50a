import type { Actor } from '../events/actor.ts';
import { deleteUser } from '../people/administer-users.ts';
import type { Request } from '../request.ts';
import * as signInKeys from './keys.ts';
import { allSessionsEnded } from './sessions.ts';

/**
 * Deletes a user with their sessions, their password and their tokens; processes that have seen them lately trust them
 * for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 for an unknown user; 400 if nobody would be an Admin; 412 by `If-Match`.
 */
export function deleteUserWhoSignsIn(request: Request, actor: Actor, id: number): Promise<void> {
  return deleteUser(request, actor, id, async () => [
    { remove: signInKeys.signIn(id) },
    { remove: signInKeys.claimedAddress(id) },
    ...(await allSessionsEnded(request, id)),
  ]);
}
