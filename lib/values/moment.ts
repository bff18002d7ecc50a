/** Moment by the wall clock and by the monotonic clock. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** Returns the present moment. */
export const now = (): Moment => ({ wall: Date.now(), monotonic: performance.now() });

/**
 * Tells whether less time has passed since a moment. Either clock can miss some: the wall clock is set back now and
 * then, and the monotonic one may stop while Lambda keeps a process frozen.
 * @param at the present, where it is known already.
 */
export function isWithin({ wall, monotonic }: Moment, ms: number, at = now()): boolean {
  return at.wall >= wall && Math.max(at.wall - wall, at.monotonic - monotonic) < ms;
}

/** Tells whether so much time has passed since a moment, or there was none yet. */
export function isOver(since: Moment | undefined, ms: number): boolean {
  return since === undefined || !isWithin(since, ms);
}
