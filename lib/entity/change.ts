import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import type { Versions } from '../store/transactions/versioned.ts';
import type { ChangeUnit, Effects, FlagRequest } from './effects.ts';
import { type AuthorOf, writeInLoop } from './write-loop.ts';
import { inOneTransaction } from './write-strategy.ts';

/** The outcome of a decision. Without writes and events, nothing is stored. */
export interface Decision<Result> extends Effects, Pick<ChangeUnit, 'record'> {
  /** The result of the request; its receipt keeps it for a repeat. */
  readonly result: Result;
}

/** The outcome of a decision about a feature or a segment. */
export interface FlagDecision<Result> extends Decision<Result>, Pick<ChangeUnit, 'flag'> {}

/** A change: what it reads, and what it makes of it. */
export interface Change<Found, Outcome> {
  /** The items that it depends on. After a lost race, writers in this process that share one of them take turns. */
  readonly of: readonly Key[];
  /** The name of the changed thing in errors, e.g. `feature "checkout"`. */
  readonly what?: string;
  /** The number of events to expect, 1 by default; more of them cost one more call to the counter. */
  readonly likelyEvents?: number;
  readonly read: () => Promise<Found>;
  /**
   * Returns the version that `If-Match` is compared with, and the last event, whose id those of new events must exceed: ids are
   * taken during the read, so that another writer may have used higher ones. Undefined where there is nothing yet.
   */
  readonly revisionOf: (found: Found) => Versions | undefined;
  /**
   * The thing that `If-Match` is about, if it is not the one that is changed; then the writes must include a condition on its version.
   */
  readonly expected?: { readonly what: string; readonly revisionOf: (found: Found) => Versions | undefined };
  /**
   * Pure: another attempt decides again from what it finds.
   * @param at when all of it happens.
   */
  readonly decide: (found: Found, at: string) => Outcome;
}

/**
 * Changes one thing, in one transaction with its events and the answer for a repeated request.
 * @throws ApiError what `read`, the choice of an author and `decide` throw; 412 where the caller expects another version than
 * there is; 400 for more than a transaction holds; 503 where the items stay contended for seconds.
 */
export function change<Found, Result>(
  request: Request,
  author: AuthorOf<Found>,
  ours: Change<Found, Decision<Result>>,
): Promise<Result> {
  return changeOnce(request, author, ours);
}

/** Changes a feature or a segment, as `change` does, with what follows from that. */
export function changeFlag<Found, Result>(
  request: FlagRequest,
  author: AuthorOf<Found>,
  ours: Change<Found, FlagDecision<Result>>,
): Promise<Result> {
  return changeOnce(request, author, ours);
}

function changeOnce<Found, Result>(
  request: Request | FlagRequest,
  author: AuthorOf<Found>,
  { of, what, likelyEvents, read, revisionOf, expected, decide }: Change<Found, FlagDecision<Result>>,
): Promise<Result> {
  return writeInLoop<Found, Result>(request, author, {
    strategy: inOneTransaction,
    of,
    likelyEvents,
    read,
    decide: (found, at) => {
      const { result, ...decided } = decide(found, at);
      const revision = revisionOf(found);
      requireExpectedVersion(
        request,
        (expected ? expected.revisionOf(found) : revision)?.version,
        expected?.what ?? what,
      );
      const isNothing = decided.writes.length + decided.events.length === 0;
      return {
        units: isNothing ? [] : [[{ what: what ?? 'change', lastEventId: revision?.lastEventId, ...decided }]],
        result,
      };
    },
  });
}

/**
 * Refuses a change of a thing whose version is not one that the caller expects. It comes after the decision: a request that
 * fails anyway ignores the precondition (RFC 9110, section 13.2.1).
 * @param what the name of the thing.
 * @throws ApiError 412 where the version is none of those that the caller expects.
 */
export function requireExpectedVersion(
  { expectedVersions }: Request,
  version: number | undefined,
  what?: string,
): void {
  if (expectedVersions === undefined || (version !== undefined && expectedVersions.has(version))) return;
  const thing = what === undefined ? 'It' : `The ${what}`;
  throw new ApiError('PreconditionFailed', `${thing} was changed after you read it; read it again.`);
}
