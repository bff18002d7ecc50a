import { setTimeout as sleep } from 'node:timers/promises';
import { readAllowedHosts } from '../../lib/integrations/sending/address-rules.ts';
import { notifySender } from '../../lib/integrations/sending/notify.ts';
import { isAnyEnabled, loadPlan } from '../../lib/integrations/sending/plan.ts';
import { poll } from '../../lib/integrations/sending/poll.ts';
import { servedAfterMs } from '../../lib/integrations/sending/run-queue.ts';
import { scanEvents } from '../../lib/integrations/sending/scan.ts';
import { turnClock } from '../../lib/integrations/sending/turn-clock.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { realSender } from '../real-sender.ts';

/** Record of the table's stream: which item was written, and when. */
interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: {
    readonly Keys: { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } };
    /** In seconds since 1970. */
    readonly ApproximateCreationDateTime: number;
  };
}

/** Batch of the stream; the clock sends something else, and a daily reminder one of no records. */
interface Batch {
  readonly Records?: readonly StreamRecord[];
}

/** No event is begun once the function has run this long; the scan goes on with it. */
const beginMs = 40_000;
/** The most that the time of a record lacks, which is cut to seconds. */
const cutMs = 999;

/**
 * Sends the events of items that the stream announces, and with each minute of the clock what waits or was not announced. An
 * integration never makes it fail: only the table does, and then Lambda calls again.
 */
export async function handler({ Records }: Batch): Promise<void> {
  const stopping = new AbortController();
  const timer = setTimeout(() => stopping.abort(), beginMs);
  try {
    await (Records === undefined ? onClock(stopping.signal) : onChanges(Records, stopping.signal));
  } finally {
    clearTimeout(timer);
  }
}

async function onChanges(records: readonly StreamRecord[], signal: AbortSignal): Promise<void> {
  if (records.length === 0) return turnClock('on');
  const announced = records.filter(({ eventName }) => eventName === 'INSERT').map(({ dynamodb }) => dynamodb);
  const keys = announced.map(({ Keys }): Key => ({ pk: Keys.pk.S, sk: Keys.sk.S })).filter(isOfEvents);
  if (keys.length === 0) return;
  const newest = Math.max(...announced.map(({ ApproximateCreationDateTime: seconds }) => seconds)) * 1000 + cutMs;
  // This clock may be behind that of the stream.
  await sleep(Math.min(Math.max(newest + servedAfterMs - Date.now(), 0), cutMs + servedAfterMs));
  const plan = await notifySender(realSender(rules(), signal), keys);
  const mayHaveChanged = keys.some(({ pk }) => pk.startsWith('EVENTS#'));
  if (mayHaveChanged && isAnyEnabled(plan)) await turnClock('on');
}

/** Filters of the stream let only these through; they may be changed by hand. */
function isOfEvents({ pk, sk }: Key): boolean {
  return /^(FEATURE#.*#EVENTS|EVENTS#.*)$/.test(pk) && /^\d/.test(sk);
}

async function onClock(signal: AbortSignal): Promise<void> {
  const sender = realSender(rules(), signal);
  const plan = await poll(sender);
  if (isAnyEnabled(plan)) {
    await scanEvents(sender, plan);
  } else if (plan.receivers.size === 0) {
    await turnClock('off');
    // One may have come meanwhile, whose notification has turned it on before.
    if (isAnyEnabled(await loadPlan(sender))) await turnClock('on');
  }
}

function rules() {
  const runtime = Number(process.env.AWS_LAMBDA_RUNTIME_API?.split(':')[1]);
  return { allowedHosts: readAllowedHosts(process.env), ownPorts: Number.isNaN(runtime) ? [] : [runtime] };
}
