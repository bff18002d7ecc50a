import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { systemUser } from '../../events/actor.ts';
import { runEach } from '../../helpers/run-all.ts';
import type { Request } from '../../request.ts';
import { mailSender } from '../../sign-in/send-mail.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryPages } from '../../store/read.ts';
import { expiryOf } from '../change-request.ts';
import { changeRequests, decideCancellation } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { sendWaitingMails } from '../mails/mails.ts';
import { applyDue, listDue } from './schedule.ts';

/** The tasks of the clock: apply due requests, cancel expired ones, and send mails. */
export const clockWork: readonly ((request: Request, now: Date) => Promise<void>)[] = [
  applyDue,
  cancelExpired,
  sendWaitingMails,
];

/**
 * Runs all tasks of the clock, mails last. A failure of one task does not prevent the others.
 * @throws Error the first failure, at the end.
 */
export function runClock(request: Request, now: Date): Promise<void> {
  return runEach(clockWork, (work) => work(request, now));
}

/** Tells whether the clock has anything to do, now or later. */
export async function isAnythingWaiting(request: Request): Promise<boolean> {
  const mails = mailSender() === undefined ? [] : [changeRequestKeys.mails()];
  const partitions = [changeRequestKeys.schedules(), ...mails];
  return (await Promise.all(partitions.map((partition) => isAnyIn(request, partition)))).includes(true);
}

async function isAnyIn(request: Request, partition: ReturnType<typeof changeRequestKeys.schedules>): Promise<boolean> {
  for await (const page of queryPages<Key>(request, partition, { pageSize: 1 })) return page.length > 0;
  return false;
}

/** Cancels the requests that have expired. @internal */
export async function cancelExpired(request: Request, now: Date): Promise<void> {
  await runEach(await listDue(request, changeRequestKeys.expiries(), now), ({ id, at: expiresAt }) =>
    change(request, systemUser, {
      of: [changeRequestKeys.changeRequest(id)],
      read: () => changeRequests.find(request, id),
      revisionOf: (before) => before,
      decide: (before, at) => {
        if (before === undefined || expiryOf(before.value) !== expiresAt) return { ...noEffects, result: undefined };
        return decideCancellation(before, at, `It was neither applied nor scheduled by ${expiresAt}.`);
      },
    }),
  );
}
