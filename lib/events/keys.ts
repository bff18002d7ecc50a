import { itemKey, type Partition, padded } from '../store/client/definition.ts';

/* The keys and lists of events. */

export const featureEvents = (name: string, firstId: number) => itemKey(`FEATURE#${name}#EVENTS`, padded(firstId));
export const allFeatureEvents = (name: string): Partition => ({ pk: `FEATURE#${name}#EVENTS` });
/** The events of a feature from an item on. */
export const featureEventsFrom = (name: string, firstId: number): Partition => ({
  pk: `FEATURE#${name}#EVENTS`,
  prefix: padded(firstId),
  end: padded(Number.MAX_SAFE_INTEGER),
});

/** Events that belong to no feature, by month, so that no partition grows for ever. */
export const serviceEvents = (at: string, firstId: number) => itemKey(`EVENTS#${at.slice(0, 7)}`, padded(firstId));
export const serviceEventsIn = (month: string): Partition => ({ pk: `EVENTS#${month}` });
