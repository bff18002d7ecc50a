import { isDeepStrictEqual } from 'node:util';
import type { NewEvent } from '../events/event.ts';
import type { Key } from '../store/client/definition.ts';
import type { Attributes } from '../store/item.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Condition, Write } from '../store/transactions/write.ts';
import { type Effects, noEffects } from './effects.ts';
import type { EntityChange, EntityDefinition, UniqueValue } from './entity-definition.ts';
import { nameTakenError } from './names.ts';
import { buildReferenceWrites, buildReferrerChecks, type Referrer } from './references.ts';

/** The writes and events of changes of things of a kind. Nothing here reads the store. */
export interface EntityEffects<T extends object> {
  /** Returns the id and the unique values of a thing. */
  uniqueValuesOf(thing: T): UniqueValue[];
  /**
   * Returns the effects of a creation, and the first version, which no earlier thing with the id has had.
   * @param at the time of creation.
   * @param ifTaken what happens if another writer takes the id or a unique value first: a 409, or another decision.
   */
  buildCreationEffects(thing: T, at: string, ifTaken?: 'refuse' | 'retry'): Effects & { readonly version: number };
  /** Returns the effects of an update; none if nothing changes. */
  buildUpdateEffects(before: Versioned<T>, after: T): Effects;
  /** Returns the write that only raises the version, because something changes that is read together with the thing. */
  buildRenewalWrite(before: Versioned<T>): Write;
  /**
   * Returns the effects of a removal.
   * @param referrers all referrers, as they were read.
   */
  buildRemovalEffects(before: Versioned<T>, referrers?: readonly Referrer[]): Effects;
}

/**
 * Returns the first version of a thing that is created now. An earlier thing with the same id began at an earlier millisecond, and
 * rose by one per change, so its versions do not match those of the new thing in `If-Match`. Versions are safe integers until 2255.
 */
function versionAt(at: string): number {
  return Date.parse(at) * 1_000 + 1;
}

