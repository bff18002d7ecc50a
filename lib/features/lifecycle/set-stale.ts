import type { FlagRequest } from '../../entity/effects.ts';
import type { Actor } from '../../events/actor.ts';
import { changeFeatures, toFeatureUnit } from '../change-features.ts';
import { featureStale } from '../feature-events.ts';
import { loadRest } from '../feature-store.ts';
import { requireLiveHead } from '../require-feature.ts';

/**
 * Marks features as stale or not stale.
 * @throws ApiError 404 for the first feature that is unknown, archived or of another project; 400 for more writes than a
 * request may have.
 */
export function setStale(
  request: FlagRequest,
  actor: Actor,
  projectId: string,
  { features, stale }: { readonly features: readonly string[]; readonly stale: boolean },
): Promise<void> {
  return changeFeatures(request, actor, features, {
    read: async () => undefined,
    require: (head, name) => requireLiveHead(head, name, projectId),
    select: (heads) => heads.filter(({ own }) => own.stale !== stale),
    load: (head) => loadRest(request, head, []),
    decide: (_head, stored) => {
      const after = { ...stored.feature, stale };
      return toFeatureUnit(request, stored, { after, events: [featureStale(after)] });
    },
  });
}
