import type { Event } from '../../events/event-schema.ts';
import { integrationDailyLimit } from '../../limits.ts';
import { countInWindow } from '../../store/window.ts';
import { type Health, holdBack } from './health.ts';
import * as sendingKeys from './keys.ts';
import { type Integration, paceOf, type Sender } from './sender.ts';

const daySeconds = 86_400;
/** A write for each request would add a third to its cost, so one write counts many. */
const partsOfLimit = 200;

/**
 * Counts a request to an integration, before it is made.
 * @returns the health of an integration that has had all requests of a day, and waits for the next one; undefined for others.
 */
export async function countRequest(
  sender: Sender,
  integration: Integration,
  { id: eventId, type }: Event,
): Promise<Health | undefined> {
  const { id, addon } = integration;
  const limit = integrationDailyLimit();
  const counted = paceOf(sender, integration).count(Math.ceil(limit / partsOfLimit));
  if (counted === 0) return undefined;
  const { count, expiresAtSeconds } = await countInWindow(sender.work, sendingKeys.addonDay(id), counted, daySeconds);
  if (count <= limit) return undefined;
  const { provider } = addon;
  sender.log({ level: 'WARN', integration: id, provider, eventId, type, attempt: 0, ms: 0, outcome: 'held back' });
  return holdBack(sender.work, integration, expiresAtSeconds * 1_000);
}
