import type { IsFavorite } from '../features/favorites.ts';
import type { ReadModelFeature } from '../features/read-model/read-model.ts';
import { type Evaluations, loadUsageOfLastHour, mayBeUsedInThisHour } from '../features/use/feature-usage.ts';
import { type LastSeenOf, latestOf } from '../features/use/last-seen.ts';
import type { Request } from '../request.ts';
import { mapChunks } from '../values/lists.ts';

/** The most features whose usage is read. Each takes two reads. */
const usedMax = 100;

/** The number of features whose usage is read at the same time. */
const featuresAtOnce = 16;

/**
 * Loads the evaluations of about the last hour, by feature and environment. It reads at most `usedMax` recently used
 * features: favorites and kill switches first.
 */
export async function loadUrgentUsage(
  request: Request,
  features: readonly ReadModelFeature[],
  isFavorite: IsFavorite,
  lastSeen: LastSeenOf,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Evaluations>>> {
  const isUrgent = ({ feature }: ReadModelFeature) => isFavorite(feature) || feature.type === 'kill-switch';
  const used = features
    .filter(({ feature }) => mayBeUsedInThisHour(latestOf(lastSeen(feature))))
    .toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)))
    .slice(0, usedMax);
  const usage = await mapChunks(used, featuresAtOnce, async ({ feature: { name } }) => {
    return [name, await loadUsageOfLastHour(request, name)] as const;
  });
  return new Map(usage);
}
