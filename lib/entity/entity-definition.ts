import type { EventType } from '../events/event-schema.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import type { Codec } from './codec.ts';
import type { Reference } from './references.ts';

/**
 * The keys of the items of a kind, if they do not follow from its name: the partition, or the part of one, that contains only these items
 * under their ids; or the key of each item and the partitions that contain them.
 */
type ItemKeys<Id> =
  | { readonly partition?: Partition; readonly keyOf?: never; readonly partitions?: never }
  | { readonly keyOf: (id: Id) => Key; readonly partitions: readonly Partition[]; readonly partition?: never };

/** The definition of a kind of thing for the store and the audit log. */
export type EntityDefinition<T extends object, Id extends string | number> = ItemKeys<Id> & {
  /** The name in errors, such as "tag type", and the default prefix of the keys. */
  readonly kind: string;
  readonly idOf: (thing: T) => Id;
  /** Returns the properties that only the key of an item contains. */
  readonly ofKey?: (key: Key) => Partial<T>;
  readonly codec: Codec<T>;
  /** The unique properties, each with the key of the pointer for a value. */
  readonly unique?: { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => Key };
  /** Returns further unique values. */
  readonly furtherUniqueValues?: (thing: T) => readonly UniqueValue[];
  /** Marks ids that are free text instead of names. */
  readonly freeIds?: true;
  /** The most things of the kind, which limits the cost of a list. Concurrent writers may exceed it by a few. */
  readonly max?: number;
  /** Returns the thing to remove if another one is created when `max` is reached; undefined to refuse the creation. */
  readonly toReplace?: (all: readonly Versioned<T>[]) => Versioned<T> | undefined;
  /** The name of the counter of ids, if they are numbers. */
  readonly counter?: Id extends number ? string : never;
  /** The further writes of each creation, update and removal. */
  readonly extraWrites?: readonly Write[];
  /** Returns the keys of empty items that exist as long as the thing has a property; their presence is the information. */
  readonly flagItems?: (thing: T) => readonly Key[];
  /** Returns the keys of flag items that stay after a removal. */
  readonly lastingFlagItems?: (thing: T) => readonly Key[];
  /** The flat properties that `touch` sets without a new version. They are conditions of an update, so that it reverts none. */
  readonly touchedProperties?: readonly (keyof T & string)[];
  /** Returns the references of a thing to others. */
  readonly refersTo?: (thing: T) => readonly Reference[];
  /** Marks a kind to which others can refer. It can only be removed while nobody does. */
  readonly referable?: true;
  readonly events: {
    readonly [Change in EntityChange]?: EventType | ((thing: T, before: T | undefined) => EventType);
  };
  /** Returns the data for events, without secrets. */
  readonly eventData: (thing: T) => object;
  /** Returns the project of a thing; null if it belongs to none. */
  readonly projectOf?: (thing: T) => string | null | undefined;
  /** Returns the projects of which a caller must see one to see the thing; empty for everybody. */
  readonly projectsOf?: (thing: T) => readonly string[];
  readonly environmentOf?: (thing: T) => string | undefined;
};

/** A change of a thing that is recorded by an event. */
export type EntityChange = 'created' | 'updated' | 'deleted';

/** A unique value of a thing, with the key of the item that reserves it. */
export interface UniqueValue {
  readonly key: Key;
  readonly property: string;
  readonly value: string;
}

/** The item that points from a unique value to its thing. */
export interface Pointer<Id> {
  readonly id: Id;
  readonly project?: string | null;
}
