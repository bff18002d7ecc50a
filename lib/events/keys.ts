import { itemKey, type Partition, padId } from '../store/client/definition.ts';

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
