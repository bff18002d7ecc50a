import { type FeatureCounts, loadFeatureCounts } from '../features/feature-counts.ts';
import { loadDefaultStrategies } from '../projects/default-strategy.ts';
import { loadProject } from '../projects/projects.ts';
import type { ProjectOverview } from '../schemas/project.ts';
import { shelfOf } from '../snapshot/shelf.ts';
import type { Table } from '../table/table.ts';
import { healthOf } from './health.ts';
import { loadMembers, memberCount } from './members.ts';
import { statisticsOf } from './statistics.ts';

/**
 * A project with its environments, what is counted of it, and what happened to its features of late.
 * @throws ApiError 404 where there is no such project.
 */
export async function projectOverview(table: Table, id: string): Promise<ProjectOverview> {
  const [project, defaults, counts, members, { features }] = await Promise.all([
    loadProject(table, id),
    loadDefaultStrategies(table, id),
    loadFeatureCounts(table, id),
    loadMembers(table),
    shelfOf(table, id),
  ]);
  const { name, description, defaultStickiness, createdAt } = project;
  return {
    version: 1,
    name,
    description,
    defaultStickiness,
    mode: 'open',
    featureLimit: null,
    featureNaming: { pattern: null, example: null, description: null },
    linkTemplates: [],
    createdAt,
    updatedAt: null,
    archivedAt: null,
    favorite: false,
    members: memberCount(members, id),
    ...healthOf(counts),
    environments: project.environments.map(({ name: environment, changeRequestsEnabled }) => {
      const defaultStrategy = defaults.get(environment)?.strategy;
      return { environment, changeRequestsEnabled, ...(defaultStrategy !== undefined && { defaultStrategy }) };
    }),
    featureTypeCounts: [...counts.types]
      .map(([type, count]) => ({ type, count }))
      .toSorted((a, b) => a.type.localeCompare(b.type)),
    stats: statisticsOf(
      [...features.values()].map(({ feature }) => feature),
      Date.now(),
    ),
    onboardingStatus: onboardingStatus(counts),
  };
}

/** A project that ever had a feature needs no introduction. */
function onboardingStatus({ live, archived }: FeatureCounts): ProjectOverview['onboardingStatus'] {
  return { status: live + archived === 0 ? 'onboarding-started' : 'onboarded' };
}
