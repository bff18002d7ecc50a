import type { Workload } from './workload.ts';

/** How many times the peer's throughput each kind of work must reach. Writers of one thing wait for each other there, too. */
export const ratioMins: Readonly<Record<Workload['kind'], number>> = { read: 2, write: 2, contended: 1.1 };

/** The connections at which that must hold. */
export const barConnections = 16;

/** How many times as fast as the peer's an import of 1,000 features must be, and how many milliseconds it may take. */
export const importRatioMin = 5;
export const importMsMax = 2_000;

/** How many milliseconds it may take to switch 100 features off. */
export const bulkOff100MsMax = 80;

/** What the first poll after a change of one of 1,000 flags may take. */
export const afterChangeMax = { requests: 4, waits: 3, readUnits: 200, processorMs: 20 };

/** How many milliseconds the first search of a process in 5,000 features may take. */
export const coldSearchMsMax = 400;

/**
 * How many times as much processor time the SDK's own steps take for a request as ours, which would not be worth it below.
 */
export const leanRatioMin = 1.1;

/** How much dearer a call may be in the largest table than in the smallest. */
export const growthMax = 1.3;

/** How much dearer it may be to switch a feature that has 30 strategies than one that has a single one. */
export const switchMax = 1.2;

/** A promise about a figure, held or not. A figure that is no number holds nothing. */
export interface Verdict {
  readonly kept: boolean;
  /** For the reader of the figures. */
  readonly words: string;
}

/** Whatever the bar is. */
export const nothingDone: Verdict = { kept: false, words: 'MISSED: no call succeeded' };

export function atLeast(value: number, min: number, what: string, unit = ''): Verdict {
  // Where nothing was measured to compare with, the ratio is infinite.
  return verdict(Number.isFinite(value) && value >= min, `${what} ${shown(value)}${unit}, at least ${min}${unit}`);
}

export function atMost(value: number, max: number, what: string, unit = ''): Verdict {
  return verdict(value <= max, `${what} ${shown(value)}${unit}, at most ${max}${unit}`);
}

function verdict(kept: boolean, words: string): Verdict {
  return { kept, words: kept ? words : `MISSED: ${words}` };
}

function shown(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}
