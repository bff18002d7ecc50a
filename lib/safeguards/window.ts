import type { FeatureEnvironment } from '../features/environments/feature-environment.ts';
import { findActiveMilestone } from '../features/plans/release-plan.ts';
import type { OwnedSafeguard } from '../features/plans/trigger-safeguards.ts';

const minuteMs = 60_000;

/** The moments from which evidence counts, in milliseconds since 1970. */
export interface EvidenceStart {
  /** The start for things with an exact time, such as signals. */
  readonly exact: number;
  /** The start for sums by the minute: the beginning of the first minute. */
  readonly minutes: number;
}

/**
 * Returns the moments from which evidence counts for a safeguard. What happened before the active milestone started is not its fault. A
 * plan that a person resumed or moved on is not stopped again by what stopped it before, nor is a feature that was switched on again. The
 * minute of a start counts as a whole; that of a resumption or of a start during a pause, and that in which the safeguard last acted, do
 * not count at all.
 * @param watchedSince the time since which the feature has been switched on with a running safeguard.
 */
export function findEvidenceStart(
  { plan }: Pick<FeatureEnvironment, 'plan'>,
  { owner, safeguard }: OwnedSafeguard,
  watchedSince: string,
): EvidenceStart {
  const ofPlan = owner === 'plan' ? plan : undefined;
  const starts = parseTimes(watchedSince, ofPlan && findActiveMilestone(ofPlan)?.startedAt);
  const stops = parseTimes(ofPlan?.resumedAt, ofPlan?.movedOnAt, safeguard.triggeredAt);
  return {
    exact: Math.max(...starts, ...stops),
    minutes: Math.max(...starts.map(beginOfMinute), ...stops.map((time) => beginOfMinute(time) + minuteMs)),
  };
}

function parseTimes(...times: readonly (string | undefined)[]): number[] {
  return times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
}

function beginOfMinute(time: number): number {
  return Math.floor(time / minuteMs) * minuteMs;
}
