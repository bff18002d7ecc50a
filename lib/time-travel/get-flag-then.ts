import type { Event } from '../events/event-schema.ts';
import { strategyViewOf } from '../features/strategies/strategy.ts';
import type { FeaturePath } from '../features/update-feature.ts';
import { loadProject, type Project } from '../projects/projects.ts';
import { isHidden, type Request } from '../request.ts';
import type { PointInTime } from './moment-schema.ts';
import {
  deliverPast,
  environmentOfPast,
  listStrategiesOf,
  listUsedSegments,
  type PastFlag,
  type PastPlan,
} from './past-flag.ts';
import { type RebuiltFlag, rebuildFlag } from './rebuild-flag.ts';
import { type PastSegment, rebuildSegments } from './segments-at.ts';
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
  return viewFlagThen(request, rebuilt, project, featureName);
}

/** Returns the view of a rebuilt feature, with its segments. */
async function viewFlagThen(
  request: Request,
  { state, lastEvent, until, doubts: ownDoubts }: RebuiltFlag,
  project: Project,
  name: string,
): Promise<FeatureThen> {
  const { segments, doubts: segmentDoubts } = await rebuildSegments(
    request,
    state ? listUsedSegments(state) : [],
    until,
  );
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

function viewState(state: PastFlag, project: Project, segments: ReadonlyMap<number, PastSegment>): StateThen {
  const { name: _name, environments, dependencies, ...fields } = state;
  // Environments of the project come first, in its order; a feature can have a state in one that the project has lost.
  const names = new Set([...project.environments.map(({ name }) => name), ...environments.keys()]);
  return {
    ...fields,
    dependencies: [...dependencies],
    environments: [...names].map((environment) => viewEnvironment(state, environment)),
    segments: [...segments.values()].toSorted((a, b) => a.id - b.id).map(({ ...segment }) => segment),
  };
}

function viewEnvironment(flag: PastFlag, name: string): StateThen['environments'][number] {
  const state = environmentOfPast(flag, name);
  const { enabled, variants, plan } = state;
  return {
    ...{ name, enabled, variants: [...variants] },
    delivered: (deliverPast(flag, name) ?? null) as StateThen['environments'][number]['delivered'],
    strategies: listStrategiesOf(state).map(strategyViewOf),
    releasePlan: plan ? viewPlanThen(plan) : null,
  };
}

function viewPlanThen({ id, name, milestones, activeMilestoneId }: PastPlan) {
  const active = milestones.find((milestone) => milestone.id === activeMilestoneId);
  return { id, name, activeMilestone: active ? { id: active.id, name: active.name } : null };
}
