import type { Attributes } from '../store/item.ts';

type Flat = string | number | boolean | null | undefined;

/** The properties that an item cannot hold as they are. */
type Nested<T> = { [K in keyof T]-?: T[K] extends Flat ? never : K }[keyof T];

/** Turns a thing into the attributes of its item, and back. */
export interface Codec<T> {
  encode(thing: T): Attributes;
  /** Attributes that this release does not know stay in the thing, so that writing it back keeps them. */
  decode(item: object): T;
}

/**
 * Stores flat properties as they are, and nested ones as JSON text, which is read several times faster than the store's
 * own nested types and takes any depth and any number that JSON takes.
 * @param nested names every nested property, and no other.
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
      // Key and revision belong to the item, not to the thing.
      const {
        pk: _pk,
        sk: _sk,
        version: _version,
        lastEventId: _lastEventId,
        ...attributes
      } = item as Record<string, unknown>;
      // The store gives attributes in any order; what is answered of a thing must be the same text each time.
      const thing = Object.fromEntries(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      for (const name of names) if (typeof thing[name] === 'string') thing[name] = JSON.parse(thing[name]);
      return thing as T;
    },
  };
}
