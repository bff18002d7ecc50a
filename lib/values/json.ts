/** An object of JSON from outside, whose values may be anything. */
export type Thing = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object: neither a list nor null. */
export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value as a list; an empty one where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The most levels of a value: one of thousands can be read, but not be written again, for want of stack. */
const levelsMax = 500;

function hasFewLevels(value: unknown, left = levelsMax): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return left > 0 && Object.values(value).every((each) => hasFewLevels(each, left - 1));
}

/** Returns the value of a text of JSON; undefined where it is none, or has more than 500 levels. */
export function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasFewLevels(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
