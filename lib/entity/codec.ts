import type { Attributes } from '../store/item.ts';

type Flat = string | number | boolean | null | undefined;

/** The properties that an attribute cannot contain unchanged. */
type Nested<T> = { [K in keyof T]-?: T[K] extends Flat ? never : K }[keyof T];

/** Converts a thing into the attributes of its item, and back. */
export interface Codec<T> {
  encode(thing: T): Attributes;
  /** Unknown attributes stay in the thing, so that a later write keeps them. */
  decode(item: object): T;
}

/**
 * Creates a codec that stores flat properties unchanged, and nested ones as JSON text (see `Attributes`).
 * @param nested the names of all nested properties.
 */
export function codec<T extends object>(
  nested: { readonly [K in Nested<T>]: true } & { readonly [K in Exclude<keyof T, Nested<T>>]?: never },
): Codec<T> {
  const names = Object.keys(nested);
  return {
    encode(thing) {
      const item: Record<string, unknown> = Object.fromEntries(Object.entries(thing));
      for (const name of names) if (item[name] !== undefined) item[name] = JSON.stringify(item[name]);
      return item as Attributes;
    },
    decode(item) {
      // The key and the version belong to the item, not to the thing.
      const {
        pk: _pk,
        sk: _sk,
        version: _version,
        lastEventId: _lastEventId,
        ...attributes
      } = item as Record<string, unknown>;
      // DynamoDB returns attributes in any order; replies must have the same order each time.
      const thing = Object.fromEntries(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      for (const name of names) if (typeof thing[name] === 'string') thing[name] = JSON.parse(thing[name]);
      return thing as T;
    },
  };
}
