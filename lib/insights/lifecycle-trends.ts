import type { Feature } from '../features/feature.ts';
import { loadShelves } from '../features/shelf/shelf.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { LifecycleTrend, LifecycleTrends } from './insights-schema.ts';
import { daysInStage, hasLeft, median } from './statistics.ts';

type Stages = readonly Feature['lifecycle']['stage'][];

const weekDays = 7;

/** Returns the lifecycle stages of the features of some projects by purpose, and the time spent in them. */
export async function loadLifecycleTrends(request: Request, wanted: readonly string[]): Promise<LifecycleTrends> {
  const projects = await listProjectIds(request);
  const shown = wanted.length === 0 ? projects : projects.filter((project) => wanted.includes(project));
  const shelves = await loadShelves(request, shown);
  const features = shelves.flatMap(({ features }) => [...features.values()].map(({ feature }) => feature));
  const at = Date.now();
  return {
    develop: trendOf(features, ['initial', 'pre-live'], at),
    production: trendOf(features, ['live'], at),
    cleanup: trendOf(features, ['completed'], at),
  };
}

function trendOf(features: readonly Feature[], stages: Stages, at: number): LifecycleTrend {
  const inside = features.filter(({ lifecycle }) => stages.includes(lifecycle.stage));
  const countsOf = (isOne: (type: string) => boolean) => {
    const days = inside.filter(({ type }) => isOne(type)).map((feature) => daysIn(feature, at));
    const newFlagsThisWeek = days.filter((each) => each < weekDays).length;
    return { newFlagsThisWeek, flagsOlderThanWeek: days.length - newFlagsThisWeek };
  };
  const past = stages.flatMap((stage) =>
    features.flatMap((feature) => (hasLeft(feature, stage) ? (daysInStage(feature, stage, at) ?? []) : [])),
  );
  return {
    totalFlags: inside.length,
    medianDaysInCurrentStage: median(inside.map((feature) => daysIn(feature, at))),
    medianDaysHistorically: median(past),
    categories: {
      experimental: countsOf((type) => type === 'experiment'),
      release: countsOf((type) => type === 'release'),
      permanent: countsOf((type) => type !== 'experiment' && type !== 'release'),
    },
  };
}

/** Since it entered the stage that it is in. */
function daysIn(feature: Feature, at: number): number {
  return daysInStage(feature, feature.lifecycle.stage, at) ?? 0;
}
