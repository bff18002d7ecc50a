import { ApiError } from '../../errors.ts';

/** Number of requests that may hash passwords, or wait for that, at a time: in this process, and of one caller among them. */
const hashingPlaces = { inAll: 20, ofCaller: 10 } as const;

/** Seconds in which all of these have been answered, even on a busy machine. */
const retryAfterSeconds = 5;

/** Number of requests under way, by caller. */
const underWay = new Map<string, number>();
let allUnderWay = 0;

/**
 * Carries out a request that hashes passwords. Only a few wait for that at a time, so that a flood of them is refused at once
 * and costs next to nothing. No caller has all places, so that others sign in beside a flood from one address.
 * @param caller address or account from which the request comes; empty if unknown.
 * @throws ApiError 429 if too many such requests are under way, of the caller or in all.
 */
export async function withHashingPlace<T>(caller: string, run: () => Promise<T>): Promise<T> {
  if (caller !== '' && (underWay.get(caller) ?? 0) >= hashingPlaces.ofCaller) throw tooMany('of yours ');
  if (allUnderWay >= hashingPlaces.inAll) throw tooMany();
  count(caller, 1);
  try {
    return await run();
  } finally {
    count(caller, -1);
  }
}

/** Returns the refusal; no 503, by which load balancers would take a server away from those who need no password. */
function tooMany(whose = ''): ApiError {
  const message = `Too many requests ${whose}with passwords are under way; try again in a few seconds.`;
  return new ApiError('TooManyRequests', message, undefined, { retryAfterSeconds });
}

function count(caller: string, amount: 1 | -1): void {
  allUnderWay += amount;
  const left = (underWay.get(caller) ?? 0) + amount;
  if (left === 0) underWay.delete(caller);
  else underWay.set(caller, left);
}
