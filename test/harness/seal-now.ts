import { sealAllEvents } from '../../lib/history/seal-events.ts';
import type { Request } from '../../lib/request.ts';
import { nextMillisecond } from './next-millisecond.ts';

const settlingMs = 120_000;

/** Seals everything that there is, as the clock does two minutes later. Later events are in none of these seals. */
export async function sealNow(table: Request): Promise<void> {
  // Events of this millisecond would not be sealed.
  await nextMillisecond();
  await sealAllEvents(table, new Date(Date.now() + settlingMs));
}
