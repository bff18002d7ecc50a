import type { Actor } from '../../events/actor.ts';
import { onboardingStep } from '../../insights/onboarding.ts';
import { loadMembers } from '../../people/accounts.ts';
import type { Request } from '../../request.ts';
import { listLastUses } from '../../usage/last-seen.ts';
import { favoriteProjectsOf } from '../favorites.ts';
import { loadFeatureCounts } from '../ledger.ts';
import type { ListedProject } from '../project-schema.ts';
import { listProjectIds, projects } from '../projects.ts';
import { healthOf, memberCount, ownersOf } from './project-overview.ts';

/**
 * Lists the live projects by name, or the archived ones, with their counts. It reads their ids first.
 * @param user the user whose favorites are marked.
 */
export async function listProjects(request: Request, user: Actor, { archived = false } = {}): Promise<ListedProject[]> {
  const [ids, members, isFavorite, lastUses] = await Promise.all([
    listProjectIds(request),
    loadMembers(request),
    favoriteProjectsOf(request, user),
    listLastUses(request),
  ]);
  const [found, counts] = await Promise.all([
    projects.some(request, ids),
    Promise.all(
      ids.map(async (id) => [id, await request.store.limiter(() => loadFeatureCounts(request, id))] as const),
    ),
  ]);
  return counts
    .flatMap(([id, ofFeatures]): ListedProject[] => {
      const project = found.get(id);
      if (project === undefined) return [];
      const { name, description, defaultStickiness, createdAt, updatedAt, archivedAt, mode } = project;
      const lastUse = lastUses.get(id);
      if ((archivedAt !== null) !== archived) return [];
      return [
        {
          id,
          name,
          ...(description !== null && { description }),
          defaultStickiness,
          createdAt,
          archivedAt,
          mode,
          favorite: isFavorite(project),
          featureCount: ofFeatures.live,
          staleFeatureCount: ofFeatures.stale,
          ...healthOf(ofFeatures),
          memberCount: memberCount(members, id),
          owners: ownersOf(members, id),
          lastReportedFlagUsage: lastUse ?? null,
          lastUpdatedAt: later(updatedAt ?? createdAt, ofFeatures.changedAt),
          onboardingStatus: { status: onboardingStep(ofFeatures.live > 0, lastUse) },
        },
      ];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

function later(time: string, other: string | null): string {
  return other !== null && other > time ? other : time;
}
