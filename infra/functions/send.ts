import { setTimeout as sleep } from 'node:timers/promises';
import * as eventKeys from '../../lib/events/keys.ts';
import { readAllowedHosts } from '../../lib/integrations/sending/address-rules.ts';
import { notifySender } from '../../lib/integrations/sending/notify.ts';
import { isAnyEnabled, loadPlan } from '../../lib/integrations/sending/plan.ts';
import { poll } from '../../lib/integrations/sending/poll.ts';
import { servedAfterMs } from '../../lib/integrations/sending/run-queue.ts';
import { scanEvents } from '../../lib/integrations/sending/scan.ts';
import { turnClock } from '../../lib/integrations/sending/turn-clock.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { createSender } from '../real-sender.ts';

/** A record of the table's stream: the key of a written item, and the time. */
interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: {
    readonly Keys: { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };
    /** The time of the change, in seconds since 1970. */
    readonly ApproximateCreationDateTime: number;
  };
}

/** A batch of the stream, or the daily call with an empty list. */
interface Batch {
  readonly Records: readonly StreamRecord[];
}

/** The event of a schedule of EventBridge: a call of the clock. */
interface ClockCall {
  readonly 'detail-type': 'Scheduled Event';
}

/** The time after which no further event is begun. The next scan continues. */
const beginMs = 40_000;
/** The maximum that is cut off from the time of a record, which is in whole seconds. */
const truncatedMs = 999;

/**
 * Sends the events that the stream announces. When the clock calls, sends the pending events, and those that were not announced.
 * Fails only if the table does, never because of an integration. Lambda then calls again.
 */
export async function handler(event: Batch | ClockCall): Promise<void> {
  const stopping = new AbortController();
  const timer = setTimeout(() => stopping.abort(), beginMs);
  try {
    await ('Records' in event ? onChanges(event.Records, stopping.signal) : onClock(stopping.signal));
  } finally {
    clearTimeout(timer);
  }
}

async function onChanges(records: readonly StreamRecord[], signal: AbortSignal): Promise<void> {
  if (records.length === 0) return turnClock('on');
  const announced = records.filter(({ eventName }) => eventName === 'INSERT').map(({ dynamodb }) => dynamodb);
  const keys = announced.map(({ Keys }): Key => ({ pk: Keys.pk.S, sk: Keys.sk.S })).filter(isEventKey);
  if (keys.length === 0) return;
  const newest = Math.max(...announced.map(({ ApproximateCreationDateTime: seconds }) => seconds)) * 1000 + truncatedMs;
  // The clock of this function may be behind that of the stream.
  await sleep(Math.min(Math.max(newest + servedAfterMs - Date.now(), 0), truncatedMs + servedAfterMs));
  const plan = await notifySender(createSender(readRules(), signal), keys);
  const mayNeedClock = keys.some((key) => eventKeys.monthOfEvents(key) !== undefined);
  if (mayNeedClock && isAnyEnabled(plan)) await turnClock('on');
}

/** The filters of the stream let only these keys through, but somebody may change the filters by hand. */
function isEventKey(key: Key): boolean {
  const isOfEvents = eventKeys.featureOfEvents(key) !== undefined || eventKeys.monthOfEvents(key) !== undefined;
  return isOfEvents && /^\d/.test(key.sk);
}

async function onClock(signal: AbortSignal): Promise<void> {
  const sender = createSender(readRules(), signal);
  const plan = await poll(sender);
  if (isAnyEnabled(plan)) {
    await scanEvents(sender, plan);
  } else if (plan.receivers.size === 0) {
    await turnClock('off');
    // An integration may have come in the meantime, whose notification turned the clock on before this call turned it off.
    if (isAnyEnabled(await loadPlan(sender))) await turnClock('on');
  }
}

function readRules() {
  const runtime = Number(process.env.AWS_LAMBDA_RUNTIME_API?.split(':')[1]);
  return { allowedHosts: readAllowedHosts(process.env), ownPorts: Number.isNaN(runtime) ? [] : [runtime] };
}
