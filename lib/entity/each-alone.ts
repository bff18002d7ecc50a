/**
 * Does something with each, one after the other. One that fails holds up none of the others.
 * @throws the first failure, at the end.
 */
export async function eachAlone<T>(all: Iterable<T>, act: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) await act(one).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
