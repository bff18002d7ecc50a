/** As `Promise.all`, but of several failures the first in this order counts, not the first in time. */
export async function allInOrder<const T extends readonly Promise<unknown>[]>(work: T) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
