import { itemKey, type Key, type Partition, type PrefixedPartition, padId } from '../../store/client/definition.ts';

/* The keys and lists of sending events to integrations. */

export const senderItems = (): Partition => ({ pk: 'SENDING' });
/** The state of sending: the table that it belongs to, and the last settled event. */
export const senderState = () => itemKey('SENDING', 'STATE');
/** The state of the receiver of an integration with events to retry. */
export const receiverState = (id: number) => itemKey('SENDING', `ADDON#${padId(id)}`);
/** The number of requests to an integration within a day. */
export const addonDay = (id: number) => itemKey('SENDING', `DAY#${padId(id)}`);

/** The queues of an integration. */
export const queues = (addon: number): Partition => ({ pk: `SENDING#${padId(addon)}` });
/** The queue of a feature for an integration, or of one item of events without a feature. */
export const queue = (addon: number, name: string): Key => ({ ...queues(addon), sk: `LANE#${name}` });
/** The entry of a waiting queue, for the poll. */
export const retry = (addon: number, name: string): Key => ({ ...queues(addon), sk: `PENDING#${name}` });
export const retries = (addon: number): PrefixedPartition => ({ ...queues(addon), prefix: 'PENDING#' });
/** A request to send events again. */
export const resend = (addon: number, id: string): Key => ({ ...queues(addon), sk: `AGAIN#${id}` });
export const resends = (addon: number): PrefixedPartition => ({ ...queues(addon), prefix: 'AGAIN#' });

export const sentEvents = (addon: number): Partition => ({ pk: `SENT#${padId(addon)}` });
/** The record of an event of an integration. */
export const sentEvent = (addon: number, eventId: number): Key => ({ ...sentEvents(addon), sk: padId(eventId) });
