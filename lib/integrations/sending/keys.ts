import { itemKey, type Key, type Partition, type Prefixed, padded } from '../../store/client/definition.ts';

/* The keys and lists of what is sent to integrations. */

export const sending = (): Partition => ({ pk: 'SENDING' });
/** The state of what is sent to integrations: whose table it is, and how far all is settled. */
export const sendingState = () => itemKey('SENDING', 'STATE');
/** The troubles of an integration. */
export const addonHealth = (id: number) => itemKey('SENDING', `ADDON#${padded(id)}`);
/** The count of the requests to an integration within a day. */
export const addonDay = (id: number) => itemKey('SENDING', `DAY#${padded(id)}`);

/** The lanes of an integration. */
export const lanes = (addon: number): Partition => ({ pk: `SENDING#${padded(addon)}` });
/** The way of the events of one feature to an integration, or of one item of events without a feature. */
export const lane = (addon: number, name: string): Key => ({ ...lanes(addon), sk: `LANE#${name}` });
/** A lane that waits. */
export const pendingLane = (addon: number, name: string): Key => ({ ...lanes(addon), sk: `PENDING#${name}` });
export const pendingLanes = (addon: number): Prefixed => ({ ...lanes(addon), prefix: 'PENDING#' });
/** A request to send events of the past. */
export const sendingAgain = (addon: number, id: string): Key => ({ ...lanes(addon), sk: `AGAIN#${id}` });
export const sendingsAgain = (addon: number): Prefixed => ({ ...lanes(addon), prefix: 'AGAIN#' });

export const sentEvents = (addon: number): Partition => ({ pk: `SENT#${padded(addon)}` });
/** An event that was sent to an integration, or given up. */
export const sentEvent = (addon: number, eventId: number): Key => ({ ...sentEvents(addon), sk: padded(eventId) });
