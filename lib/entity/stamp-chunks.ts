import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { EventIdPool } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import type { ChangeUnit, FlagRequest } from './effects.ts';
import { loadFollowingUnits, type StampedUnit, type Stamping, stampUnits } from './stamp-units.ts';
import type { DecidedUnits } from './write-strategy.ts';

/**
 * Stamps steps chunk by chunk, with those that follow from them.
 * @throws ApiError 400 with all problems of the decision and of its steps, and for more than its budget.
 */
export async function stampChunks(
  request: Request | FlagRequest,
  { units: steps, budget }: DecidedUnits,
  stamping: Stamping,
): Promise<StampedUnit[]> {
  const stamped: StampedUnit[] = [];
  const affecting: ChangeUnit[] = [];
  const problems: ErrorDetail[] = [];
  const collect = (error: unknown) => problems.push(...problemsIn(error));
  try {
    for await (const chunk of steps) {
      for (const one of await stampUnits(request, chunk, stamping, collect)) {
        budget?.spend(one.writes);
        stamped.push(one);
      }
      // The others are not kept: what is left of a feature is large.
      affecting.push(...chunk.filter(({ flag }) => flag?.schedules !== undefined));
    }
  } catch (error) {
    if (problems.length === 0) throw error;
    collect(error);
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return [...stamped, ...(await stampUnits(request, await loadFollowingUnits(request, affecting), stamping))];
}

/** Returns the details of a 400; other errors are thrown again. */
function problemsIn(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error;
  return error.details;
}

/**
 * Checks all that storing a decision would check before it asks the store.
 * @throws ApiError 400 with all problems of the decision and of its steps.
 */
export async function checkDecision(
  request: FlagRequest,
  actor: Actor,
  at: string,
  decided: DecidedUnits,
): Promise<void> {
  await stampChunks(request, decided, { ids: new EventIdPool(request, neverWritten), actor, at });
}

/** Ids of events that are never written, above all others. */
const neverWritten = { first: 2 ** 52, last: Number.MAX_SAFE_INTEGER };
