import { isAnythingWaiting, runClock } from '../../lib/clock/clock.ts';
import { turnClock } from '../../lib/integrations/sending/turn-clock.ts';
import { createEnvironmentRequest } from '../../lib/request.ts';
import { type AlarmChange, takeAlarm } from '../../lib/safeguards/take-alarm.ts';
import { SharedTime } from '../../lib/values/time-budget.ts';

/** The context of a call, from Lambda. */
interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** A batch of the stream, or the hourly call with an empty list. */
interface Batch {
  readonly Records: readonly unknown[];
}

/** The event of a schedule of EventBridge: a call of the clock. Its `detail` is an empty object. */
interface ClockCall {
  readonly 'detail-type': 'Scheduled Event';
}

/** The time left in a call at which no further work begins, and at which running work is cancelled. */
const reserveMs = { begin: 20_000, cancel: 10_000 };

/**
 * Turns the clock on when the stream announces work that waits. When the clock calls, it does the work that is due and for which there is
 * time. When a CloudWatch alarm changes, it lets safeguards act at once. It fails only if the table does; Lambda then calls again. A change
 * request that cannot be applied stores the reason itself.
 */
export async function handler(event: Batch | ClockCall | AlarmChange, invocation: Invocation): Promise<void> {
  if ('Records' in event) return turnClock('on');
  const remainingMs = invocation.getRemainingTimeInMillis();
  const time = new SharedTime(remainingMs - reserveMs.begin);
  const request = createEnvironmentRequest(AbortSignal.timeout(Math.max(0, remainingMs - reserveMs.cancel)));
  if (event['detail-type'] === 'CloudWatch Alarm State Change') return takeAlarm(request, event, time);
  const isComplete = await runClock(request, new Date(), time);
  if (!isComplete || (await isAnythingWaiting(createEnvironmentRequest()))) return;
  await turnClock('off');
  // New work may have come in the meantime, whose notification turned the clock on before this call turned it off.
  if (await isAnythingWaiting(createEnvironmentRequest())) await turnClock('on');
}
