import type { FeatureEnvironment } from '../features/feature.ts';
import { findActiveMilestone } from '../features/plans/release-plan.ts';

const minuteMs = 60_000;

/** The moments from which evidence counts, in milliseconds since 1970. */
export interface EvidenceStart {
  /** For things with an exact time, such as signals. */
  readonly exact: number;
  /** For sums by the minute: the beginning of the first minute. */
  readonly minutes: number;
}

/**
 * Returns the moments from which evidence counts for the safeguards of a feature in an environment, or for those of its plan. What
 * happened before the active milestone started is not its fault, and a plan that a person resumed is not stopped again by what stopped
 * it before. The minute of a start counts as a whole, and that of a resumption not at all.
 * @param watchedSince the time since which the feature has been switched on with a running safeguard.
 */
export function findEvidenceStart(
  { plan }: Pick<FeatureEnvironment, 'plan'>,
  owner: 'environment' | 'plan',
  watchedSince: string,
): EvidenceStart {
  const ofPlan = owner === 'plan' && plan !== undefined;
  const startedAt = ofPlan ? findActiveMilestone(plan)?.startedAt : undefined;
  const resumedAt = ofPlan ? plan.resumedAt : undefined;
  const starts = [watchedSince, startedAt ?? watchedSince].map((time) => Date.parse(time));
  const resumption = resumedAt === undefined ? 0 : Date.parse(resumedAt);
  const latestStart = Math.max(...starts);
  return {
    exact: Math.max(latestStart, resumption),
    minutes: Math.max(Math.floor(latestStart / minuteMs) * minuteMs, Math.ceil(resumption / minuteMs) * minuteMs),
  };
}
