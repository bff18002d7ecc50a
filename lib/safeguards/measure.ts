import type { FeatureEnvironment } from '../features/feature.ts';
import { alarmOf, isSignal } from '../features/plans/safeguard-schema.ts';
import type { OwnedSafeguard } from '../features/plans/trigger-safeguards.ts';
import type { Request } from '../request.ts';
import { measureAlarm } from './alarm-evidence.ts';
import { measureCounts, rangeSeconds } from './count-evidence.ts';
import { type Evidence, evaluateSafeguard, type SafeguardVerdict } from './evaluate.ts';
import { measureSignal } from './signals.ts';
import { type EvidenceStart, findEvidenceStart } from './window.ts';

/** The place of safeguards, and the moment at which they are measured. */
export interface WatchedPlace {
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

function measure(
  request: Request,
  safeguard: OwnedSafeguard['safeguard'],
  start: EvidenceStart,
  { featureName, environment, now }: WatchedPlace,
): Promise<Evidence> {
  const { metricName, timeRange } = safeguard.impactMetric;
  const alarm = alarmOf(metricName);
  if (alarm !== undefined) return measureAlarm(request, alarm, start.exact);
  if (isSignal(metricName)) {
    const address = { featureName, environment, safeguardId: safeguard.id };
    return measureSignal(request, address, { since: start.exact, now, rangeMs: rangeSeconds[timeRange] * 1_000 });
  }
  return measureCounts(request, safeguard, { feature: featureName, environment, since: start.minutes, now });
}
