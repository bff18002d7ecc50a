import type { ShelvedFeature } from '../../delivery/snapshot/shelf.ts';
import type { Project } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { mayBeUsedInThisHour, usageInThisHour } from '../../usage/feature-usage.ts';
import { type LastSeenOf, lastSeenOfSome, latestOf } from '../../usage/last-seen.ts';
import type { FeatureUse } from '../feature.ts';
import { mapChunks } from '../items/chunks.ts';

/** Use of the features of a page. */
interface UseOfPage {
  readonly lastSeen: LastSeenOf;
  /** By the name of the feature; only of features that may have been used in the current hour. */
  readonly evaluations: ReadonlyMap<string, FeatureUse['evaluations']>;
}

/** Of how many features the evaluations are read at the same time. */
const featuresAtOnce = 16;

/**
 * Reads the use of the features of a page.
 * @param known times of last use of all features, if read already; the page holds few of them.
 */
export async function useOfPage(
  request: Request,
  page: readonly ShelvedFeature[],
  projects: ReadonlyMap<string, Project>,
  known: LastSeenOf | undefined,
): Promise<UseOfPage> {
  const places = page.map(({ feature }) => {
    const { environments = [] } = projects.get(feature.project) ?? {};
    return { feature, environments: environments.map(({ name }) => name) };
  });
  const lastSeen = known ?? (await lastSeenOfSome(request, places));
  // A request for each feature: none for those that are unused.
  const used = page.filter(({ feature }) => mayBeUsedInThisHour(latestOf(lastSeen(feature))));
  const evaluations = await mapChunks(used, featuresAtOnce, async ({ feature: { name } }) => {
    return [name, await usageInThisHour(request, name)] as const;
  });
  return { lastSeen, evaluations: new Map(evaluations) };
}
