import type { Request } from '../request.ts';
import type { TimeBudget } from '../values/time-budget.ts';
import { type AlarmState, recordAlarm } from './alarm-evidence.ts';
import { watchSafeguards } from './watch.ts';

/** The event of EventBridge for a change of a CloudWatch alarm. */
export interface AlarmChange {
  readonly 'detail-type': 'CloudWatch Alarm State Change';
  /** The time of the event; that of the state is more exact. */
  readonly time: string;
  readonly detail: {
    readonly alarmName: string;
    readonly state: {
      readonly value: AlarmState['state'];
      /** A time with an offset such as +0000. */
      readonly timestamp?: string;
      readonly reason?: string;
    };
  };
}

/**
 * Takes the change of a CloudWatch alarm, and lets safeguards act on it at once. It is stored first, so that the clock acts on it if this
 * process dies or has no time for all of them. A repeated event and one that is overtaken by a later change do nothing.
 */
export async function takeAlarm(
  request: Request,
  { time, detail: { alarmName, state } }: AlarmChange,
  budget?: TimeBudget,
): Promise<void> {
  const { value, timestamp = time, reason = '' } = state;
  const at = new Date(timestamp).toISOString();
  const isNews = await recordAlarm(request, { alarm: alarmName, state: value, at, reason });
  if (isNews && value === 'ALARM') await watchSafeguards(request, new Date(), budget, { fromFirst: true });
}
