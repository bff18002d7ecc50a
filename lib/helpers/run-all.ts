import { ApiError, invalidRequest } from '../errors.ts';
import { mapChunks } from '../values/lists.ts';

/**
 * Awaits all promises, like `Promise.all`, but throws the first failure in the order of the list, not in time. If it is a 400, the
 * details of all further 400s are added to it.
 */
export async function awaitInOrder<const T extends readonly Promise<unknown>[]>(promises: T) {
  const outcomes = await Promise.allSettled(promises);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const refusals = failures.filter(isRefusal);
  if (refusals.length > 1 && isRefusal(failures[0])) throw invalidRequest(refusals.flatMap(({ details }) => details));
  return Promise.all(promises);
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.name === 'ValidationError';
}

/**
 * Runs an action for each thing, one after the other, or a few at once. A failure does not prevent the others.
 * @throws the first failure, at the end.
 */
export async function runEach<T>(
  things: Iterable<T>,
  action: (thing: T) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  const outcomes = await mapChunks([...things], atOnce, (thing) =>
    action(thing).then(
      () => [],
      (error: unknown) => [error],
    ),
  );
  const failures = outcomes.flat();
  if (failures.length > 0) throw failures[0];
}
