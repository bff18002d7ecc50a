import { isAnythingWaiting, runClock } from '../../lib/change-requests/schedules/clock.ts';
import { turnClock } from '../../lib/integrations/sending/turn-clock.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';

/** Batch of the stream; the clock sends something else, and a daily reminder one of no records. */
interface Batch {
  readonly Records?: readonly unknown[];
}

/**
 * Turns the clock on where the stream announces a schedule or a mail, and with each minute of the clock does what is due. Only
 * the table makes it fail, and then Lambda calls again: a request that cannot be applied says why itself.
 */
export async function handler({ Records }: Batch): Promise<void> {
  if (Records !== undefined) return turnClock('on');
  await runClock(createEnvironmentRequest(), new Date());
  if (await isAnythingWaiting(createEnvironmentRequest())) return;
  await turnClock('off');
  // One may have come meanwhile, whose notification has turned it on before.
  if (await isAnythingWaiting(createEnvironmentRequest())) await turnClock('on');
}
