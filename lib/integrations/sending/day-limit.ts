import type { Event } from '../../events/event-schema.ts';
import { readIntegrationDailyLimit } from '../../limits.ts';
import { countInWindow } from '../../store/window.ts';
import * as sendingKeys from './keys.ts';
import type { Integration, Plan } from './plan.ts';
import { holdBack } from './receiver-state.ts';
import type { Sender } from './sender.ts';

const daySeconds = 86_400;
/** A write for each request would add a third to its cost, so one in many stands for all of them. */
const partsOfLimit = 200;

/**
 * Counts a request to an integration, before it is made.
 * @returns the time for which one waits that has had all requests of a day; undefined for others.
 */
export async function countRequest(
  { work, clock, log }: Sender,
  plan: Plan,
  { id, version, addon: { provider } }: Integration,
  { id: eventId, type }: Event,
): Promise<number | undefined> {
  const limit = readIntegrationDailyLimit();
  const counted = Math.ceil(limit / partsOfLimit);
  if (Math.random() * counted >= 1) return undefined;
  const { count, expiresAtSeconds } = await countInWindow(work, sendingKeys.addonDay(id), counted, daySeconds);
  if (count <= limit) return undefined;
  log({ level: 'WARN', integration: id, provider, eventId, type, attempt: 0, ms: 0, outcome: 'held back' });
  const until = expiresAtSeconds * 1_000;
  plan.receivers.set(id, await holdBack(work, { id, version, now: clock.now() }, until));
  return until;
}
