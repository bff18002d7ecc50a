import type { Request } from '../request.ts';
import { changeItem } from '../store/change-item.ts';
import { queryAll, readItem } from '../store/read.ts';
import { computeExpiry, isUnexpired } from '../values/time.ts';
import type { Evidence } from './evaluate.ts';
import * as safeguardKeys from './keys.ts';
import type { ListedAlarm } from './safeguard-evidence-schema.ts';

/** The time for which a change of an alarm is kept. An older one says nothing about a release that runs now. */
const keptSeconds = 31 * 24 * 60 * 60;

/** The state of a CloudWatch alarm since a moment. */
export interface AlarmState {
  readonly alarm: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
  /** The time of the change to this state, as `Date` writes it. */
  readonly at: string;
  /** CloudWatch's explanation. */
  readonly reason: string;
}

/**
 * Stores the state of an alarm, unless a later change of it is known: CloudWatch delivers an event at least once, and in any order.
 * @returns false if a later or the same change was known.
 */
export async function recordAlarm(request: Request, { alarm, state, at, reason }: AlarmState): Promise<boolean> {
  // A cut can leave half a character, which the store may refuse.
  const set = {
    state,
    at,
    reason: reason.slice(0, 500).toWellFormed(),
    expiresAtSeconds: computeExpiry(keptSeconds, new Date(at)),
  };
  const isNews = {
    ConditionExpression: 'attribute_not_exists(#at) OR #at < :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  };
  return (await changeItem(request, safeguardKeys.alarmState(alarm), { set }, isNews)) !== undefined;
}

/** Lists the alarms that have changed in the last 31 days, by name. */
export async function listAlarms(request: Request): Promise<ListedAlarm[]> {
  const items = await queryAll<AlarmState & { readonly sk: string; readonly expiresAtSeconds: number }>(
    request,
    safeguardKeys.alarmStates(),
  );
  return items.filter(isUnexpired).map(({ sk: name, state, at: changedAt }) => ({ name, state, changedAt }));
}

/** Measures an alarm: 1 while it is on, and otherwise 0. An alarm that went on before the start is no evidence. */
export async function measureAlarm(request: Request, alarm: string, since: number): Promise<Evidence> {
  const known = await readItem<AlarmState>(request, safeguardKeys.alarmState(alarm));
  if (known === undefined) return { missing: 'CloudWatch has not reported a change of this alarm.' };
  const { state, at, reason: note } = known;
  if (state === 'INSUFFICIENT_DATA') return { missing: 'The alarm has insufficient data.' };
  if (state === 'OK') return { values: [0], at };
  if (Date.parse(at) <= since) return { missing: 'The alarm went on before the start.' };
  return { values: [1], at, note };
}
