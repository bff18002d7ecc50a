import type { ActivityKind, ActivityObserver } from '../../../lib/activities.ts';
import type { ReceiverState } from '../../../lib/integrations/sending/receiver-state.ts';
import type { AttemptLine } from '../../../lib/integrations/sending/sender.ts';
import { classifyStoreError } from '../../../lib/store/client/exceptions.ts';
import { countedOperations, type DeliveryResult, metrics } from './metrics.ts';

/** An activity that has ended. */
interface EndedActivity {
  readonly name: string;
  readonly milliseconds: number;
  /** The outcome of its result; undefined after an error, or if it has none. */
  readonly outcome: string | undefined;
  /** The error that it threw, if any. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** Counts an activity by its kind. Deliveries are counted with their lines in the log, since events that are given up have a line, too. */
const recorders: Readonly<Record<ActivityKind, (activity: EndedActivity) => void>> = {
  'store request': ({ name, milliseconds, failure }) => {
    const operation = isCounted(name) ? name : 'other';
    const result = failure === undefined ? 'done' : classifyStoreError(failure.error);
    metrics.storeRequests.of({ operation, result }).value += 1;
    metrics.storeDurations.of({ operation }).add(milliseconds);
  },
  'snapshot check': ({ milliseconds, outcome }) => {
    const result = outcome === 'changed' || outcome === 'unchanged' || outcome === 'stale' ? outcome : 'failed';
    metrics.snapshotChecks.of({ result }).value += 1;
    metrics.snapshotCheckDurations.of({}).add(milliseconds);
  },
  mail: ({ failure }) => {
    metrics.mails.of({ result: failure === undefined ? 'sent' : 'failed' }).value += 1;
  },
  'scheduled change': ({ outcome }) => {
    const result = outcome === 'applied' || outcome === 'refused' ? outcome : 'failed';
    metrics.scheduledChanges.of({ result }).value += 1;
  },
  'background work': ({ name, failure }) => {
    const work = name === 'integrations' || name === 'schedules' ? name : 'reports';
    metrics.backgroundRuns.of({ work, result: failure === undefined ? 'done' : 'failed' }).value += 1;
  },
  delivery() {},
  sending() {},
};

function isCounted(name: string): name is (typeof countedOperations)[number] {
  return countedOperations.some((operation) => operation === name);
}

/** Carries out an activity, and counts it by its outcome. */
export const measureActivity: ActivityObserver = async (activity, run) => {
  const { kind, name, outcomeOf } = activity;
  const startedAt = performance.now();
  const record = (outcome: string | undefined, failure?: EndedActivity['failure']) =>
    recorders[kind]({ name, milliseconds: performance.now() - startedAt, outcome, failure });
  try {
    const result = await run();
    record(outcomeOf?.(result));
    return result;
  } catch (error) {
    record(undefined, { error });
    throw error;
  }
};

/** Counts a line of the log: an attempt to send an event, or an event that was held back or given up. */
export function countAttempt({ provider, outcome, ms }: AttemptLine): void {
  const result = outcome.replace(' ', '_') as DeliveryResult;
  metrics.deliveries.of({ provider, result }).value += 1;
  if (result !== 'held_back' && result !== 'given_up') metrics.deliveryDurations.of({ provider }).add(ms);
}

/** Shows the number of receivers with waiting events. Call it after each poll. */
export function showReceivers(states: Iterable<Pick<ReceiverState, 'paused'>>): void {
  const pauses = Array.from(states, ({ paused = '' }) => paused !== '');
  metrics.waitingIntegrations.show(() => pauses.length);
  metrics.pausedIntegrations.show(() => pauses.filter(Boolean).length);
}
