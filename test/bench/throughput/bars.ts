import type { Workload } from './workload.ts';

/**
 * Least ratio of the peer's processor time of a call to ours, its store included: of each work that has no other, by its kind,
 * and of the middle of all works of a kind.
 */
export const ratioMin = 4;
export const middleRatioMins: Readonly<Record<Workload['kind'], number>> = { read: 8, write: 6 };

/** Least ratio of Unleash Edge's processor time of a request of SDKs to ours. */
export const edgeRatioMins = { evaluated: 1.2, all: 5, notModified: 6 };

/** Most that a poll answered with 304 may cost, as a multiple of what Node's own server takes for it. */
export const bareRatioMax = 2;

/** Limits for a server on an empty folder, and for one with 5,000 features. */
export const footprintMax = { startSeconds: 1, megabytes: 250 };

/** The connections at which that must hold. */
export const barConnections = 16;

/** Most microseconds of processor time that counting for metrics adds to a request, and to a request to the store. */
export const countingMicrosecondsMax = 2;

/** Least ratio of the speed to the peer's, and most milliseconds, for an import of 1,000 features. */
export const importRatioMin = 5;
export const importMsMax = 2_000;

/** Most milliseconds for switching 100 features off. */
export const bulkOff100MsMax = 40;

/** Limits for the first poll after a change of one of 1,000 flags. */
export const afterChangeMax = { requests: 4, waits: 3, readUnits: 200, processorMs: 20 };

/** Most milliseconds from a change to its webhook; `besideMs` is of the longest one where another receiver hangs. */
export const deliveryMax = { p50Ms: 1_600, p99Ms: 2_500, besideMs: 16_000 };

/** Most milliseconds for a poll or a change beside many sign-ins, on two processors. */
export const besideSignInsMsMax = 3_000;

/** Least webhooks in a second to a receiver that answers at once. */
export const deliveriesPerSecondMin = 200;

/** Most milliseconds for the first search of a process in 5,000 features. */
export const coldSearchMsMax = 400;

/** Most milliseconds of processor time of a call that evaluates flags, whatever is stored and sent. */
export const evaluationMax = { requestMs: 300, playgroundMs: 3_000 };

/** Most that a call may cost in the largest table, as a multiple of its cost in the smallest. */
export const growthMax = 1.3;

/** Most that it may cost to switch a feature with 30 strategies, as a multiple of the cost with one. */
export const switchMax = 1.2;

/** A promise about a figure, held or not. A figure that is no number holds nothing. */
export interface BarVerdict {
  readonly kept: boolean;
  /** Explanation for the reader of the figures. */
  readonly words: string;
}

/** Verdict on work without a successful call, for every bar. */
export const nothingDone: BarVerdict = { kept: false, words: 'MISSED: no call succeeded' };

export function atLeast(value: number, min: number, what: string, unit = ''): BarVerdict {
  // Where nothing was measured to compare with, the ratio is infinite.
  return verdict(Number.isFinite(value) && value >= min, `${what} ${shown(value)}${unit}, at least ${min}${unit}`);
}

export function atMost(value: number, max: number, what: string, unit = ''): BarVerdict {
  return verdict(value <= max, `${what} ${shown(value)}${unit}, at most ${max}${unit}`);
}

function verdict(kept: boolean, words: string): BarVerdict {
  return { kept, words: kept ? words : `MISSED: ${words}` };
}

function shown(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}
