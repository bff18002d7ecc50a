import { setTimeout as sleep } from 'node:timers/promises';
import { type Activity, carryOut } from '../../lib/activities.ts';
import type { AddressRules } from '../../lib/integrations/sending/address-rules.ts';
import { notifySender } from '../../lib/integrations/sending/notify.ts';
import { loadPlan } from '../../lib/integrations/sending/plan.ts';
import { poll } from '../../lib/integrations/sending/poll.ts';
import { servedAfterMs } from '../../lib/integrations/sending/run-queue.ts';
import { scanEvents } from '../../lib/integrations/sending/scan.ts';
import type { AttemptLine, Sender } from '../../lib/integrations/sending/sender.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { listenToCommits } from '../../lib/store/transactions/commit-listener.ts';
import { createSender } from '../real-sender.ts';
import { countAttempt, showReceivers } from './metrics/measure.ts';
import { warn } from './warn.ts';

/** The background work that sends events to integrations while the server runs. */
export interface LocalSending {
  /** Starts no further work, and waits for running requests. */
  close(): Promise<void>;
}

/** The times between two polls of the queues, and between two scans of all events. */
const pollMs = 5_000;
const scanMs = 60_000;
/** The time for which changes are collected before the sender is notified of them. */
const gatherMs = 10;

const sendingOfChange: Activity = { kind: 'sending', name: 'events' };
const round: Activity = { kind: 'background work', name: 'integrations' };

/**
 * Sends the events of all changes of this process from now on, and those that other processes left unsent. Events of a killed
 * process are not lost, since a scan of all events comes first.
 */
export async function startSending(rules: AddressRules): Promise<LocalSending> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sender: Sender = { ...createSender(rules, signal, reportAttempt), warn };
  const { store } = sender.request;
  // In a store that has never sent events, sending begins now, before anything changes.
  await loadPlan(sender);
  const runningWork = new Set<Promise<void>>();
  const inBackground = (action: () => Promise<unknown>) => {
    const running = action()
      .then(() => {}, warnOfFailure)
      .finally(() => runningWork.delete(running));
    runningWork.add(running);
  };
  /** Waits, but no longer than the server runs. */
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => {});

  let committed: Key[] = [];
  const notify = async () => {
    await pause(gatherMs);
    const keys = committed;
    committed = [];
    await pause(servedAfterMs);
    if (!signal.aborted) await carryOut(round, () => carryOut(sendingOfChange, () => notifySender(sender, keys)));
  };
  const endListening = listenToCommits(store, (keys) => {
    committed.push(...keys);
    if (committed.length === keys.length) inBackground(notify);
  });

  // A turn starts nothing more when the next one is due, so that a slow receiver does not delay the others.
  const repeat = async (everyMs: number, action: (limited: Sender) => Promise<unknown>) => {
    while (!signal.aborted) {
      const untilNext = pause(everyMs);
      const limited = { ...sender, signal: AbortSignal.any([signal, AbortSignal.timeout(everyMs)]) };
      await carryOut(round, () => action(limited)).catch(warnOfFailure);
      await untilNext;
    }
  };
  inBackground(() => repeat(pollMs, async (limited) => showReceivers((await poll(limited)).receivers.values())));
  inBackground(() => repeat(scanMs, async (limited) => scanEvents(limited, await loadPlan(limited))));
  return {
    async close() {
      endListening();
      stopping.abort();
      await Promise.all(runningWork);
    },
  };
}

/** The next poll or scan tries again, for example when the store can be reached again. */
function warnOfFailure(error: unknown): void {
  warn('Sending to integrations failed, and will be tried again', error);
}

/** Counts an attempt, and prints events that were given up for people. The log has lines for all attempts. */
function reportAttempt(line: AttemptLine): void {
  countAttempt(line);
  const { level, integration, provider, eventId, type } = line;
  if (process.env.LOG_FORMAT !== 'text' || level !== 'ERROR' || process.env.LOG_LEVEL === 'SILENT') return;
  console.error(
    `Integration ${integration} (${provider}): event ${eventId} (${type}) was given up. The log of the integration has the reason.`,
  );
}
