import type { Event } from '../events/event-schema.ts';
import type { FeaturePath } from '../features/feature.ts';
import { strategyViewOf } from '../features/strategies/strategy.ts';
import { loadProject, type Project } from '../projects/projects.ts';
import { isHidden, type Request } from '../request.ts';
import {
  deliverEarlier,
  type EarlierFlag,
  type EarlierPlan,
  environmentOfEarlier,
  listStrategiesOf,
  listUsedSegments,
} from './earlier-flag.ts';
import type { PointInTime } from './moment-schema.ts';
import { type RebuiltFlag, rebuildFlag } from './rebuild-flag.ts';
import { type EarlierSegment, type RebuiltSegments, rebuildSegments } from './segments-at.ts';
import type { FeatureThen, StateThen } from './time-travel-schema.ts';

/**
 * Returns a feature as SDKs got it at a moment. It can be archived, or deleted meanwhile.
 * @throws ApiError 404 for an unknown project or event, for a feature that was in another project then, and for a moment of which the
 * events tell too little.
 */
export async function getFlagThen(
  request: Request,
  { projectId, featureName }: FeaturePath,
  moment: PointInTime,
): Promise<FeatureThen> {
  const [project, rebuilt] = await Promise.all([
    loadProject(request, projectId),
    rebuildFlag(request, { projectId, featureName }, moment),
  ]);
  const { state } = rebuilt;
  const segments = await rebuildSegments(request, state ? listUsedSegments(state) : [], rebuilt.until);
  return viewFlagThen(request, featureName, rebuilt, project, segments);
}

/** Returns the view of a rebuilt feature. */
export function viewFlagThen(
  request: Request,
  name: string,
  { state, lastEvent, until, doubts: ownDoubts }: RebuiltFlag,
  project: Project,
  { segments, doubts: segmentDoubts }: RebuiltSegments,
): FeatureThen {
  const doubts = [...ownDoubts, ...segmentDoubts];
  return {
    name,
    at: until,
    exact: doubts.length === 0,
    doubts,
    lastEvent: lastEvent === undefined || isHidden(request, lastEvent.project) ? null : viewChange(lastEvent),
    state: state ? viewState(state, project, segments) : null,
  };
}

function viewChange({ id, type, createdAt, createdBy }: Event): NonNullable<FeatureThen['lastEvent']> {
  return { id, type, createdAt, createdBy };
}

function viewState(state: EarlierFlag, project: Project, segments: ReadonlyMap<number, EarlierSegment>): StateThen {
  const { name: _name, environments, dependencies, ...fields } = state;
  // Environments of the project come first, in its order; a feature can have a state in one that the project has lost.
  const names = new Set([...project.environments.map(({ name }) => name), ...environments.keys()]);
  const used = new Set(listUsedSegments(state));
  return {
    ...fields,
    dependencies: [...dependencies],
    environments: [...names].map((environment) => viewEnvironment(state, environment)),
    segments: [...segments.values()].filter(({ id }) => used.has(id)).toSorted((a, b) => a.id - b.id),
  };
}

function viewEnvironment(flag: EarlierFlag, name: string): StateThen['environments'][number] {
  const state = environmentOfEarlier(flag, name);
  const { enabled, variants, plan } = state;
  return {
    ...{ name, enabled, variants: [...variants] },
    delivered: (deliverEarlier(flag, name) ?? null) as StateThen['environments'][number]['delivered'],
    strategies: listStrategiesOf(state).map(strategyViewOf),
    releasePlan: plan ? viewPlanThen(plan) : null,
  };
}

function viewPlanThen({ id, name, milestones, activeMilestoneId }: EarlierPlan) {
  const active = milestones.find((milestone) => milestone.id === activeMilestoneId);
  return { id, name, activeMilestone: active ? { id: active.id, name: active.name } : null };
}
