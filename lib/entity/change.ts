import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import type { Versions } from '../store/transactions/versioned.ts';
import type { ChangeUnit, Effects, FlagRequest } from './effects.ts';
import { type AuthorOf, writeInLoop } from './write-loop.ts';
import { inOneTransaction } from './write-strategy.ts';

/** The decision about a change. Without writes and events, nothing is stored. */
export interface Decision<Result> extends Effects, Pick<ChangeUnit, 'record'> {
  /** The result of the request, which its idempotency record keeps for a repeat. */
  readonly result: Result;
}

/** The decision about a change of a feature or a segment. */
export interface FlagDecision<Result> extends Decision<Result>, Pick<ChangeUnit, 'flag'> {}

/** A change: a read, and a decision about what to write. */
export interface Change<Loaded, Outcome> {
  /** The items that it depends on. After a lost race, writers of the same item in this process queue. */
  readonly items: readonly Key[];
  /** The name of the changed thing in errors, such as `feature "checkout"`. */
  readonly subject?: string;
  /** The expected number of events, 1 by default. More events than expected cost another call to the counter. */
  readonly likelyEvents?: number;
  readonly read: () => Promise<Loaded>;
  /**
   * Returns the version for `If-Match`, and the last event id, which new ids must exceed: ids are taken during the read, and another
   * writer may have used higher ones. Undefined if the thing does not exist yet.
   */
  readonly revisionOf: (loaded: Loaded) => Versions | undefined;
  /** The thing that `If-Match` concerns, if it is not the changed one. The writes must then include a condition on its version. */
  readonly expected?: { readonly subject: string; readonly revisionOf: (loaded: Loaded) => Versions | undefined };
  /**
   * Decides without side effects, since another attempt decides again.
   * @param at the time of the change and all its events.
   */
  readonly decide: (loaded: Loaded, at: string) => Outcome;
}

/**
 * Changes one thing, in one transaction with its events and its idempotency record.
 * @throws ApiError everything that `read`, the author function and `decide` throw; 412 if the caller expects another version; 400 if
 * the change exceeds a transaction; 503 if the items stay contended for seconds.
 */
export function change<Loaded, Result>(
  request: Request,
  author: AuthorOf<Loaded>,
  definition: Change<Loaded, Decision<Result>>,
): Promise<Result> {
  return changeOnce(request, author, definition);
}

/** Changes a feature or a segment like `change`, together with the effects on scheduled change requests. */
export function changeFlag<Loaded, Result>(
  request: FlagRequest,
  author: AuthorOf<Loaded>,
  definition: Change<Loaded, FlagDecision<Result>>,
): Promise<Result> {
  return changeOnce(request, author, definition);
}

function changeOnce<Loaded, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Loaded>,
  { items, subject, likelyEvents, read, revisionOf, expected, decide }: Change<Loaded, FlagDecision<Result>>,
): Promise<Result> {
  return writeInLoop<Loaded, Result>(request, author, {
    strategy: inOneTransaction,
    items,
    likelyEvents,
    read,
    decide: (loaded, at) => {
      const { result, ...decision } = decide(loaded, at);
      const revision = revisionOf(loaded);
      requireExpectedVersion(
        request,
        (expected ? expected.revisionOf(loaded) : revision)?.version,
        expected?.subject ?? subject,
      );
      const isEmpty = decision.writes.length + decision.events.length === 0;
      return {
        units: isEmpty ? [] : [[{ subject: subject ?? 'change', lastEventId: revision?.lastEventId, ...decision }]],
        result,
      };
    },
  });
}

/**
 * Checks the version of a thing against `If-Match`. Call it after the decision: a request that fails anyway must ignore the
 * precondition (RFC 9110, section 13.2.1).
 * @param subject the name of the thing.
 * @throws ApiError 412 if the caller expects other versions.
 */
export function requireExpectedVersion(
  { expectedVersions }: Request,
  version: number | undefined,
  subject?: string,
): void {
  if (expectedVersions === undefined || (version !== undefined && expectedVersions.has(version))) return;
  const thing = subject === undefined ? 'It' : `The ${subject}`;
  throw new ApiError('PreconditionFailed', `${thing} was changed after you read it; read it again.`);
}
