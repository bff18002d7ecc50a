import { eachAlone } from '../../entity/each-alone.ts';
import type { Request } from '../../request.ts';
import { mailSender } from '../../sign-in/send-mail.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryPages } from '../../store/read.ts';
import * as changeRequestKeys from '../keys.ts';
import { sendWaitingMails } from '../mails/mails.ts';
import { cancelExpired } from './expire.ts';
import { applyDue } from './schedule.ts';

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
export function onTick(request: Request, now: Date): Promise<void> {
  return eachAlone(clockWork, (work) => work(request, now));
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
