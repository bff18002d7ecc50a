import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { patchBetween } from '../helpers/apply-patch.ts';
import type { Caller } from '../people/rights/caller.ts';
import type { Request } from '../request.ts';
import { transactionsOf } from './apply.ts';
import { loadChangeRequest } from './change-requests.ts';
import type { RequestPlace } from './edit.ts';
import { presentPlan } from './plan.ts';

/**
 * Returns the effects that applying a request would have now: the patches of each feature and segment, the events, and all
 * that stands against it.
 * @throws ApiError 404 for an unknown request.
 */
export async function previewChangeRequest(request: Request, caller: Caller, place: RequestPlace) {
  const { value } = await loadChangeRequest(request, caller, place);
  const plan = (await presentPlan(request, value)) ?? { features: [], segments: [], conflicts: [], conditions: [] };
  const stateOf = (feature: Feature) => ({
    archived: feature.archivedAt !== null,
    dependencies: feature.dependencies,
    ...environmentOfFeature(feature, value.environment),
  });
  return {
    contentHash: value.contentHash,
    transactions: transactionsOf(request, value, plan),
    features: plan.features.flatMap(({ name, stored, after }) =>
      stored === undefined || after === undefined
        ? []
        : [{ name, patch: patchBetween(stateOf(stored.feature), stateOf(after)) }],
    ),
    segments: plan.segments.map(({ id, events }) => ({
      id,
      patch: events.flatMap(({ data, preData }) => patchBetween(preData ?? {}, data ?? {})),
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
