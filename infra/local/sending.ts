import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressRules } from '../../lib/integrations/sending/address-rules.ts';
import { notifySender } from '../../lib/integrations/sending/notify.ts';
import { loadPlan } from '../../lib/integrations/sending/plan.ts';
import { poll } from '../../lib/integrations/sending/poll.ts';
import { servedAfterMs } from '../../lib/integrations/sending/run-queue.ts';
import { scanEvents } from '../../lib/integrations/sending/scan.ts';
import type { AttemptLine, Sender } from '../../lib/integrations/sending/sender.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { listenToCommits } from '../../lib/store/transactions/announce.ts';
import { createSender } from '../real-sender.ts';
import { warn } from './warn.ts';

/** Events on their way to the integrations, for as long as the server runs. */
export interface LocalSending {
  /** Begins nothing more, and waits for the requests that are under way. */
  close(): Promise<void>;
}

/** The times from one look at queues that wait to the next, and at the list of all events. */
const pollMs = 5_000;
const scanMs = 60_000;
/** Changes that come this close together are announced together. */
const gatherMs = 10;

/**
 * Sends the events of all changes of this process from now on, and what other processes have left. A process that was killed
 * loses none: the first thing that happens is a look at the list of all events.
 */
export async function startSending(rules: AddressRules): Promise<LocalSending> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sender: Sender = { ...createSender(rules, signal, showGivenUp), warn };
  const { store } = sender.work;
  // Sending begins with this moment in a store that has never sent, before anything is changed.
  await loadPlan(sender);
  const underWay = new Set<Promise<void>>();
  const inBackground = (action: () => Promise<unknown>) => {
    const running = action()
      .then(() => {}, warnOfFailure)
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  /** Waits, but not beyond the end of the server. */
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => {});

  let committed: Key[] = [];
  const announce = async () => {
    await pause(gatherMs);
    const keys = committed;
    committed = [];
    await pause(servedAfterMs);
    if (!signal.aborted) await notifySender(sender, keys);
  };
  listenToCommits(store, (keys) => {
    committed.push(...keys);
    if (committed.length === keys.length) inBackground(announce);
  });

  // A turn begins nothing more once the next one is due: a slow receiver must not keep the others waiting.
  const repeat = async (everyMs: number, action: (limited: Sender) => Promise<unknown>) => {
    while (!signal.aborted) {
      const untilNext = pause(everyMs);
      await action({ ...sender, signal: AbortSignal.any([signal, AbortSignal.timeout(everyMs)]) }).catch(warnOfFailure);
      await untilNext;
    }
  };
  inBackground(() => repeat(pollMs, poll));
  inBackground(() => repeat(scanMs, async (limited) => scanEvents(limited, await loadPlan(limited))));
  return {
    async close() {
      listenToCommits(store, undefined);
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}

/** The store is out of reach, say: the next poll or scan goes on. */
function warnOfFailure(error: unknown): void {
  warn('Sending to integrations failed; it is tried again', error);
}

/** Shows people what was given up; other lines are for machines. */
function showGivenUp({ level, integration, provider, eventId, type }: AttemptLine): void {
  if (process.env.LOG_FORMAT !== 'text' || level !== 'ERROR' || process.env.LOG_LEVEL === 'SILENT') return;
  console.error(`Integration ${integration} (${provider}): event ${eventId} (${type}) was given up; its log says why.`);
}
