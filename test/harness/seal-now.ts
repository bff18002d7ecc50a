import { setTimeout as sleep } from 'node:timers/promises';
import { sealAllEvents } from '../../lib/history/seal-events.ts';
import type { Request } from '../../lib/request.ts';

const settlingMs = 120_000;

/** Seals everything that there is, as the clock does two minutes later. Later events are in none of these seals. */
export async function sealNow(table: Request): Promise<void> {
  // Events of this millisecond would not be sealed.
  await sleep(2);
  await sealAllEvents(table, new Date(Date.now() + settlingMs));
}
