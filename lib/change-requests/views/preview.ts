import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import { buildPatch } from '../../helpers/apply-patch.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { loadToApply, previewApplication } from '../apply.ts';
import { isClosed } from '../change-request.ts';
import type { RequestPlace } from '../change-request-schema.ts';
import { loadChangeRequest } from '../change-requests.ts';

import { loadRules } from '../rules.ts';

const nothing: ReturnType<typeof previewApplication> = {
  plan: { features: [], segments: [], conflicts: [], conditions: [] },
  transactions: [],
};

/**
 * Returns the effects that applying a request would have now: the patches of each feature and segment, the events, and all
 * that stands against it.
 * @throws ApiError 404 for an unknown request.
 */
export async function previewChangeRequest(request: Request, caller: Caller, place: RequestPlace) {
  const found = await loadChangeRequest(request, caller, place);
  const { value } = found;
  const { plan, transactions } = isClosed(value)
    ? nothing
    : await retryLostRaces(request, async () => {
        const rules = loadRules(request, value.project, value.environment);
        return previewApplication(request, await loadToApply(request, found, rules));
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
    events: [...plan.segments, ...plan.features].flatMap(({ events }) =>
      events.map(({ type, featureName, data, preData }) => ({
        type,
        ...(featureName !== undefined && { featureName }),
        data: data ?? null,
        preData: preData ?? null,
      })),
    ),
    conflicts: plan.conflicts.map(({ change, message, differences = [] }) => ({
      change,
      message,
      differences: [...differences],
    })),
  };
}
