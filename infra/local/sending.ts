import { setTimeout as sleep } from 'node:timers/promises';
import type { GateRules } from '../../lib/integrations/sending/gate.ts';
import { servedAfterMs } from '../../lib/integrations/sending/lane.ts';
import { ring } from '../../lib/integrations/sending/ring.ts';
import { type AttemptLine, loadPlan, type Sender } from '../../lib/integrations/sending/sender.ts';
import { sweep } from '../../lib/integrations/sending/sweep.ts';
import { tick } from '../../lib/integrations/sending/tick.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { listenToCommits } from '../../lib/store/transactions/announce.ts';
import { realSender } from '../real-sender.ts';
import { warn } from './warn.ts';

/** Events on their way to the integrations, for as long as the server runs. */
export interface LocalSending {
  /** Begins nothing more, and waits for the requests that are under way. */
  close(): Promise<void>;
}

/** The times from one look at lanes that wait to the next, and at the list of all events. */
const tickMs = 5_000;
const sweepMs = 60_000;
/** Doorbells of changes that come close together ring once. */
const gatherMs = 25;

/**
 * Sends the events of all changes of this process from now on, and what other processes have left. A process that was killed
 * loses none: the first thing that happens is a look at the list of all events.
 */
export async function startSending(rules: GateRules): Promise<LocalSending> {
  const stopping = new AbortController();
  const sender: Sender = { ...realSender(rules, stopping.signal, showGivenUp), warn };
  const { store } = sender.work;
  // Sending begins with this moment in a store that has never sent, before anything is changed.
  await loadPlan(sender);
  const underWay = new Set<Promise<void>>();
  const inBackground = (action: () => Promise<unknown>) => {
    const running = action()
      .then(() => {}, warnOfFailure)
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };
  const doorbells = new Doorbells((keys) => void inBackground(() => ring(sender, keys)));
  listenToCommits(store, (keys) => doorbells.add(keys));

  // A turn begins nothing more once the next one is due: a slow receiver must not keep the clock from the others.
  const repeat = async (everyMs: number, action: (limited: Sender) => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      const pause = sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(everyMs)]);
      await action({ ...sender, signal }).catch(warnOfFailure);
      await pause;
    }
  };
  void inBackground(() => repeat(tickMs, tick));
  void inBackground(() => repeat(sweepMs, async (limited) => sweep(limited, await loadPlan(limited))));
  return {
    async close() {
      listenToCommits(store, undefined);
      doorbells.close();
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}

/** Doorbells that ring once SDKs are served what they announce. */
class Doorbells {
  readonly #ring: (keys: readonly Key[]) => void;
  readonly #waiting: { readonly dueAt: number; readonly keys: readonly Key[] }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ring: (keys: readonly Key[]) => void) {
    this.#ring = ring;
  }

  add(keys: readonly Key[]): void {
    this.#waiting.push({ dueAt: performance.now() + servedAfterMs, keys });
    this.#timer ??= setTimeout(() => this.#ringDue(), servedAfterMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #ringDue(): void {
    const now = performance.now();
    const later = this.#waiting.findIndex(({ dueAt }) => dueAt > now);
    const due = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later);
    const [next] = this.#waiting;
    this.#timer = next && setTimeout(() => this.#ringDue(), Math.max(next.dueAt - now, gatherMs));
    if (due.length > 0) this.#ring(due.flatMap(({ keys }) => keys));
  }
}

/** The store is out of reach, say: the next tick or sweep goes on. */
function warnOfFailure(error: unknown): void {
  warn('Sending to integrations failed; it is tried again', error);
}

/** Shows people what was given up; other lines are for machines. */
function showGivenUp({ level, integration, provider, eventId, type }: AttemptLine): void {
  if (process.env.LOG_FORMAT !== 'text' || level !== 'ERROR' || process.env.LOG_LEVEL === 'SILENT') return;
  console.error(`Integration ${integration} (${provider}): event ${eventId} (${type}) was given up; its log says why.`);
}
