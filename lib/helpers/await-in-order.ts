import { ApiError, invalidRequest } from '../errors.ts';

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
