import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { buildSessionRemovals, listSessions, parseSessionSecret } from '../sign-in/sessions.ts';
import { transact } from '../store/transactions/transact.ts';
import { isUnexpired } from '../values/time.ts';
import type { ConsoleSessions } from './sessions-schema.ts';

/**
 * Loads the sessions of a person, the newest first.
 * @param secret the cookie of the request; undefined for a token.
 */
export async function loadOwnSessions(
  request: Request,
  { id }: Pick<Actor, 'id'>,
  secret: string | undefined,
): Promise<ConsoleSessions> {
  const current = secret === undefined ? undefined : parseSessionSecret(secret)?.hash;
  const sessions = (await listSessions(request, id)).filter(isUnexpired).toReversed();
  return {
    sessions: sessions.map(({ hash, createdAt, expiresAtSeconds }) => ({
      createdAt,
      expiresAt: new Date(expiresAtSeconds * 1_000).toISOString(),
      isCurrent: hash === current,
    })),
  };
}

/**
 * Ends all sessions of a person but that of the request. Other processes may accept them for a few more seconds.
 * @param secret the cookie of the request; undefined for a token, which ends all.
 */
export async function endOtherSessions(
  request: Request,
  { id }: Pick<Actor, 'id'>,
  secret: string | undefined,
): Promise<void> {
  await transact(request, await buildSessionRemovals(request, id, secret), undefined);
}
