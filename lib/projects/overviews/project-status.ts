import { shelfOf } from '../../delivery/snapshot/shelf.ts';
import { activityOf } from '../../events/activity.ts';
import { lifecycleSummary } from '../../insights/statistics.ts';
import { loadMembers } from '../../people/accounts.ts';
import type { Request } from '../../request.ts';
import { segments } from '../../segments/segments.ts';
import { loadProjectTokens } from '../../tokens/api-tokens.ts';
import { loadFeatureCounts } from '../ledger.ts';
import type { ProjectStatus } from '../project-schema.ts';
import { loadProject } from '../projects.ts';
import { healthOf } from './health.ts';
import { memberCount } from './members.ts';

/**
 * Returns the lifecycle stages of a project's features, and the numbers of its other things.
 * @throws ApiError 404 where there is no such project.
 */
export async function loadProjectStatus(request: Request, id: string): Promise<ProjectStatus> {
  const [, counts, members, tokens, allSegments, { features }, activityCountByDate] = await Promise.all([
    loadProject(request, id),
    loadFeatureCounts(request, id),
    loadMembers(request),
    loadProjectTokens(request, id),
    segments.list(request),
    shelfOf(request, id),
    activityOf(request, id, Date.now()),
  ]);
  const { health, technicalDebt } = healthOf(counts);
  return {
    activityCountByDate,
    resources: {
      apiTokens: tokens.length,
      members: memberCount(members, id),
      segments: allSegments.filter(({ project }) => project === id).length,
    },
    health: { current: health },
    technicalDebt: { current: technicalDebt },
    lifecycleSummary: lifecycleSummary(
      [...features.values()].map(({ feature }) => feature),
      Date.now(),
    ),
    staleFlags: { total: counts.stale },
  };
}