/** Creates the functions that build the effects of changes of things of a kind. @param keyOf returns the key of a thing. */
export function createEntityEffects<T extends object, Id extends string | number>(
  definition: EntityDefinition<T, Id>,
  keyOf: (id: Id) => Key,
): EntityEffects<T> {
  const { kind, idOf, codec, unique = {}, counter, referable, events, eventData, extraWrites = [] } = definition;
  const refersTo = definition.refersTo ?? (() => []);
  const removableFlagsOf = definition.flagItems ?? (() => []);
  const flagsOf = (thing: T) => [...removableFlagsOf(thing), ...(definition.lastingFlagItems?.(thing) ?? [])];

  /** Returns the writes that replace the flag items of a thing. */
  function buildFlagWrites(old: readonly Key[], next: readonly Key[]): Write[] {
    return [
      ...old.filter((key) => !isAmong(next, key)).map((key): Write => ({ remove: key })),
      ...next.filter((key) => !isAmong(old, key)).map((key): Write => ({ put: key, item: {} })),
    ];
  }

  function itemOf(thing: T, version: number): Attributes {
    return { ...codec.encode(thing), version };
  }

  /** Returns the condition that an item is unchanged since it was read. */
  function sameAs(thing: T, version: number): Condition {
    if (definition.touchedProperties === undefined) return { version };
    const item = codec.encode(thing);
    return { version, same: Object.fromEntries(definition.touchedProperties.map((name) => [name, item[name]])) };
  }

  const describe = (thing: T) => `${kind} "${idOf(thing)}"`;

  /** Returns the pointers to a thing, by its unique values. */
  function pointersOf(thing: T): UniqueValue[] {
    const single = Object.entries<(value: unknown) => Key>(unique as Record<string, (value: unknown) => Key>).flatMap(
      ([property, pointerOf]) => {
        const value = thing[property as keyof T];
        return value === undefined || value === null ? [] : [{ key: pointerOf(value), property, value: String(value) }];
      },
    );
    return [...single, ...(definition.furtherUniqueValues?.(thing) ?? [])];
  }

  function pointerItem(thing: T): Attributes {
    const project = definition.projectOf?.(thing);
    return { id: idOf(thing), ...(project !== undefined && { project }) };
  }

  function eventOf(change: EntityChange, thing: T, data: Pick<NewEvent, 'data' | 'preData'>, before?: T): NewEvent[] {
    const typeOf = events[change];
    if (typeOf === undefined) return [];
    const type = typeof typeOf === 'string' ? typeOf : typeOf(thing, before);
    const project = definition.projectOf?.(thing);
    const environment = definition.environmentOf?.(thing);
    return [{ type, ...(project && { project }), ...(environment && { environment }), ...data }];
  }

  const dataOf = (thing: T) => ({ ...eventData(thing) });

  return {
    uniqueValuesOf: (thing) => [
      { key: keyOf(idOf(thing)), property: 'id', value: String(idOf(thing)) },
      ...pointersOf(thing),
    ],
    buildCreationEffects(thing, at, ifTaken = 'refuse') {
      const refuse = (property: string, value: string | number) =>
        ifTaken === 'refuse' ? { otherwise: () => nameTakenError(kind, property, value) } : {};
      const [id, version] = [idOf(thing), versionAt(at)];
      return {
        version,
        writes: [
          // An id from a counter is only taken if a seed has used it meanwhile; the next attempt takes another id.
          {
            put: keyOf(id),
            item: itemOf(thing, version),
            subject: describe(thing),
            when: 'absent',
            ...(counter ? {} : refuse('id', id)),
          },
          ...pointersOf(thing).map(
            ({ key, property, value }): Write => ({
              put: key,
              item: pointerItem(thing),
              when: 'absent',
              ...refuse(property, value),
            }),
          ),
          ...buildFlagWrites([], flagsOf(thing)),
          ...buildReferenceWrites([], refersTo(thing)),
          ...extraWrites,
        ],
        events: eventOf('created', thing, { data: dataOf(thing) }),
      };
    },
    buildUpdateEffects({ value, version }, after) {
      if (isDeepStrictEqual(codec.encode(value), codec.encode(after))) return noEffects;
      const [old, next] = [pointersOf(value), pointersOf(after)];
      const oldKeys = old.map(({ key }) => key);
      const nextKeys = next.map(({ key }) => key);
      const isPointerChanged = !isDeepStrictEqual(pointerItem(value), pointerItem(after));
      return {
        writes: [
          {
            put: keyOf(idOf(after)),
            item: itemOf(after, version + 1),
            subject: describe(after),
            when: sameAs(value, version),
          },
          ...oldKeys.filter((key) => !isAmong(nextKeys, key)).map((key): Write => ({ remove: key })),
          ...next.flatMap(({ key, property, value: name }): Write[] => {
            const item = pointerItem(after);
            if (isAmong(oldKeys, key)) return isPointerChanged ? [{ put: key, item }] : [];
            return [{ put: key, item, when: 'absent', otherwise: () => nameTakenError(kind, property, name) }];
          }),
          ...buildFlagWrites(flagsOf(value), flagsOf(after)),
          ...buildReferenceWrites(refersTo(value), refersTo(after)),
          ...extraWrites,
        ],
        events: eventOf('updated', after, { data: dataOf(after), preData: dataOf(value) }, value),
      };
    },
    buildRenewalWrite: ({ value, version, lastEventId }) => ({
      put: keyOf(idOf(value)),
      item: { ...itemOf(value, version + 1), lastEventId },
      subject: describe(value),
      when: sameAs(value, version),
    }),
    buildRemovalEffects({ value, version }, referrers = []) {
      return {
        writes: [
          { remove: keyOf(idOf(value)), when: { version } },
          ...pointersOf(value).map(({ key }): Write => ({ remove: key })),
          ...buildFlagWrites(removableFlagsOf(value), []),
          ...buildReferenceWrites(refersTo(value), []),
          ...(referable ? buildReferrerChecks(kind, idOf(value), referrers) : []),
          ...extraWrites,
        ],
        events: eventOf('deleted', value, { preData: dataOf(value) }),
      };
    },
  };
}

function isAmong(keys: readonly Key[], { pk, sk }: Key): boolean {
  return keys.some((key) => key.pk === pk && key.sk === sk);
}
