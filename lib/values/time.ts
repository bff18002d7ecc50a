/** A moment by the wall clock and by the monotonic clock, in milliseconds. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** Reads both clocks. */
export const readClocks = (): Moment => ({ wall: Date.now(), monotonic: performance.now() });

/**
 * Tells whether less time than `ms` has passed since a moment. It uses both clocks: the wall clock may be set back, and the monotonic
 * clock may stop while Lambda freezes a process.
 * @param at the current moment, if the caller knows it already.
 */
export function isWithin({ wall, monotonic }: Moment, ms: number, at = readClocks()): boolean {
  return at.wall >= wall && Math.max(at.wall - wall, at.monotonic - monotonic) < ms;
}

/** Tells whether `ms` have passed since a moment; true without a moment. */
export function hasElapsed(since: Moment | undefined, ms: number, at = readClocks()): boolean {
  return since === undefined || !isWithin(since, ms, at);
}

/** Returns a time plus `seconds`, in seconds since 1970, which is DynamoDB's format of an expiry. */
export function computeExpiry(seconds: number, from: number | Date = Date.now()): number {
  return Math.floor(Number(from) / 1_000) + seconds;
}

/** Tells whether an item has not expired yet. DynamoDB removes an expired item only after a while. */
export function isUnexpired({
  expiresAtSeconds = Number.POSITIVE_INFINITY,
}: {
  readonly expiresAtSeconds?: number;
}): boolean {
  return expiresAtSeconds > Date.now() / 1_000;
}
