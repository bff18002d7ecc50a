import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { EventIdPool } from '../events/event-ids.ts';
import type { Request } from '../request.ts';
import type { ChangeUnit, FlagRequest } from './effects.ts';
import { loadFollowingUnits, type StampedUnit, type Stamping, stampUnits } from './stamp-units.ts';
import type { DecidedUnits } from './write-strategy.ts';

/**
 * Stamps units chunk by chunk, and the units that follow from them.
 * @throws ApiError 400 with all problems of the decision and of its units; 400 if they exceed the budget.
 */
export async function stampChunks(
  request: Request | FlagRequest,
  { units, budget }: DecidedUnits,
  stamping: Stamping,
): Promise<StampedUnit[]> {
  const stamped: StampedUnit[] = [];
  const affecting: ChangeUnit[] = [];
  const problems: ErrorDetail[] = [];
  const collect = (error: unknown) => problems.push(...problemsIn(error));
  try {
    for await (const chunk of units) {
      for (const unit of await stampUnits(request, chunk, stamping, collect)) {
        budget?.spend(unit.writes);
        stamped.push(unit);
      }
      // The other units are not kept, to save memory: their features are large.
      affecting.push(...chunk.filter(({ flag }) => flag?.schedules !== undefined));
    }
  } catch (error) {
    if (problems.length === 0) throw error;
    collect(error);
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return [...stamped, ...(await stampUnits(request, await loadFollowingUnits(request, affecting), stamping))];
}

/** Returns the details of a 400; throws any other error. */
function problemsIn(error: unknown): readonly ErrorDetail[] {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error;
  return error.details;
}

/**
 * Checks a decision like an attempt to store it, without storing it.
 * @throws ApiError 400 with all problems of the decision and of its units.
 */
export async function checkDecision(
  request: FlagRequest,
  actor: Actor,
  at: string,
  decision: DecidedUnits,
): Promise<void> {
  await stampChunks(request, decision, { ids: new EventIdPool(request, unusedIds), actor, at });
}

/** Ids above all real ones, for events that are never stored. */
const unusedIds = { first: 2 ** 52, last: Number.MAX_SAFE_INTEGER };
