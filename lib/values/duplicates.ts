import * as v from 'valibot';

/** Returns the values that a list holds more than once, each named once. */
export function duplicates<T>(values: readonly T[]): T[] {
  const seen = new Set<T>();
  const repeated = new Set<T>();
  for (const value of values) (seen.has(value) ? repeated : seen).add(value);
  return [...repeated];
}

/** Takes a list in which no two things have the same text. */
export function noneTwice<T>(textOf: (thing: T) => string, messageOf: (repeated: string) => string) {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const repeated of duplicates(dataset.value.map(textOf))) addIssue({ message: messageOf(repeated) });
  });
}

/** Returns one thing of each key: the last of them, in the place of the first. */
export function distinctBy<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[] {
  return [...new Map(things.map((thing) => [keyOf(thing), thing])).values()];
}
