import { itemKey, type Key, type Partition, padId } from '../store/client/definition.ts';

/* The keys and lists of events. */

export const featureEvents = (name: string, firstId: number) => itemKey(`FEATURE#${name}#EVENTS`, padId(firstId));
export const allFeatureEvents = (name: string): Partition => ({ pk: `FEATURE#${name}#EVENTS` });
/** The events of a feature, beginning with the item of `firstId`. */
export const featureEventsFrom = (name: string, firstId: number): Partition => ({
  pk: `FEATURE#${name}#EVENTS`,
  prefix: padId(firstId),
  end: padId(Number.MAX_SAFE_INTEGER),
});

/** Events of no feature. Each month has its own partition, so that none grows forever. */
export const serviceEvents = (at: string, firstId: number) => itemKey(`EVENTS#${at.slice(0, 7)}`, padId(firstId));
export const serviceEventsIn = (month: string): Partition => ({ pk: `EVENTS#${month}` });

/** Returns the name of the feature whose events an item has; undefined for an item of another kind. */
export function featureOfEvents({ pk }: Pick<Key, 'pk'>): string | undefined {
  return /^FEATURE#(.+)#EVENTS$/.exec(pk)?.[1];
}

/** Returns the month of an item with events of no feature; undefined for an item of another kind. */
export function monthOfEvents({ pk }: Pick<Key, 'pk'>): string | undefined {
  return /^EVENTS#(.+)$/.exec(pk)?.[1];
}
