import { change } from '../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../entity/effects.ts';
import { forLaterPhases } from '../entity/phases.ts';
import { systemUser } from '../events/actor.ts';
import { forgetUser } from '../identity/caller.ts';
import { buildTokenRemoval, loadTokensOfUser, removeTokens } from '../identity/tokens/tokens.ts';
import { users } from '../identity/users.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import type { Write } from '../store/transactions/write.ts';
import * as signInKeys from './keys.ts';
import { buildPasswordEvent } from './passwords/passwords.ts';
import { buildRecordChange, loadRecord } from './passwords/records.ts';
import { buildSessionRemovals } from './sessions.ts';

/** The number of tokens that are removed in one transaction, with an event each. Further ones are removed before it. */
const maxTokens = 20;

/** Returns the write that marks the address of a user as unverified. Users get no mail to confirm it. */
export function buildAddressClaim(userId: number): Write {
  return { put: signInKeys.claimedAddress(userId), item: {}, when: 'absent' };
}

/** Returns true if the address of a user is unverified. */
export async function isAddressClaimed(request: Request, userId: number): Promise<boolean> {
  return (await readItem<Key>(request, signInKeys.claimedAddress(userId))) !== undefined;
}

/**
 * Returns the effects of proving the address of a user. If it was unverified, another person may have claimed it, so earlier tokens are
 * removed. Tokens that do not fit into the transaction are removed at once.
 * @throws ApiError 404 for an unknown user.
 */
export async function buildClaimEnd(request: Request, userId: number): Promise<Effects> {
  const [isClaimed, { version }, tokens] = await Promise.all([
    isAddressClaimed(request, userId),
    users.load(request, userId),
    loadTokensOfUser(request, userId),
  ]);
  if (!isClaimed) return noEffects;
  await removeTokens(forLaterPhases(request), systemUser, tokens.slice(maxTokens));
  const writes: Write[] = [
    { remove: signInKeys.claimedAddress(userId), when: 'present' },
    // Each new token of the user raises the version.
    { check: users.keyOf(userId), when: { version } },
  ];
  return mergeEffects([{ writes, events: [] }, ...tokens.slice(0, maxTokens).map(buildTokenRemoval)]);
}

/**
 * Records that the address of a user is their own, after an identity provider has confirmed it. Another person may have claimed it before,
 * so the earlier password, links, sessions and tokens are removed in the same transaction. Processes that used these recently accept
 * them for a few more seconds (see `identityTrustMs`).
 * @throws ApiError 404 for an unknown user.
 */
export async function confirmAddress(request: Request, userId: number): Promise<void> {
  await change(forLaterPhases(request), systemUser, {
    items: [signInKeys.signIn(userId)],
    likelyEvents: 1 + maxTokens,
    read: async () => {
      const [claim, record, user] = await Promise.all([
        buildClaimEnd(request, userId),
        loadRecord(request, userId),
        users.load(request, userId),
      ]);
      // Sessions are read after the record, which every sign-in changes, so that no new session is missed.
      const sessionRemovals = await buildSessionRemovals(request, userId);
      return { claim, record, user, sessionRemovals };
    },
    revisionOf: () => undefined,
    decide: ({ claim, record, user: { value: user }, sessionRemovals }) => {
      if (claim.writes.length === 0) return { ...noEffects, result: undefined };
      const writes = [buildRecordChange(userId, record, {}), ...sessionRemovals];
      return {
        ...mergeEffects([{ writes, events: [buildPasswordEvent(user, record, undefined)] }, claim]),
        result: undefined,
      };
    },
  });
  forgetUser(request, userId);
}
