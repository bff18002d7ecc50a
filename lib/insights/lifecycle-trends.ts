import type { Feature } from '../features/feature.ts';
import { loadReadModels } from '../features/read-model/read-model.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { LifecycleTrend, LifecycleTrends } from './insights-schema.ts';
import { daysInStage, hasLeft, median } from './statistics.ts';

type Stages = readonly Feature['lifecycle']['stage'][];

const weekDays = 7;

/**
 * Counts features by part of the life cycle and by type, and computes the median time in each part.
 * @param projectIds the ids of the projects; empty for all.
 */
export async function loadLifecycleTrends(request: Request, projectIds: readonly string[]): Promise<LifecycleTrends> {
  const all = await listProjectIds(request);
  const projects = projectIds.length === 0 ? all : all.filter((project) => projectIds.includes(project));
  const readModels = await loadReadModels(request, projects);
  const features = readModels.flatMap(({ features }) => [...features.values()].map(({ feature }) => feature));
  const at = Date.now();
  return {
    develop: computeTrend(features, ['initial', 'pre-live'], at),
    production: computeTrend(features, ['live'], at),
    cleanup: computeTrend(features, ['completed'], at),
  };
}

function computeTrend(features: readonly Feature[], stages: Stages, at: number): LifecycleTrend {
  const current = features.filter(({ lifecycle }) => stages.includes(lifecycle.stage));
  const countAges = (isOfCategory: (type: string) => boolean) => {
    const ages = current.filter(({ type }) => isOfCategory(type)).map((feature) => daysInCurrentStage(feature, at));
    const newFlagsThisWeek = ages.filter((days) => days < weekDays).length;
    return { newFlagsThisWeek, flagsOlderThanWeek: ages.length - newFlagsThisWeek };
  };
  const past = stages.flatMap((stage) =>
    features.flatMap((feature) => (hasLeft(feature, stage) ? (daysInStage(feature, stage, at) ?? []) : [])),
  );
  return {
    totalFlags: current.length,
    medianDaysInCurrentStage: median(current.map((feature) => daysInCurrentStage(feature, at))),
    medianDaysHistorically: median(past),
    categories: {
      experimental: countAges((type) => type === 'experiment'),
      release: countAges((type) => type === 'release'),
      permanent: countAges((type) => type !== 'experiment' && type !== 'release'),
    },
  };
}

/** Returns the days since a feature entered its current stage. */
function daysInCurrentStage(feature: Feature, at: number): number {
  return daysInStage(feature, feature.lifecycle.stage, at) ?? 0;
}
