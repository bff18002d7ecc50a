import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../lib/request.ts';
import { plainInput } from './intercept.ts';
import { beforeRequests } from './store-requests.ts';

/** Longer than the requests take that were made at the same moment. */
const lateMs = 200;

/**
 * Keeps the first request that names something waiting until those beside it are answered, and lets something else happen
 * before it goes out.
 * @param named a part of the request as JSON.
 */
export function lateRequest(table: Request, named: string, happens: () => Promise<unknown>): void {
  let isDone = false;
  beforeRequests(table, async (input) => {
    if (isDone || !JSON.stringify(plainInput(input)).includes(named)) return;
    isDone = true;
    await sleep(lateMs);
    await happens();
  });
}
