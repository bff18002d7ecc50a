import { resolved, type Schema } from './operations.ts';

/** A place in an example body, the body itself included, with what its schema says of it. */
export interface BodyPlace {
  readonly keys: readonly string[];
  readonly schema: Schema;
}

/**
 * Lists all places of a body that its schema knows, or that the body has.
 * @throws Error if the example lacks one of them, so that no place is forgotten.
 */
export function bodyPlacesIn(schema: Schema, body: unknown): BodyPlace[] {
  const places: BodyPlace[] = [];
  function walk(given: Schema, value: unknown, keys: readonly string[]): void {
    const [first] = resolved(given).anyOf ?? [];
    const own = resolved(first ?? given);
    if (value === undefined) throw new Error(`The example of a body lacks ${keys.join('.')}.`);
    places.push({ keys, schema: given });
    const { properties = {}, items, maxItems, additionalProperties } = own;
    for (const [name, property] of Object.entries(properties)) walk(property, member(value, name), [...keys, name]);
    if (items && maxItems !== 0) walk(items, member(value, '0'), [...keys, '0']);
    if (additionalProperties) {
      const [key = ''] = Object.keys(value as object);
      walk(additionalProperties, member(value, key), [...keys, key]);
    }
  }
  walk(schema, body, []);
  return places;
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}

/** Text to put in a place, be it JSON or not; undefined removes the value. */
export type TextReplacement = readonly [place: BodyPlace, text: string | undefined];

/**
 * Returns the text of a body with other texts in some places; those below a place that is gone by then are left out.
 */
export function bodyWith(body: string, replacements: readonly TextReplacement[]): string {
  const root = { body: JSON.parse(body) };
  replacements.forEach(([{ keys }, text], index) => {
    const path = ['body', ...keys];
    const last = path.pop() ?? '';
    const container = path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), root);
    if (!isContainer(container) || !Object.hasOwn(container, last)) return;
    if (text === undefined) delete container[last];
    else container[last] = markOf(index);
  });
  const text = JSON.stringify(root.body) ?? '';
  return replacements.reduce((each, [, by = ''], index) => each.replace(`"${markOf(index)}"`, () => by), text);
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function markOf(index: number): string {
  return `@place ${index}@`;
}
