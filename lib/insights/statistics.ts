import type { Feature } from '../features/feature.ts';
import type { ShelvedFeature } from '../features/shelf/shelf.ts';
import type { LeadTime, ProjectStatistics, ProjectStatus } from '../projects/project-schema.ts';
import type { Project } from '../projects/projects.ts';

const dayMs = 86_400_000;
const windowDays = 30;

/**
 * Returns the activity in a project's features in the last 30 days, and in the 30 days before.
 * @param project its environments tell which ones are for production.
 * @param at end of the 30 days, in milliseconds.
 */
export function statisticsOf(
  features: readonly ShelvedFeature[],
  project: Pick<Project, 'environments'>,
  at: number,
): ProjectStatistics {
  const created = features.map(({ feature }) => feature.createdAt);
  const archived = features.flatMap(({ feature }) => feature.archivedAt ?? []);
  const inWindow = (times: readonly string[], windowsAgo: 0 | 1) => {
    const end = at - windowsAgo * windowDays * dayMs;
    return times.filter((time) => Date.parse(time) <= end && Date.parse(time) > end - windowDays * dayMs).length;
  };
  return {
    avgTimeToProdCurrentWindow: leadTimeOf(features, project).projectAverage,
    createdCurrentWindow: inWindow(created, 0),
    createdPastWindow: inWindow(created, 1),
    archivedCurrentWindow: inWindow(archived, 0),
    archivedPastWindow: inWindow(archived, 1),
    // Neither the events of a project nor when its members joined is counted.
    projectActivityCurrentWindow: 0,
    projectActivityPastWindow: 0,
    projectMembersAddedCurrentWindow: 0,
  };
}

/** Average that Unleash shows where it is less. */
const averageDaysMin = 0.1;

/**
 * Returns the whole days that each feature of the type release took to be first switched on in production, and their
 * average.
 */
export function leadTimeOf(features: readonly ShelvedFeature[], project: Pick<Project, 'environments'>): LeadTime {
  const production = project.environments.filter(({ type }) => type === 'production').map(({ name }) => name);
  const times = features.flatMap(({ feature, summaries }) => {
    const { name, type, createdAt } = feature;
    const on = production.flatMap((environment) => summaries.get(environment)?.firstOn ?? []);
    // What a feature was created with was no change of it.
    const [first] = on.filter((at) => at > createdAt).toSorted();
    if (type !== 'release' || first === undefined) return [];
    return [{ name, timeToProduction: Math.floor(daysBetween(createdAt, first)) }];
  });
  const mean = average(times.map(({ timeToProduction }) => timeToProduction));
  return { features: times, projectAverage: mean === null ? 0 : mean || averageDaysMin };
}

/** Counts the features in each lifecycle stage, and averages the days that features spend in it. */
export function lifecycleSummary(features: readonly Feature[], at: number): ProjectStatus['lifecycleSummary'] {
  const inStage = (stage: Feature['lifecycle']['stage']) => ({
    averageDays: average(features.flatMap((feature) => daysInStage(feature, stage, at) ?? [])),
    currentFlags: features.filter(({ lifecycle }) => lifecycle.stage === stage).length,
  });
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? []);
  return {
    initial: inStage('initial'),
    preLive: inStage('pre-live'),
    live: inStage('live'),
    completed: inStage('completed'),
    archived: {
      currentFlags: archived.length,
      last30Days: archived.filter((time) => Date.parse(time) > at - windowDays * dayMs).length,
    },
  };
}

/** Until it entered the next stage, or until now; undefined where it never was in that. */
export function daysInStage({ stages }: Feature, stage: Feature['lifecycle']['stage'], at: number): number | undefined {
  const byTime = stages.toSorted((a, b) => Date.parse(a.enteredStageAt) - Date.parse(b.enteredStageAt));
  const index = byTime.findIndex((each) => each.stage === stage);
  const entered = byTime[index]?.enteredStageAt;
  if (entered === undefined) return undefined;
  return daysBetween(entered, byTime[index + 1]?.enteredStageAt ?? new Date(at).toISOString());
}

/** Tells whether a feature has left a stage. */
export function hasLeft({ stages, lifecycle }: Feature, stage: Feature['lifecycle']['stage']): boolean {
  return lifecycle.stage !== stage && stages.some((each) => each.stage === stage);
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/** Returns the average with one decimal; null for an empty list. */
function average(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10;
}

/** Returns the median with one decimal; 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return Math.round(5 * (low + high)) / 10;
}
