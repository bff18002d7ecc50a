import { forSteps } from '../entity/steps.ts';
import { ifThere } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type User, users } from '../people/users.ts';
import type { Request } from '../request.ts';
import { tokens } from '../tokens/tokens.ts';
import { isAlive } from '../values/expiry.ts';
import { deleteUserWhoSignsIn } from './delete-user.ts';
import { listSessions } from './sessions.ts';

/** A user is inactive after so long without a sign-in: Unleash's 180 days. */
const inactiveAfterMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Lists the users who have not signed in for 180 days and have neither a valid personal access token, since reads with such
 * a token are not recorded, nor a session, which goes on for as long as it is used.
 */
export async function listInactive(request: Request): Promise<User[]> {
  const now = Date.now();
  const [all, ofAll] = await Promise.all([users.list(request), tokens.list(request)]);
  const isGood = (expiresAt: string | undefined) => expiresAt === undefined || Date.parse(expiresAt) > now;
  const holders = new Set(ofAll.filter(({ expiresAt }) => isGood(expiresAt)).map(({ userId }) => userId));
  const unseen = all.filter(
    ({ id, createdAt, seenAt = createdAt }) => !holders.has(id) && now - Date.parse(seenAt) > inactiveAfterMs,
  );
  const sessions = await Promise.all(unseen.map(({ id }) => request.store.limiter(() => listSessions(request, id))));
  return unseen.filter((_, index) => sessions[index]?.some(isAlive) !== true);
}

/**
 * Deletes users, each in a transaction of its own; those who are gone already are left out, so that it completes when
 * it is sent again, and so is who asks for it.
 * @throws ApiError 400 if nobody would be an Admin; those before them are deleted.
 */
export async function deleteUsers(request: Request, actor: Actor, ids: readonly number[]): Promise<void> {
  const found = await users.some(
    request,
    ids.filter((id) => id !== actor.id),
  );
  // What the request results in is known only after the last of them.
  const each = forSteps(request);
  for (const id of found.keys()) await ifThere(deleteUserWhoSignsIn(each, actor, id));
}
