import { change, type Effects, noEffects, together } from '../entity/change.ts';
import { forSteps } from '../entity/steps.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import type { Versioned, Versions } from '../store/transactions/versioned.ts';
import { removeTokens, type Token, tokenRemoved } from '../tokens/tokens.ts';

/** Number of tokens removed in the transaction that removes their account; further ones are removed before. */
const tokensAtOnce = 40;

/** Deletion of an account: its reads, and its writes besides the removal of the tokens. */
interface AccountDeletion<Found> {
  readonly key: Key;
  /** Its tokens. Whoever makes one changes the item under the key, so that a deletion at the same moment sees it. */
  readonly tokens: () => Promise<readonly Versioned<Token>[]>;
  readonly read: () => Promise<Found>;
  readonly revisionOf: (found: Found) => Versions;
  /** Throws if the account has to stay. */
  readonly removal: (found: Found) => Effects;
}

/**
 * Deletes an account and its tokens in one transaction. Tokens that exceed it are removed before, once it is certain
 * that the account may be deleted.
 * @throws ApiError what `read` and `removal` throw; 412 by `If-Match`.
 */
export async function deleteAccount<Found>(
  request: Request,
  actor: Actor,
  { key, tokens, read, revisionOf, removal }: AccountDeletion<Found>,
): Promise<void> {
  for (let excess: readonly Versioned<Token>[] | undefined; excess?.length !== 0; ) {
    await change(request, actor, {
      of: [key],
      likelyEvents: 2,
      read: () => Promise.all([read(), tokens()]),
      revisionOf: ([found]) => revisionOf(found),
      decide: ([found, all]) => {
        const removed = removal(found);
        excess = all.slice(tokensAtOnce);
        const effects = excess.length > 0 ? noEffects : together([...all.map(tokenRemoved), removed]);
        return { ...effects, result: undefined };
      },
    });
    await removeTokens(forSteps(request), actor, excess ?? []);
  }
}
