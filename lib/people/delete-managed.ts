import { change } from '../entity/change.ts';
import { forLaterPhases } from '../entity/phases.ts';
import { ApiError, ignoreNotFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';

/** The time in which a request deletes; API Gateway gives up after 30 seconds. */
const deletingMs = 15_000;

/** The people or groups that a directory manages, and the way to delete one. */
interface ManagedThings {
  readonly ids: readonly number[];
  /** Deletes one of them, in transactions of its own. */
  readonly remove: (request: Request, id: number) => Promise<void>;
  /** The event with their number, which follows the events of each. */
  readonly event: 'scim-users-deleted' | 'scim-groups-deleted';
}

/**
 * Deletes everything that a directory manages of a kind, for up to 15 seconds. The last Admin stays.
 * @throws ApiError 503 if some remain, so that the same request goes on.
 */
export async function deleteManaged(request: Request, actor: Actor, { ids, remove, event }: ManagedThings) {
  const end = performance.now() + deletingMs;
  const phaseRequest = forLaterPhases(request);
  const tryToRemove = async (id: number) => {
    if (performance.now() > end) return 'remains';
    try {
      await ignoreNotFound(remove(phaseRequest, id));
      return 'deleted';
    } catch (error) {
      if (error instanceof ApiError && error.name === 'ValidationError') return 'stays';
      throw error;
    }
  };
  const outcomes = await Promise.all(ids.map((id) => request.store.limiter(() => tryToRemove(id))));
  const countOf = (outcome: (typeof outcomes)[number]) => outcomes.filter((each) => each === outcome).length;
  const [deleted, remaining] = [countOf('deleted'), countOf('remains')];
  await change(remaining === 0 ? request : phaseRequest, actor, {
    items: [],
    read: async () => undefined,
    revisionOf: () => undefined,
    decide: () => ({
      writes: [],
      events: deleted === 0 ? [] : [{ type: event, data: { count: deleted } }],
      result: undefined,
    }),
  });
  if (remaining === 0) return;
  const message = `${deleted} are deleted, and ${remaining} remain: send the request again to go on.`;
  throw new ApiError('ServiceUnavailable', message, undefined, { retryAfterSeconds: 1 });
}
