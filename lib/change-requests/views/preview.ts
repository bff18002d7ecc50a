import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import { buildPatch } from '../../helpers/apply-patch.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { loadApplicationFacts, previewApplication } from '../apply.ts';
import { isClosed } from '../change-request.ts';
import type { RequestPath } from '../change-request-schema.ts';
import { loadChangeRequest } from '../change-requests.ts';
import { loadRules } from '../rules.ts';
import { explainConflicts } from './conflict-causes.ts';

const nothing: ReturnType<typeof previewApplication> = {
  plan: { features: [], segments: [], conflicts: [], conditions: [] },
  transactions: [],
};

/**
 * Returns the effects that applying a request would have now: the patch of each feature and segment, the events, and the
 * conflicts that prevent it.
 * @throws ApiError 404 for an unknown request.
 */
export async function previewChangeRequest(request: Request, caller: Caller, path: RequestPath) {
  const stored = await loadChangeRequest(request, caller, path);
  const { value } = stored;
  const { plan, transactions } = isClosed(value)
    ? nothing
    : await retryLostRaces(request, async () => {
        const rules = loadRules(request, value.project, value.environment);
        return previewApplication(request, await loadApplicationFacts(request, stored, rules));
      });
  const stateOf = (feature: Feature) => ({
    archived: feature.archivedAt !== null,
    dependencies: feature.dependencies,
    ...environmentOfFeature(feature, value.environment),
  });
  return {
    contentHash: value.contentHash,
    transactions,
    features: plan.features.flatMap(({ name, stored, after }) =>
      stored === undefined || after === undefined
        ? []
        : [{ name, patch: buildPatch(stateOf(stored.feature), stateOf(after)) }],
    ),
    segments: plan.segments.map(({ id, events }) => ({
      id,
      patch: events.flatMap(({ data, preData }) => buildPatch(preData ?? {}, data ?? {})),
    })),
    events: [...plan.segments, ...plan.features.flatMap(({ steps }) => steps)].flatMap(({ change, events }) =>
      events.map(({ type, featureName, data, preData }) => ({
        change,
        type,
        ...(featureName !== undefined && { featureName }),
        data: data ?? null,
        preData: preData ?? null,
      })),
    ),
    conflicts: await explainConflicts(request, value, plan.conflicts),
  };
}
