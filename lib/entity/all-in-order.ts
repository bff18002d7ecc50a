import { ApiError, invalidRequest } from '../errors.ts';

/**
 * As `Promise.all`, but of several failures the first in this order counts, not the first in time; where that says what is
 * wrong with a request, the others that do say so, too.
 */
export async function allInOrder<const T extends readonly Promise<unknown>[]>(work: T) {
  const failures = (await Promise.allSettled(work)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  );
  const refusals = failures.filter(isRefusal);
  if (refusals.length > 1 && isRefusal(failures[0])) throw invalidRequest(refusals.flatMap(({ details }) => details));
  return Promise.all(work);
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.name === 'ValidationError';
}
