import { change } from '../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../entity/effects.ts';
import { forLaterPhases, runInParts, tooLargeForTransaction } from '../entity/phases.ts';
import type { Actor } from '../events/actor.ts';
import { buildTokenRemoval, removeTokens, type Token } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { type Versioned, type Versions, versionAfter } from '../store/transactions/versioned.ts';

/** Tokens that the transaction with their account deletes; further ones are deleted before. */
const lastTokensMax = 30;

/** The deletion of an account: its reads, and its writes except those of tokens. */
interface AccountDeletion<State> {
  readonly key: Key;
  /** Loads its tokens. Creating one changes the item under `key`, so that a concurrent deletion notices it. */
  readonly tokens: () => Promise<readonly Versioned<Token>[]>;
  readonly read: () => Promise<State>;
  readonly revisionOf: (state: State) => Versions;
  /** Throws if the account must not be deleted. */
  readonly removal: (state: State) => Effects;
  /** Builds the removal of roles that do not fit into the transaction with the account. */
  readonly partialRemoval?: (state: State) => Effects | undefined;
}

/**
 * Deletes an account and its tokens in one transaction. Roles and tokens that do not fit into it are removed before, after a check
 * that the account may be deleted.
 * @throws ApiError what `read` and `removal` throw; 412 if `If-Match` does not match.
 */
export function deleteAccount<State>(
  request: Request,
  actor: Actor,
  { key, tokens, read, revisionOf, removal, partialRemoval }: AccountDeletion<State>,
): Promise<void> {
  type Read = readonly [State, readonly Versioned<Token>[]];
  let excess: readonly Versioned<Token>[] = [];
  const common = {
    items: [key],
    likelyEvents: 2,
    read: (): Promise<Read> => Promise.all([read(), tokens()]),
    revisionOf: ([state]: Read) => revisionOf(state),
  };
  const changeAll = (step: Request) =>
    change<Read, undefined | typeof tooLargeForTransaction>(step, actor, {
      ...common,
      decide: ([state, all]) => {
        const effects = removal(state);
        excess = all.slice(lastTokensMax);
        const isTooMuch = excess.length > 0 || partialRemoval?.(state) !== undefined;
        if (isTooMuch) return { ...noEffects, result: tooLargeForTransaction };
        return { ...mergeEffects([...all.map(buildTokenRemoval), effects]), result: undefined };
      },
    });
  const changePart = async (step: Request) => {
    const decide = ([state]: Read) => {
      const effects = partialRemoval?.(state) ?? noEffects;
      return { ...effects, result: versionAfter(revisionOf(state), effects).version };
    };
    const version = await change(step, actor, { ...common, decide });
    await removeTokens(forLaterPhases(step), actor, excess);
    return version;
  };
  return runInParts(request, changeAll, changePart);
}
