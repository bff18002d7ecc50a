import { invalid, notFound } from '../errors.ts';
import type { EnvironmentPath } from '../features/environments/change-environment.ts';
import { readEnvironment } from '../features/environments/read-environment.ts';
import * as featureKeys from '../features/keys.ts';
import { isSignal, type SafeguardInput } from '../features/plans/safeguard-schema.ts';
import { listSafeguards, listWatchedSafeguards, type OwnedSafeguard } from '../features/plans/trigger-safeguards.ts';
import { requireLive } from '../features/require-feature.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { listImpactMetrics } from '../usage/impact-metrics/known-metrics.ts';
import type { SafeguardVerdict } from './evaluate.ts';
import { judgeSafeguard } from './measure.ts';
import type { SafeguardEvidenceView } from './safeguard-evidence-schema.ts';
import { createSignalToken } from './signals.ts';

/**
 * Lists the safeguards of a feature in an environment, and of its plan there, with what each of them measures now.
 * @throws ApiError 404 for an unknown project, environment or feature.
 */
export async function listEvidence(request: Request, path: EnvironmentPath): Promise<SafeguardEvidenceView[]> {
  const now = new Date();
  const { projectId: project, featureName, environment } = path;
  const [{ state }, item] = await Promise.all([
    loadState(request, path),
    readItem<{ readonly since: string }>(request, featureKeys.guarded(environment, featureName)),
  ]);
  const { plan } = state;
  const all = listSafeguards(state);
  const watched = new Set(listWatchedSafeguards(state).map(({ safeguard }) => safeguard));
  return Promise.all(
    all.map(async (owned) => {
      const isWatched = item !== undefined && watched.has(owned.safeguard);
      const place = { project, featureName, environment, watchedSince: item?.since ?? now.toISOString(), now };
      const verdict = isWatched ? await judgeSafeguard(request, owned, state, place) : undefined;
      const planId = owned.owner === 'plan' ? plan?.id : undefined;
      return viewEvidence(owned.safeguard, planId, verdict, now);
    }),
  );
}

async function loadState(request: Request, path: EnvironmentPath) {
  const { stored, value: state, version } = await readEnvironment(request, path);
  requireLive(stored);
  return { state, version };
}

/**
 * Creates the token for signals to a safeguard, in place of an earlier one.
 * @throws ApiError 404 for an unknown project, environment, feature or safeguard; 400 for a safeguard with other evidence, and for too
 * many safeguards of the feature with a token.
 */
export function issueSignalToken(request: Request, path: EnvironmentPath & { readonly id: string }): Promise<string> {
  return retryLostRaces(request, async () => {
    const [{ state, version }, tokens] = await Promise.all([
      loadState(request, path),
      queryAll<Key>(request, featureKeys.signals(path.featureName)),
    ]);
    const signalled = listSafeguards(state).filter(({ safeguard }) => safeguard.id === path.id);
    if (signalled.length === 0) throw notFound('safeguard', path.id);
    const metrics = signalled.map(({ safeguard }) => safeguard.impactMetric.metricName);
    if (!metrics.some(isSignal)) throw invalid(`The safeguard takes no signals: it watches ${metrics[0]}.`);
    return createSignalToken(request, { ...path, safeguardId: path.id }, version, tokens);
  });
}

const idleReason = 'There is nothing to stop: the feature is off, or its plan has not begun or stands still.';

function viewEvidence(
  { id, impactMetric: { metricName }, triggerCondition: { operator, threshold } }: OwnedSafeguard['safeguard'],
  planId: string | undefined,
  verdict: SafeguardVerdict | undefined,
  now: Date,
): SafeguardEvidenceView {
  const view = { id, releasePlanId: planId ?? null, metricName, operator, threshold };
  const unknown = { value: null, measuredAt: null, ageSeconds: null };
  if (verdict === undefined) return { ...view, state: 'idle', ...unknown, reason: idleReason };
  if (verdict.state === 'no data') return { ...view, ...unknown, ...verdict };
  const { state, value, at: measuredAt, note = null } = verdict;
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - Date.parse(measuredAt)) / 1_000));
  return { ...view, state, value, measuredAt, ageSeconds, reason: note };
}

/**
 * Refuses a percentile of an impact metric that is no histogram. A metric that was never reported may become one.
 * @throws ApiError 400
 */
export async function assertMeasurable(request: Request, { impactMetric }: SafeguardInput): Promise<void> {
  const { metricName, aggregationMode } = impactMetric;
  if (!aggregationMode.startsWith('p')) return;
  const metrics = await listImpactMetrics(request);
  const type = metrics.find(({ name }) => name === metricName)?.type ?? 'histogram';
  if (type === 'histogram') return;
  throw invalid(
    `${aggregationMode} needs a histogram, and ${metricName} is a ${type}.`,
    'impactMetric.aggregationMode',
  );
}
