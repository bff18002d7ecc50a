/** An object of JSON from an outside source, with unknown values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object: neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value that is a list; an empty list for any other value. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** JSON can be parsed with thousands of levels, but `JSON.stringify` would overflow the stack. */
const levelsMax = 500;

function hasFewLevels(value: unknown, levelsLeft = levelsMax): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levelsLeft > 0 && Object.values(value).every((child) => hasFewLevels(child, levelsLeft - 1));
}

/** Parses JSON. Returns undefined for a text that is no JSON, or that has more than 500 levels. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasFewLevels(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
