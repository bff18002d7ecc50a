import type { Feature } from '../features/feature.ts';
import type { ProjectStatistics, ProjectStatus } from '../schemas/project.ts';

const dayMs = 86_400_000;
const windowDays = 30;

/**
 * What happened to the features of a project within the last 30 days and in the 30 days before.
 * @param at the end of the 30 days, in milliseconds.
 */
export function statisticsOf(features: readonly Feature[], at: number): ProjectStatistics {
  const created = features.map(({ createdAt }) => createdAt);
  const archived = features.flatMap(({ archivedAt }) => archivedAt ?? []);
  const inWindow = (times: readonly string[], windowsAgo: 0 | 1) => {
    const end = at - windowsAgo * windowDays * dayMs;
    return times.filter((time) => Date.parse(time) <= end && Date.parse(time) > end - windowDays * dayMs).length;
  };
  return {
    avgTimeToProdCurrentWindow: average(features.flatMap((feature) => daysToLive(feature) ?? [])) ?? 0,
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

/** How many days a feature took to go live; undefined where it did not. */
export function daysToLive({ createdAt, stages }: Pick<Feature, 'createdAt' | 'stages'>): number | undefined {
  const live = stages.find(({ stage }) => stage === 'live');
  return live && daysBetween(createdAt, live.enteredStageAt);
}

/** How many features are in each stage of their life, and how long features stay in it on average. */
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

/** Until it entered the next stage, or until now. */
function daysInStage({ stages }: Feature, stage: Feature['lifecycle']['stage'], at: number): number | undefined {
  const byTime = stages.toSorted((a, b) => Date.parse(a.enteredStageAt) - Date.parse(b.enteredStageAt));
  const index = byTime.findIndex((each) => each.stage === stage);
  const entered = byTime[index]?.enteredStageAt;
  if (entered === undefined) return undefined;
  return daysBetween(entered, byTime[index + 1]?.enteredStageAt ?? new Date(at).toISOString());
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/** With one decimal; null of nothing. */
function average(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10;
}
