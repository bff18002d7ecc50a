import { eachAlone } from '../entity/each-alone.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as partitions from '../store/partitions.ts';
import { queryPages } from '../store/read.ts';
import { cancelExpired } from './expire.ts';
import { sendWaitingMails } from './mails.ts';
import { applyDue } from './schedule.ts';

/**
 * Applies the requests whose time has come, cancels those that have expired, and sends the mails about any. A failure of one
 * holds up nothing else.
 * @throws the first failure, at the end.
 */
export function onTick(request: Request, now: Date): Promise<void> {
  return eachAlone([applyDue, cancelExpired, sendWaitingMails], (part) => part(request, now));
}

/** Tells whether anything waits for a tick. */
export async function isAnythingWaiting(request: Request): Promise<boolean> {
  const found = await Promise.all([partitions.schedules(), partitions.mails()].map((each) => isAnyIn(request, each)));
  return found.includes(true);
}

async function isAnyIn(request: Request, partition: ReturnType<typeof partitions.schedules>): Promise<boolean> {
  for await (const page of queryPages<Key>(request, partition, { pageSize: 1 })) return page.length > 0;
  return false;
}
