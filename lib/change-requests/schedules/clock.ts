import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { systemUser } from '../../events/actor.ts';
import { runEach } from '../../helpers/run-all.ts';
import type { Request } from '../../request.ts';
import { mailSender } from '../../sign-in/send-mail.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryPages } from '../../store/read.ts';
import { requestExpiry } from '../change-request.ts';
import { changeRequests, decideCancellation } from '../change-requests.ts';
import * as changeRequestKeys from '../keys.ts';
import { sendWaitingMails } from '../mails/mails.ts';
import { applyDue, dueIn } from './schedule.ts';

/** The work of the clock: applies the requests whose time has come, cancels those that have expired, sends mails about any. */
export const clockWork: readonly ((request: Request, now: Date) => Promise<void>)[] = [
  applyDue,
  cancelExpired,
  sendWaitingMails,
];

/**
 * Does all the work of the clock, the mails about the rest at the end. A failure of one part holds up no other.
 * @throws the first failure, at the end.
 */
export function runClock(request: Request, now: Date): Promise<void> {
  return runEach(clockWork, (work) => work(request, now));
}

/** Tells whether anything waits for a tick. */
export async function isAnythingWaiting(request: Request): Promise<boolean> {
  const mails = mailSender() === undefined ? [] : [changeRequestKeys.mails()];
  const found = await Promise.all([changeRequestKeys.schedules(), ...mails].map((each) => isAnyIn(request, each)));
  return found.includes(true);
}

async function isAnyIn(request: Request, partition: ReturnType<typeof changeRequestKeys.schedules>): Promise<boolean> {
  for await (const page of queryPages<Key>(request, partition, { pageSize: 1 })) return page.length > 0;
  return false;
}

/** Cancels the requests that have expired by a moment. @internal */
export async function cancelExpired(request: Request, now: Date): Promise<void> {
  await runEach(await dueIn(request, changeRequestKeys.expiries(), now), ({ id, at: expiresAt }) =>
    change(request, systemUser, {
      of: [changeRequestKeys.changeRequest(id)],
      read: () => changeRequests.find(request, id),
      revisionOf: (before) => before,
      decide: (before, at) => {
        if (before === undefined || requestExpiry(before.value) !== expiresAt)
          return { ...noEffects, result: undefined };
        return decideCancellation(before, at, `It was neither applied nor scheduled by ${expiresAt}.`);
      },
    }),
  );
}
