import { type Effects, mergeEffects } from '../../entity/effects.ts';
import { directoryActor } from '../../events/actor.ts';
import type { User } from '../../identity/users.ts';
import { loadOtherAdminCheck } from '../../people/administer-users.ts';
import type { Request } from '../../request.ts';
import { buildAccessEnd } from '../../sign-in/users-who-sign-in.ts';

/**
 * Loads the effects of the deactivation of a user; undefined if they stay active, or were deactivated before.
 * @throws ApiError 400 for the last Admin.
 */
export async function loadAccessEnd(
  request: Request,
  user: User,
  { active }: { readonly active?: boolean },
): Promise<Effects | undefined> {
  if (user.isDeactivated || active !== false) return undefined;
  const [ending, otherAdmin] = await Promise.all([
    buildAccessEnd(request, directoryActor, user.id),
    loadOtherAdminCheck(request, user),
  ]);
  return mergeEffects([{ writes: otherAdmin, events: [] }, ending]);
}
