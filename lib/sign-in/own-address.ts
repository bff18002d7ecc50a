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
import { passwordChanged } from './passwords/passwords.ts';
import { loadRecord, recordChanged } from './passwords/records.ts';
import { allSessionsEnded } from './sessions.ts';

/** Number of tokens removed per transaction, with an event each; further ones are removed before. */
const tokensAtOnce = 20;

/** Returns the write that marks the address of a user as unverified: no mail asks them to confirm it. */
export function addressClaimed(userId: number): Write {
  return { put: signInKeys.claimedAddress(userId), item: {}, when: 'absent' };
}

/** Tells whether the address of a user is unverified. */
export async function isAddressClaimed(request: Request, userId: number): Promise<boolean> {
  return (await readItem<Key>(request, signInKeys.claimedAddress(userId))) !== undefined;
}

/**
 * Returns the effects on an account of its address being proven: where that was unverified, another person may have claimed
 * it, so that the tokens from then end. Those beyond what a transaction takes are removed at once.
 * @throws ApiError 404 for an unknown user.
 */
export async function claimEnded(request: Request, userId: number): Promise<Effects> {
  const [isClaimed, { version }, tokens] = await Promise.all([
    isAddressClaimed(request, userId),
    users.load(request, userId),
    loadTokensOfUser(request, userId),
  ]);
  if (!isClaimed) return noEffects;
  await removeTokens(forLaterPhases(request), systemUser, tokens.slice(tokensAtOnce));
  const writes: Write[] = [
    { remove: signInKeys.claimedAddress(userId), when: 'present' },
    // Each new token of theirs raises it.
    { check: users.keyOf(userId), when: { version } },
  ];
  return mergeEffects([{ writes, events: [] }, ...tokens.slice(0, tokensAtOnce).map(buildTokenRemoval)]);
}

/**
 * Records that the address of a user is theirs, once an identity provider vouches for it. Another person may have
 * claimed it before, so the password, the link, the sessions and the tokens from then end in the same transaction;
 * processes that have seen them lately trust them for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 for an unknown user.
 */
export async function addressProven(request: Request, userId: number): Promise<void> {
  await change(forLaterPhases(request), systemUser, {
    of: [signInKeys.signIn(userId)],
    likelyEvents: 1 + tokensAtOnce,
    read: async () => {
      const [claim, record, user] = await Promise.all([
        claimEnded(request, userId),
        loadRecord(request, userId),
        users.load(request, userId),
      ]);
      // Read after the record, which every sign-in raises, so that no session begins unseen.
      const ended = await allSessionsEnded(request, userId);
      return { claim, record, user, ended };
    },
    revisionOf: () => undefined,
    decide: ({ claim, record, user: { value: user }, ended }) => {
      if (claim.writes.length === 0) return { ...noEffects, result: undefined };
      const writes = [recordChanged(userId, record, {}), ...ended];
      return {
        ...mergeEffects([{ writes, events: [passwordChanged(user, record, undefined)] }, claim]),
        result: undefined,
      };
    },
  });
  forgetUser(request, userId);
}
