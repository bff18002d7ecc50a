import type { Request } from '../request.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { isWithin, type Moment, readClocks } from '../values/time.ts';

/** Time for which a token and the roles of its user are trusted without asking the store, and so the delay of a revocation. */
export const identityTrustMs = 5_000;
/** Time that a caller waits for the store in an outage, before the remembered value is trusted. */
const outagePatienceMs = 1_000;
/** More than most services have tokens and users: the tokens of streams are checked every second, and each beyond this is read again. */
const rememberedMax = 10_000;

interface Remembered {
  readonly value: unknown;
  readonly since: Moment;
  /** Time at which the store was last asked whether the value still holds. */
  askedAt?: Moment;
}

/** Memories by open store. */
const memoryOf = cachePerObject((_: Request['store']) => new BoundedMap<string, Remembered>(rememberedMax));
/** Numbers of the latest read or change of each value. */
const turnsOf = cachePerObject((_: Request['store']) => new BoundedMap<string, number>(rememberedMax));
let lastTurn = 0;

/**
 * Returns a value that was read less than `identityTrustMs` ago, and otherwise reads it. Missing values are not remembered, so
 * that a new token works at once.
 */
export async function remember<T>(
  request: Request,
  id: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = memoryOf(request.store).get(id);
  return known !== undefined && isWithin(known.since, identityTrustMs) ? (known.value as T) : learn(request, id, read);
}

/**
 * Returns a value as `remember` does, but also while the store cannot be reached: the last known value holds until the store
 * says otherwise. One caller a second asks, early enough to notice a revocation within `identityTrustMs`.
 */
export async function rememberThroughOutage<T>(
  request: Request,
  id: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = memoryOf(request.store).get(id);
  if (known === undefined) return learn(request, id, read);
  if (isTrustedThroughOutage(known)) return known.value as T;
  known.askedAt = readClocks();
  const { promise: timeout, resolve: timeOut } = Promise.withResolvers<T>();
  const timer = setTimeout(() => timeOut(known.value as T), outagePatienceMs);
  try {
    return await Promise.race([learn(request, id, read), timeout]);
  } catch {
    return known.value as T;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the value of `rememberThroughOutage` if that needs no read; undefined otherwise. */
export function recallThroughOutage<T>(request: Request, id: string, at: Moment): T | undefined {
  const known = memoryOf(request.store).get(id);
  return known !== undefined && isTrustedThroughOutage(known, at) ? (known.value as T) : undefined;
}

function isTrustedThroughOutage({ since, askedAt }: Remembered, at = readClocks()): boolean {
  return (
    isWithin(since, identityTrustMs - outagePatienceMs, at) ||
    (askedAt !== undefined && isWithin(askedAt, outagePatienceMs, at))
  );
}

/** Tells whether this process has read a value from the store, however long ago. */
export function isRemembered(request: Request, id: string): boolean {
  return memoryOf(request.store).has(id);
}

/** Remembers a value that was just stored; other processes may trust theirs for `identityTrustMs` more. */
export function rememberStored(request: Request, id: string, value: unknown): void {
  keep(request, id, nextTurn(), { value, since: readClocks() });
}

/** Forgets a value that was just removed; other processes may trust theirs for `identityTrustMs` more. */
export function forget(request: Request, id: string): void {
  keep(request, id, nextTurn(), undefined);
}

async function learn<T>(request: Request, id: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
  const [turn, since] = [nextTurn(), readClocks()];
  const value = await read();
  keep(request, id, turn, value === undefined ? undefined : { value, since });
  return value;
}

function nextTurn(): number {
  lastTurn += 1;
  return lastTurn;
}

/** Remembers or forgets a value, unless a later turn has: a read may end after a change that it has not seen. */
function keep({ store }: Request, id: string, turn: number, remembered: Remembered | undefined): void {
  const turns = turnsOf(store);
  if ((turns.get(id) ?? 0) > turn) return;
  turns.set(id, turn);
  if (remembered === undefined) memoryOf(store).delete(id);
  else memoryOf(store).set(id, remembered);
}
