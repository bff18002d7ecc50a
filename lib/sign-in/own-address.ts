import { change, noEffects, together } from '../entity/change.ts';
import { forSteps } from '../entity/steps.ts';
import { systemUser } from '../events/actor.ts';
import { forgetUser } from '../people/rights/caller.ts';
import { users } from '../people/users.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';
import type { Write } from '../store/transactions/write.ts';
import { loadTokensOf, removeTokens, tokenRemoved } from '../tokens/tokens.ts';
import { passwordChanged } from './passwords/passwords.ts';
import { loadRecord, recordChanged } from './passwords/records.ts';
import { allSessionsEnded } from './sessions.ts';

/** Number of tokens removed per transaction, with an event each; further ones are removed before. */
const tokensAtOnce = 20;

/** Returns the write that marks the address of a user as unverified: no mail asks them to confirm it. */
export function addressClaimed(userId: number): Write {
  return { put: keys.claimedAddress(userId), item: {}, when: 'absent' };
}

/** Tells whether the address of a user is unverified. */
export async function isAddressClaimed(request: Request, userId: number): Promise<boolean> {
  return (await readItem<Key>(request, keys.claimedAddress(userId))) !== undefined;
}

/**
 * Records that the address of a user is theirs, once an identity provider vouches for it. Another person may have
 * claimed it before, so the password, the link, the sessions and the tokens from then end in the same transaction;
 * processes that have seen them lately trust them for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 404 for an unknown user.
 */
export async function addressProven(request: Request, userId: number): Promise<void> {
  await change(forSteps(request), systemUser, {
    of: [keys.signIn(userId)],
    likelyEvents: 1 + tokensAtOnce,
    read: async () => {
      const [isClaimed, record, user, tokens] = await Promise.all([
        isAddressClaimed(request, userId),
        loadRecord(request, userId),
        users.load(request, userId),
        loadTokensOf(request, userId),
      ]);
      if (isClaimed) await removeTokens(forSteps(request), systemUser, tokens.slice(tokensAtOnce));
      // Read after the record, which every sign-in raises, so that no session begins unseen.
      const ended = await allSessionsEnded(request, userId);
      return { isClaimed, record, user, tokens: tokens.slice(0, tokensAtOnce), ended };
    },
    revisionOf: () => undefined,
    decide: ({ isClaimed, record, user: { value: user, version }, tokens, ended }) => {
      if (!isClaimed) return { ...noEffects, result: undefined };
      const writes: Write[] = [
        { remove: keys.claimedAddress(userId), when: 'present' },
        recordChanged(userId, record, {}),
        // Each new token of theirs raises it.
        { check: users.keyOf(userId), when: { version } },
        ...ended,
      ];
      const freed = { writes, events: [passwordChanged(user, record, undefined)] };
      return { ...together([freed, ...tokens.map(tokenRemoved)]), result: undefined };
    },
  });
  forgetUser(request, userId);
}
