import * as changeRequestKeys from '../change-requests/keys.ts';
import { sendWaitingMails } from '../change-requests/mails/mails.ts';
import { cancelExpired } from '../change-requests/schedules/expiry.ts';
import { applyDue } from '../change-requests/schedules/schedule.ts';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import * as featureKeys from '../features/keys.ts';
import { runEach } from '../helpers/run-all.ts';
import { addCheckpoint } from '../history/checkpoints.ts';
import { sealEvents } from '../history/seal-events.ts';
import { startDueMilestones } from '../release-plans/start-due-milestones.ts';
import type { Request } from '../request.ts';
import { watchSafeguards } from '../safeguards/watch.ts';
import { mailSender } from '../sign-in/send-mail.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryPages } from '../store/read.ts';
import { recordFinishedWeeks } from '../trends/record-trends.ts';

/** A kind of work that waits for its time, or that is done each minute. */
export interface ClockWork {
  readonly name: string;
  /**
   * Does the work that is due. Several processes can run it at the same time, and each can die at any point.
   * @throws Error the first failure, after the rest of the work.
   */
  readonly run: (request: Request, now: Date) => Promise<void>;
  /**
   * Returns the partitions that hold an item as long as work waits. The clock stays on while one of them has any. The creation of an
   * item turns it on, so the triggers in `infra/clock.ts` must contain the partitions.
   */
  readonly listWaiting: () => readonly Partition[];
}

/** All kinds of work of the clock. Mails are last, so that they include those of the other work. */
export const clockWork: readonly ClockWork[] = [
  { name: 'schedules', run: applyDue, listWaiting: () => [changeRequestKeys.schedules()] },
  // Before milestones: a plan that has to stop must not move on first.
  { name: 'safeguards', run: watchSafeguards, listWaiting: () => [featureKeys.allGuarded()] },
  {
    name: 'milestones',
    run: (request, now) => startDueMilestones(withSuspension(request), now),
    listWaiting: () => [featureKeys.planSteps()],
  },
  // An expiry is days away. The removal of an item by the store's time to live turns the clock on for it.
  { name: 'expiries', run: cancelExpired, listWaiting: () => [] },
  // Nothing turns the clock on for events that wait for a seal: it is called each hour.
  { name: 'seals', run: sealHistory, listWaiting: () => [] },
  // A request for trends records them as well, so the clock does not stay on for them.
  { name: 'trends', run: recordFinishedWeeks, listWaiting: () => [] },
  {
    name: 'mails',
    run: sendWaitingMails,
    listWaiting: () => (mailSender() === undefined ? [] : [changeRequestKeys.mails()]),
  },
];

async function sealHistory(request: Request, now: Date): Promise<void> {
  if (await sealEvents(request, now)) await addCheckpoint(request);
}

/**
 * Does all work of the clock that is due, one kind after the other. A failure of one kind does not prevent the others.
 * @throws Error the first failure, at the end.
 */
export function runClock(request: Request, now: Date): Promise<void> {
  return runEach(clockWork, ({ run }) => run(request, now));
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
