import { change } from '../entity/change.ts';
import { type Effects, noEffects, together } from '../entity/step.ts';
import { forSteps, inParts, tooMuch } from '../entity/steps.ts';
import type { Actor } from '../events/actor.ts';
import { buildTokenRemoval, removeTokens, type Token } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { type Versioned, type Versions, versionAfter } from '../store/transactions/versioned.ts';

/** Number of tokens removed in the transaction that removes their account; further ones are removed before. */
const tokensAtOnce = 30;

/** Deletion of an account: its reads, and its writes besides the removal of the tokens. */
interface AccountDeletion<Found> {
  readonly key: Key;
  /** Its tokens. Whoever makes one changes the item under the key, so that a deletion at the same moment sees it. */
  readonly tokens: () => Promise<readonly Versioned<Token>[]>;
  readonly read: () => Promise<Found>;
  readonly revisionOf: (found: Found) => Versions;
  /** Throws if the account has to stay. */
  readonly removal: (found: Found) => Effects;
  /** Returns the removal of roles that do not fit into one transaction with the account. */
  readonly lessened?: (found: Found) => Effects | undefined;
}

/**
 * Deletes an account and its tokens in one transaction. Roles and tokens that exceed it are removed before, once it is certain
 * that the account may be deleted.
 * @throws ApiError what `read` and `removal` throw; 412 by `If-Match`.
 */
export function deleteAccount<Found>(
  request: Request,
  actor: Actor,
  { key, tokens, read, revisionOf, removal, lessened }: AccountDeletion<Found>,
): Promise<void> {
  type Read = readonly [Found, readonly Versioned<Token>[]];
  let excess: readonly Versioned<Token>[] = [];
  const changing = {
    of: [key],
    likelyEvents: 2,
    read: (): Promise<Read> => Promise.all([read(), tokens()]),
    revisionOf: ([found]: Read) => revisionOf(found),
  };
  const whole = (ours: Request) =>
    change<Read, undefined | typeof tooMuch>(ours, actor, {
      ...changing,
      decide: ([found, all]) => {
        const removed = removal(found);
        excess = all.slice(tokensAtOnce);
        const isTooMuch = excess.length > 0 || lessened?.(found) !== undefined;
        if (isTooMuch) return { ...noEffects, result: tooMuch };
        return { ...together([...all.map(buildTokenRemoval), removed]), result: undefined };
      },
    });
  const part = async (ours: Request) => {
    const decide = ([found]: Read) => {
      const effects = lessened?.(found) ?? noEffects;
      return { ...effects, result: versionAfter(revisionOf(found), effects).version };
    };
    const version = await change(ours, actor, { ...changing, decide });
    await removeTokens(forSteps(ours), actor, excess);
    return version;
  };
  return inParts(request, whole, part);
}
