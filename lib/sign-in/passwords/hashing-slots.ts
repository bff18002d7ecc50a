import { ApiError } from '../../errors.ts';

/** The maximum number of requests that hash passwords, or wait for that, at the same time: in this process, and per caller. */
const hashingSlots = { total: 20, perCaller: 10 } as const;

/** The seconds within which all of these are answered, even on a busy machine. */
const retryAfterSeconds = 5;

/** The number of running requests by caller. */
const running = new Map<string, number>();
let totalRunning = 0;

/**
 * Runs a request that hashes passwords. Only a few may run or wait at a time, so that a flood of them is refused at once and costs
 * almost nothing. No caller gets all slots, so that others can sign in during a flood from one address.
 * @param caller the address or account of the caller; empty if unknown.
 * @throws ApiError 429 if too many such requests are running, for the caller or in total.
 */
export async function withHashingSlot<T>(caller: string, run: () => Promise<T>): Promise<T> {
  if (caller !== '' && (running.get(caller) ?? 0) >= hashingSlots.perCaller) throw tooMany('of yours ');
  if (totalRunning >= hashingSlots.total) throw tooMany();
  count(caller, 1);
  try {
    return await run();
  } finally {
    count(caller, -1);
  }
}

/** Returns the refusal. It is not a 503, after which load balancers would take this server out of service for everyone. */
function tooMany(owner = ''): ApiError {
  const message = `Too many requests ${owner}with passwords are running; try again in a few seconds.`;
  return new ApiError('TooManyRequests', message, undefined, { retryAfterSeconds });
}

function count(caller: string, amount: 1 | -1): void {
  totalRunning += amount;
  const remaining = (running.get(caller) ?? 0) + amount;
  if (remaining === 0) running.delete(caller);
  else running.set(caller, remaining);
}
