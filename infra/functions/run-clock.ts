import { isAnythingWaiting, runClock } from '../../lib/clock/clock.ts';
import { turnClock } from '../../lib/integrations/sending/turn-clock.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { type AlarmChange, takeAlarm } from '../../lib/safeguards/take-alarm.ts';

/** A batch of the stream, a call of the clock without records, or the daily call with an empty list. */
interface Batch {
  readonly Records?: readonly unknown[];
}

/**
 * Turns the clock on when the stream announces work that waits. When the clock calls, does all work that is due. When a CloudWatch alarm
 * changes, lets safeguards act at once. Fails only if the table does, and Lambda then calls again. A request that cannot be applied
 * stores the reason itself.
 */
export async function handler(event: Batch | AlarmChange): Promise<void> {
  if ('detail' in event) return takeAlarm(createEnvironmentRequest(), event);
  if (event.Records !== undefined) return turnClock('on');
  await runClock(createEnvironmentRequest(), new Date());
  if (await isAnythingWaiting(createEnvironmentRequest())) return;
  await turnClock('off');
  // New work may have come in the meantime, whose notification turned the clock on before this call turned it off.
  if (await isAnythingWaiting(createEnvironmentRequest())) await turnClock('on');
}
