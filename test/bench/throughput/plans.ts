import type { GrowthPlan } from './growth.ts';
import type { LargePlan } from './large-work.ts';
import type { MeasuringPlan } from './measure.ts';

export interface WholePlan {
  readonly operations: MeasuringPlan;
  readonly large: LargePlan;
  /** Number of timed polls after a change. */
  readonly polls: number;
  /** Number of changes that are sent to integrations. */
  readonly deliveries: number;
  /** Number of processes that do their first search. */
  readonly coldSearches: number;
  /** Duration of the flood of sign-ins beside which polls and changes are timed, in seconds. */
  readonly floodSeconds: number;
  readonly growth: GrowthPlan;
}

/** Extent of the measurements: for one minute, or for half an hour. */
export const plans: Readonly<Record<'quick' | 'full', WholePlan>> = {
  quick: {
    operations: { rounds: 2, secondsMax: 2, seconds: 0.15, warmSeconds: 0.2, freshSeconds: 0 },
    large: { rounds: 3, secondsMax: 5, imports: [100], bulks: [10, 100], archives: [30], events: [50] },
    polls: 15,
    deliveries: 100,
    coldSearches: 3,
    floodSeconds: 5,
    growth: { sizes: [1_000, 10_000], turns: 7, callsPerTurn: 8 },
  },
  full: {
    operations: { rounds: 7, secondsMax: 15, seconds: 0.4, warmSeconds: 4, freshSeconds: 8 },
    large: {
      rounds: 7,
      secondsMax: 20,
      imports: [100, 1_000],
      bulks: [10, 100, 300],
      archives: [30, 3_000],
      events: [50, 5_000],
    },
    polls: 60,
    deliveries: 1_000,
    coldSearches: 9,
    floodSeconds: 15,
    growth: { sizes: [1_000, 10_000, 100_000], turns: 15, callsPerTurn: 10 },
  },
};
