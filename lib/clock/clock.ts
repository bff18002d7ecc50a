import * as changeRequestKeys from '../change-requests/keys.ts';
import { sendWaitingMails } from '../change-requests/mails/mails.ts';
import { cancelExpired } from '../change-requests/schedules/expiry.ts';
import { applyDue } from '../change-requests/schedules/schedule.ts';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import * as featureKeys from '../features/keys.ts';
import { addCheckpoint } from '../history/checkpoints.ts';
import { keepCheckpoints } from '../history/keep-checkpoints.ts';
import { sealEvents } from '../history/seal-events.ts';
import { startDueMilestones } from '../release-plans/start-due-milestones.ts';
import type { Request } from '../request.ts';
import { watchNow, watchSafeguards } from '../safeguards/watch.ts';
import { mailSender } from '../sign-in/send-mail.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryPages } from '../store/read.ts';
import { recordFinishedWeeks } from '../trends/record-trends.ts';
import { SharedTime, type TimeBudget } from '../values/time-budget.ts';

/** A kind of work that waits for its time, or that is done each minute. */
export interface ClockWork {
  readonly name: string;
  /**
   * Does the work that is due, until the budget is over. Several processes can run it at the same time, and each can die at any point.
   * @returns false if there is more to do, with which the next call continues.
   * @throws Error the first failure, after the rest of the call.
   */
  readonly run: (request: Request, now: Date, budget: TimeBudget) => Promise<boolean>;
  /**
   * Returns the partitions that hold an item as long as work waits. The clock stays on while one of them has any. The creation of an
   * item turns it on, so the triggers in `infra/clock.ts` must contain the partitions.
   */
  readonly listWaiting: () => readonly Partition[];
}

/** The kinds of work of the clock, the most important first. Mails are last, so that they include those of the other work. */
export const clockWork: readonly ClockWork[] = [
  { name: 'safeguards', run: watchSafeguards, listWaiting: () => [featureKeys.allGuarded()] },
  { name: 'schedules', run: applyDue, listWaiting: () => [changeRequestKeys.schedules()] },
  { name: 'milestones', run: startMilestones, listWaiting: () => [featureKeys.planSteps()] },
  // An expiry is days away. The removal of an item by the store's time to live turns the clock on for it.
  { name: 'expiries', run: cancelExpired, listWaiting: () => [] },
  // Nothing turns the clock on for events that wait for a seal: it is called each hour.
  { name: 'seals', run: sealHistory, listWaiting: () => [] },
  // A put that fails leaves the clock on.
  { name: 'checkpoints', run: (request, _now, budget) => keepCheckpoints(request, budget), listWaiting: () => [] },
  // A request for trends records them as well, so the clock does not stay on for them.
  { name: 'trends', run: recordFinishedWeeks, listWaiting: () => [] },
  {
    name: 'mails',
    run: (request, _now, budget) => sendWaitingMails(request, budget),
    listWaiting: () => (mailSender() === undefined ? [] : [changeRequestKeys.mails()]),
  },
];

function startMilestones(request: Request, now: Date, budget: TimeBudget): Promise<boolean> {
  return startDueMilestones(withSuspension(request), now, {
    budget,
    // A plan that has to stop must not move on first, even if the safeguards before have not had their turn.
    beforeStart: ({ environment, featureName }) => watchNow(request, environment, featureName, now),
  });
}

async function sealHistory(request: Request, now: Date, budget: TimeBudget): Promise<boolean> {
  const progress = await sealEvents(request, now, budget);
  if (progress !== 'too early') await addCheckpoint(request);
  return progress !== 'more';
}

/**
 * Does the work of the clock that is due. Each kind has an equal part of the time that is left, and then the unfinished kinds share what
 * the others did not need. So the most important kind comes first, and no kind waits for the end of another. A failure of one kind
 * does not prevent the others.
 * @returns false if there is more to do, with which the next call continues.
 * @throws Error the first failure, at the end.
 */
export async function runClock(request: Request, now: Date, time = new SharedTime(Infinity)): Promise<boolean> {
  const failures: unknown[] = [];
  let unfinished = clockWork;
  do {
    const round = unfinished;
    unfinished = [];
    for (const [index, work] of round.entries()) {
      try {
        if (!(await work.run(request, now, time.partOf(round.length - index)))) unfinished = [...unfinished, work];
      } catch (error) {
        failures.push(error);
      }
    }
  } while (unfinished.length > 0 && !time.isOver());
  if (failures.length > 0) throw failures[0];
  return unfinished.length === 0;
}

/** Tells whether the clock has anything to do, now or later. */
export async function isAnythingWaiting(request: Request): Promise<boolean> {
  const partitions = clockWork.flatMap(({ listWaiting }) => listWaiting());
  return (await Promise.all(partitions.map((partition) => isAnyIn(request, partition)))).includes(true);
}

async function isAnyIn(request: Request, partition: Partition): Promise<boolean> {
  for await (const page of queryPages<Key>(request, partition, { pageSize: 1 })) return page.length > 0;
  return false;
}
