import { type FeatureCounts, loadFeatureCounts } from '../features/feature-counts.ts';
import { loadDefaultStrategies } from '../projects/default-strategy.ts';
import { loadProject } from '../projects/projects.ts';
import type { ProjectOverview } from '../schemas/project.ts';
import type { Table } from '../table/table.ts';
import { healthOf } from './health.ts';
import { loadMembers, memberCount } from './members.ts';

/**
 * A project with its environments and what is counted of it; it costs the same for any number of features.
 * @throws ApiError 404 where there is no such project.
 */
export async function projectOverview(table: Table, id: string): Promise<ProjectOverview> {
  const [project, defaults, counts, members] = await Promise.all([
    loadProject(table, id),
    loadDefaultStrategies(table, id),
    loadFeatureCounts(table, id),
    loadMembers(table),
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
    onboardingStatus: onboardingStatus(counts),
  };
}

/** A project that ever had a feature needs no introduction. */
function onboardingStatus({ live, archived }: FeatureCounts): ProjectOverview['onboardingStatus'] {
  return { status: live + archived === 0 ? 'onboarding-started' : 'onboarded' };
}
