import { type EventsItem, eventsOf } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import { ReplyBudget } from '../events/reply-budget.ts';
import type { Request } from '../request.ts';
import { queryPages, readItems } from '../store/read.ts';
import { addons } from './addons.ts';
import { type DeliveryRecord, eventKeyOf, sendAttemptsOf } from './sending/delivery-records.ts';
import * as sendingKeys from './sending/keys.ts';
import { eventBody } from './sending/requests/webhook.ts';
import type { IntegrationEvent, SentSearch } from './sent-log-schema.ts';

/**
 * Lists the events of the last 30 days that an addon has sent, retries or has given up, newest first.
 * @throws ApiError 404 for an unknown addon.
 */
export async function listSentEvents(request: Request, id: number, search: SentSearch): Promise<IntegrationEvent[]> {
  const [, records] = await Promise.all([addons.load(request, id), loadPage(request, id, search)]);
  const items = await readItems<EventsItem>(request, records.map(eventKeyOf));
  const budget = new ReplyBudget();
  const shown: IntegrationEvent[] = [];
  for (const [index, record] of records.entries()) {
    const item = items[index];
    const entry = entryOf(id, record, item);
    if (entry === undefined) continue;
    if (!budget.take(JSON.stringify(entry)) && shown.length > 0) break;
    shown.push(entry);
  }
  return shown;
}

/** The most entries that one request reads, as in the event log. */
const entriesMax = 20_000;

async function loadPage(request: Request, id: number, { state, offset, limit }: SentSearch): Promise<DeliveryRecord[]> {
  const records: DeliveryRecord[] = [];
  const pages = queryPages<DeliveryRecord>(request, sendingKeys.sentEvents(id), {
    descending: true,
    ...(state === undefined && { pageSize: offset + limit }),
  });
  let remaining = entriesMax;
  for await (const page of pages) {
    records.push(...page.slice(0, remaining).filter((record) => state === undefined || record.state === state));
    remaining -= page.length;
    if (records.length >= offset + limit || remaining <= 0) break;
  }
  return records.slice(offset, offset + limit);
}

function entryOf(
  integrationId: number,
  record: DeliveryRecord,
  item: EventsItem | undefined,
): IntegrationEvent | undefined {
  const stored = item === undefined ? [] : eventsOf(item);
  const events: readonly Event[] = record.event === undefined ? stored : [JSON.parse(record.event)];
  const event = events.find(({ id }) => id === record.eventId);
  if (event === undefined) return undefined;
  const details = JSON.parse(record.details);
  // The record of a webhook omits a body that is the event itself.
  const isEvent = 'contentType' in details && !('body' in details);
  const body = isEvent && { body: eventBody(event, { groupId: String(events[0]?.id) }) };
  return {
    id: String(record.eventId),
    integrationId,
    createdAt: record.at,
    state: record.state,
    stateDetails: record.stateDetails,
    event,
    details: { ...details, ...body, attempts: sendAttemptsOf(record) },
  };
}
