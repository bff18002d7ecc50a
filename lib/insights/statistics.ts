import type { Feature } from '../features/feature.ts';
import type { ReadModelFeature } from '../features/read-model/read-model.ts';
import type { LeadTime, ProjectStatistics, ProjectStatus } from '../projects/project-schema.ts';
import type { Project } from '../projects/projects.ts';

const dayMs = 86_400_000;
const windowDays = 30;

/**
 * Computes the activity in a project's features in the last 30 days, and in the 30 days before.
 * @param project the project, whose environments of the type production count for the lead time.
 * @param at the end of the 30 days, in milliseconds.
 */
export function computeStatistics(
  features: readonly ReadModelFeature[],
  project: Pick<Project, 'environments'>,
  at: number,
): ProjectStatistics {
  const created = features.map(({ feature }) => feature.createdAt);
  const archived = features.flatMap(({ feature }) => feature.archivedAt ?? []);
  const countInWindow = (times: readonly string[], windowsAgo: 0 | 1) => {
    const end = at - windowsAgo * windowDays * dayMs;
    return times.filter((time) => Date.parse(time) <= end && Date.parse(time) > end - windowDays * dayMs).length;
  };
  return {
    avgTimeToProdCurrentWindow: computeLeadTime(features, project).projectAverage,
    createdCurrentWindow: countInWindow(created, 0),
    createdPastWindow: countInWindow(created, 1),
    archivedCurrentWindow: countInWindow(archived, 0),
    archivedPastWindow: countInWindow(archived, 1),
    // The events of a project are not counted, nor is the time stored when members joined.
    projectActivityCurrentWindow: 0,
    projectActivityPastWindow: 0,
    projectMembersAddedCurrentWindow: 0,
  };
}

/** The lowest average that Unleash shows. */
const averageDaysMin = 0.1;

/**
 * Computes the whole days from the creation of each release feature until it was first on in production, and their average.
 */
export function computeLeadTime(
  features: readonly ReadModelFeature[],
  project: Pick<Project, 'environments'>,
): LeadTime {
  const production = project.environments.filter(({ type }) => type === 'production').map(({ name }) => name);
  const leadTimes = features.flatMap(({ feature, summaries }) => {
    const { name, type, createdAt } = feature;
    const times = production.flatMap((environment) => summaries.get(environment)?.firstOn ?? []);
    // A feature that was imported as enabled does not count.
    const [first] = times.filter((at) => at > createdAt).toSorted();
    if (type !== 'release' || first === undefined) return [];
    return [{ name, timeToProduction: Math.floor(daysBetween(createdAt, first)) }];
  });
  const mean = average(leadTimes.map(({ timeToProduction }) => timeToProduction));
  return { features: leadTimes, projectAverage: mean === null ? 0 : mean || averageDaysMin };
}

/** Counts the features in each lifecycle stage, and computes the average days that features spend in it. */
export function summarizeLifecycle(features: readonly Feature[], at: number): ProjectStatus['lifecycleSummary'] {
  const summarizeStage = (stage: Feature['lifecycle']['stage']) => ({
    averageDays: average(features.flatMap((feature) => daysInStage(feature, stage, at) ?? [])),
    currentFlags: features.filter(({ lifecycle }) => lifecycle.stage === stage).length,
  });
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? []);
  return {
    initial: summarizeStage('initial'),
    preLive: summarizeStage('pre-live'),
    live: summarizeStage('live'),
    completed: summarizeStage('completed'),
    archived: {
      currentFlags: archived.length,
      last30Days: archived.filter((time) => Date.parse(time) > at - windowDays * dayMs).length,
    },
  };
}

/** Returns the days from entering a stage until the next one, or until now; undefined if the feature never entered it. */
export function daysInStage({ stages }: Feature, stage: Feature['lifecycle']['stage'], at: number): number | undefined {
  const byTime = stages.toSorted((a, b) => Date.parse(a.enteredStageAt) - Date.parse(b.enteredStageAt));
  const index = byTime.findIndex((entered) => entered.stage === stage);
  const enteredAt = byTime[index]?.enteredStageAt;
  if (enteredAt === undefined) return undefined;
  return daysBetween(enteredAt, byTime[index + 1]?.enteredStageAt ?? new Date(at).toISOString());
}

/** Tells whether a feature has left a stage. */
export function hasLeft({ stages, lifecycle }: Feature, stage: Feature['lifecycle']['stage']): boolean {
  return lifecycle.stage !== stage && stages.some((entered) => entered.stage === stage);
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
