import type { Event } from '../../events/event-schema.ts';
import { readIntegrationDailyLimit } from '../../limits.ts';
import { countInWindow } from '../../store/window.ts';
import type { Integration } from './integration.ts';
import * as sendingKeys from './keys.ts';
import type { Plan } from './plan.ts';
import { pauseUntil } from './receiver-state.ts';
import type { Sender } from './sender.ts';

const daySeconds = 86_400;
/** The number of writes for all requests of a day. A write per request would add a third to its cost, so some are sampled. */
const samplesPerDay = 200;

/**
 * Counts a request to an integration before it is sent.
 * @returns the time until which an integration waits that has had all requests of a day; undefined if it may send.
 */
export async function countRequest(
  { request, clock, log }: Sender,
  plan: Plan,
  { id, version, addon: { provider } }: Integration,
  { id: eventId, type }: Event,
): Promise<number | undefined> {
  const limit = readIntegrationDailyLimit();
  const counted = Math.ceil(limit / samplesPerDay);
  if (Math.random() * counted >= 1) return undefined;
  const { count, expiresAtSeconds } = await countInWindow(request, sendingKeys.addonDay(id), counted, daySeconds);
  if (count <= limit) return undefined;
  log({ level: 'WARN', integration: id, provider, eventId, type, attempt: 0, ms: 0, outcome: 'held back' });
  const until = expiresAtSeconds * 1_000;
  plan.receivers.set(id, await pauseUntil(request, { id, version, now: clock.now() }, until));
  return until;
}
