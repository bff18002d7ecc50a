import type { FeatureEnvironment } from '../features/environments/feature-environment.ts';
import { alarmOf, isSignal } from '../features/plans/safeguard-schema.ts';
import type { OwnedSafeguard } from '../features/plans/trigger-safeguards.ts';
import { loadPrivateProjects } from '../identity/access-flags/access-flags.ts';
import type { Request } from '../request.ts';
import { measureAlarm } from './alarm-evidence.ts';
import { measureCounts, rangeSeconds } from './count-evidence.ts';
import { type Evidence, evaluateSafeguard, type SafeguardVerdict } from './evaluate.ts';
import { measureSignal } from './signals.ts';
import { type EvidenceStart, findEvidenceStart } from './window.ts';

/** The place of safeguards, and the moment at which they are measured. */
export interface WatchedPlace {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  /** The time since which the feature has been switched on with a running safeguard. */
  readonly watchedSince: string;
  readonly now: Date;
}

/** Measures a safeguard, and compares the result with its threshold. */
export async function judgeSafeguard(
  request: Request,
  { safeguard, owner }: OwnedSafeguard,
  state: Pick<FeatureEnvironment, 'plan'>,
  place: WatchedPlace,
): Promise<SafeguardVerdict> {
  const start = findEvidenceStart(state, { owner, safeguard }, place.watchedSince);
  return evaluateSafeguard(safeguard, await measure(request, safeguard, start, place));
}

async function measure(
  request: Request,
  safeguard: OwnedSafeguard['safeguard'],
  start: EvidenceStart,
  { project, featureName, environment, now }: WatchedPlace,
): Promise<Evidence> {
  const { metricName, timeRange } = safeguard.impactMetric;
  const alarm = alarmOf(metricName);
  if (alarm !== undefined) return measureAlarm(request, alarm, start.exact);
  if (isSignal(metricName)) {
    const address = { featureName, environment, safeguardId: safeguard.id };
    return measureSignal(request, address, { since: start.exact, now, rangeMs: rangeSeconds[timeRange] * 1_000 });
  }
  return measureCounts(await withViewOf(request, project), safeguard, {
    feature: featureName,
    environment,
    since: start.minutes,
    now,
  });
}

/**
 * Returns a request that sees what everybody who sees a project may see. Its safeguards show what they measure, so that they must not
 * measure what only other private projects report.
 */
async function withViewOf<R extends Request>(request: R, project: string): Promise<R> {
  const hidden = new Set(await loadPrivateProjects(request));
  hidden.delete(project);
  return { ...request, hiddenProjects: hidden };
}
