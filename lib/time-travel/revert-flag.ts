import { isDeepStrictEqual } from 'node:util';
import { buildChange } from '../change-requests/change-request.ts';
import { loadPlannedChange, type PlannedChange } from '../change-requests/plan/actions.ts';
import { attempt, toRefusal } from '../change-requests/plan/plan.ts';
import type { FlagRequest } from '../entity/effects.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { type Author, systemUser } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { changeFeature } from '../features/change-feature.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { featureMetadataUpdated, featureReverted } from '../features/feature-events.ts';
import type { FeatureUpdate } from '../features/feature-schema.ts';
import { loadFeature } from '../features/feature-store.ts';
import { applyFeatureUpdate } from '../features/items/apply-feature-update.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import { requireFeature, requireLive } from '../features/require-feature.ts';
import type { FeaturePath } from '../features/update-feature.ts';
import { assertMayAll, type PermittedCaller } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { loadProject, type Project, requireEnvironment } from '../projects/projects.ts';
import { needsApproval } from '../projects/protection.ts';
import { isHidden, type Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { compareFlags, type FlagChange, type FlagDifference, type PropertyChange } from './compare-flags.ts';
import { deliverEarlier, type EarlierFlag, listUsedSegments, toEarlierFlag } from './earlier-flag.ts';
import type { PointInTime } from './moment-schema.ts';
import { toReachable } from './reachable-flag.ts';
import { goBack, type RebuiltFlag, unknownPast } from './rebuild-flag.ts';
import { rebuildSegments } from './segments-at.ts';
import type { RevertPlan } from './time-travel-schema.ts';

/** The target of the way back. */
export interface RevertTarget {
  readonly to: PointInTime;
  /** The environments to revert; all, with what they share, if it is missing. */
  readonly environments?: readonly string[] | undefined;
}

/** A change with its decision; an error if the facts for it could not be read. */
interface Step {
  readonly change: FlagChange;
  /** Null for a change of what all environments share. */
  readonly environment: string | null;
  readonly step: PlannedChange | ApiError;
}

/** The facts that a revert depends on, as they were read. */
interface LoadedRevert {
  readonly project: Project;
  readonly stored: StoredFeature;
  readonly then: RebuiltFlag;
  /** The state to which the changes lead; undefined if the feature is to be archived. */
  readonly target: EarlierFlag | undefined;
  readonly environments: readonly string[];
  readonly fields: readonly PropertyChange[];
  readonly steps: readonly Step[];
  /** The changes that set the switch where the other changes have moved it, by environment. */
  readonly switches: ReadonlyMap<string, Step>;
  readonly notes: readonly string[];
  readonly obstacles: readonly Obstacle[];
}

/** Something that prevents a revert, such as a segment that no longer exists. */
interface Obstacle {
  readonly environment: string | null;
  readonly message: string;
}

interface DecidedRevert {
  readonly after: Feature;
  readonly events: readonly NewEvent[];
  /** The steps that change something, in their order. */
  readonly steps: readonly Step[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * Returns the changes that would lead a feature back to a moment, without making them. They are in the form of those of change requests.
 * @throws ApiError 404 for an unknown project, feature, environment or event, for an archived feature, and for a moment of which the events
 * tell too little; 409 for a feature that did not exist then.
 */
export async function planRevert(
  request: Request,
  path: FeaturePath,
  target: RevertTarget,
): Promise<Versioned<RevertPlan>> {
  return retryLostRaces(request, async () => {
    const loaded = await loadRevert(request, path, target, systemUser);
    const { version } = loaded.stored.revision;
    return { value: viewPlan(request, loaded, decideRevert(loaded, new Date().toISOString())), version };
  });
}

/**
 * Leads a feature back to a moment, in one transaction. It restores what SDKs got, or nothing.
 * @throws ApiError as `planRevert` does; 403 with all missing permissions, or all environments where the changes need approval; 409 with
 * everything that cannot be restored; 412 if `If-Match` does not match.
 */
export function revertFlag(
  request: FlagRequest,
  caller: PermittedCaller,
  path: FeaturePath,
  target: RevertTarget,
): Promise<Versioned<void>> {
  return changeFeature(request, caller, {
    name: path.featureName,
    likelyEvents: 10,
    read: () => loadRevert(request, path, target, caller),
    decide: (loaded, at) => {
      const decided = decideRevert(loaded, at);
      assertMayRevert(caller, path.projectId, loaded.fields, decided);
      assertNoObstacle(path.featureName, decided.obstacles);
      const { stored, then } = loaded;
      const { after, events } = decided;
      const environments = target.environments && [...target.environments];
      const reverted = featureReverted(after, { to: then.until, lastEvent: then.lastEvent?.id ?? null, environments });
      return {
        stored,
        after,
        events: events.length === 0 ? [] : [reverted, ...events],
        value: undefined,
      };
    },
  });
}

async function loadRevert(
  request: Request,
  { projectId, featureName }: FeaturePath,
  { to, environments: chosen }: RevertTarget,
  author: Author,
): Promise<LoadedRevert> {
  const [project, loaded] = await Promise.all([loadProject(request, projectId), loadFeature(request, featureName)]);
  const stored = requireLive(requireFeature(loaded, featureName, projectId));
  for (const environment of chosen ?? []) requireEnvironment(project, environment);
  const { feature, revision } = stored;
  const present = { feature, project: projectId, lastEventId: revision.lastEventId };
  const then = await goBack(request, featureName, present, to);
  if (isHidden(request, then.state?.project))
    throw unknownPast(`the feature "${featureName}" was in another project then`);
  const now = toEarlierFlag(feature);
  const wanted = requireRevertible(then.state, featureName);
  const own = project.environments.map(({ name }) => name);
  const environments = chosen ?? own;
  const obstacles = then.doubts.map((message): Obstacle => ({ environment: null, message }));
  const base = { project, stored, then, environments };
  const load = async (change: FlagChange, environment: string | null): Promise<Step> => {
    const place = { projectId, featureName, environment: environment ?? own[0] ?? '' };
    const { before: _before, ...input } = change;
    const requested = buildChange(input, 1, undefined, author, feature.createdAt);
    return { change, environment, step: await loadPlannedChange(request, place, requested).catch(toRefusal) };
  };
  if (wanted.archived) {
    const archive: FlagChange = { feature: featureName, action: 'archiveFeature' };
    const steps = [await load(archive, null)];
    return { ...base, target: undefined, fields: [], steps, switches: new Map(), notes: [], obstacles };
  }
  const { flag: target, notes } = toReachable(wanted, now, environments);
  const difference = compareFlags(now, withEnvironments(target, now, environments));
  const isWhole = chosen === undefined;
  const [steps, switches, segmentNotes] = await Promise.all([
    Promise.all(listChanges(difference, isWhole).map(({ change, environment }) => load(change, environment))),
    Promise.all(
      [...difference.environments.keys()].map(async (environment) => {
        const { enabled } = environmentOf(target, environment);
        const before = { enabled: !enabled };
        return [
          environment,
          await load({ feature: featureName, action: 'updateEnabled', payload: { enabled }, before }, environment),
        ] as const;
      }),
    ),
    explainSegments(request, target, then.until),
  ]);
  return {
    ...base,
    target,
    fields: isWhole ? difference.fields.filter(({ property }) => property !== 'project') : [],
    steps,
    switches: new Map(switches),
    notes: [...notes, ...segmentNotes, ...explainProject(wanted, now)],
    obstacles: isWhole ? [...obstacles, ...findLostEnvironments(wanted, own)] : obstacles,
  };
}

/** @throws ApiError 409 for a feature that did not exist then. */
function requireRevertible(then: EarlierFlag | undefined, name: string): EarlierFlag {
  if (then === undefined)
    throw new ApiError('ConflictError', `The feature "${name}" did not exist then. Archive it instead.`);
  return then;
}

/** Returns a state with only the given environments of it; the others stay as they are. */
function withEnvironments(target: EarlierFlag, now: EarlierFlag, environments: readonly string[]): EarlierFlag {
  const chosen = environments.map((name) => [name, environmentOf(target, name)] as const);
  return { ...target, environments: new Map([...now.environments, ...chosen]) };
}

function environmentOf(flag: EarlierFlag, environment: string) {
  return flag.environments.get(environment) ?? { enabled: false, strategies: [], variants: [] };
}

function listChanges({ dependencies, environments }: FlagDifference, isWhole: boolean) {
  const shared = isWhole ? dependencies.map((change) => ({ change, environment: null })) : [];
  const own = [...environments].flatMap(([environment, changes]) => changes.map((change) => ({ change, environment })));
  return [...shared, ...own];
}

/** Names segments that are shared with others and therefore stay as they are. */
async function explainSegments(request: Request, target: EarlierFlag, until: string): Promise<string[]> {
  const ids = listUsedSegments(target);
  const [then, now] = await Promise.all([
    rebuildSegments(request, ids, until),
    rebuildSegments(request, ids, new Date().toISOString()),
  ]);
  const changed = ids.flatMap((id) => {
    const [old, present] = [then.segments.get(id), now.segments.get(id)];
    if (old === undefined || present === undefined) return [];
    return isDeepStrictEqual(old.constraints, present.constraints) ? [] : [present.name];
  });
  return [
    ...then.doubts,
    ...changed.map((name) => `The segment "${name}" has other constraints now. It is shared, so it stays as it is.`),
  ];
}

function explainProject(then: EarlierFlag, now: EarlierFlag): string[] {
  return then.project === now.project ? [] : ['The feature was in another project then. It stays where it is.'];
}

/** Lists the environments in which the feature was on and that its project does not have any more. */
function findLostEnvironments(then: EarlierFlag, own: readonly string[]): Obstacle[] {
  return [...then.environments].flatMap(([environment, { enabled }]) =>
    enabled && !own.includes(environment)
      ? [
          {
            environment,
            message: `The project does not have the environment "${environment}" any more, in which the feature was on.`,
          },
        ]
      : [],
  );
}

/** Makes the changes one after the other, and checks that they lead to the target. Pure. */
function decideRevert(
  { stored, target, environments, fields, switches, ...loaded }: LoadedRevert,
  at: string,
): DecidedRevert {
  const obstacles = [...loaded.obstacles];
  const steps: Step[] = [];
  let { feature } = stored;
  const events: NewEvent[] = [];
  if (fields.length > 0) {
    const before = feature;
    feature = applyFeatureUpdate(before, toUpdate(fields), at);
    events.push(...featureMetadataUpdated(before, feature));
  }
  const take = (each: Step) => {
    const decided = attempt(() => {
      if (each.step instanceof ApiError) throw each.step;
      return each.step({ ...stored, feature }, at);
    });
    if (decided instanceof ApiError) {
      // Its details name everything that is missing, one by one.
      obstacles.push(...decided.details.map(({ message }) => ({ environment: each.environment, message })));
      return;
    }
    feature = decided.after;
    events.push(...decided.events);
    steps.push(each);
  };
  for (const each of loaded.steps) take(each);
  if (target === undefined) return { after: feature, events, steps, obstacles };
  for (const [environment, each] of switches)
    if (environmentOfFeature(feature, environment).enabled !== environmentOf(target, environment).enabled) take(each);
  const after = toEarlierFlag(feature);
  for (const environment of environments) {
    if (obstacles.some((obstacle) => obstacle.environment === environment || obstacle.environment === null)) continue;
    const [wanted, reached] = [target, after].map((flag) => contentFor(flag, environment));
    if (!isDeepStrictEqual(wanted, reached))
      obstacles.push({
        environment,
        message: `What SDKs got in "${environment}" cannot be restored exactly by changes that are possible today.`,
      });
  }
  return { after: feature, events, steps, obstacles };
}

/** Returns the delivered content of an environment, without the properties that all environments share. */
function contentFor(flag: EarlierFlag, environment: string) {
  const { enabled, strategies, variants } = deliverEarlier(flag, environment) ?? {};
  return { enabled, strategies, variants };
}

function toUpdate(fields: readonly PropertyChange[]): FeatureUpdate {
  return Object.fromEntries(fields.map(({ property, after }) => [property, after]));
}

/** The permissions of the operations that make the same changes. */
const permissionOf: Partial<Record<FlagChange['action'], Permission>> = {
  updateEnabled: 'UPDATE_FEATURE_ENVIRONMENT',
  addStrategy: 'CREATE_FEATURE_STRATEGY',
  deleteStrategy: 'DELETE_FEATURE_STRATEGY',
  deleteReleasePlan: 'DELETE_FEATURE_STRATEGY',
  patchVariant: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  addDependency: 'UPDATE_FEATURE_DEPENDENCY',
  deleteDependency: 'UPDATE_FEATURE_DEPENDENCY',
  archiveFeature: 'DELETE_FEATURE',
};

function assertMayRevert(
  caller: PermittedCaller,
  project: string,
  fields: readonly PropertyChange[],
  { steps }: DecidedRevert,
): void {
  assertMayAll(caller, [
    ...(fields.length > 0 ? [{ permission: 'UPDATE_FEATURE' as const, project }] : []),
    ...steps.map(({ change, environment }) => ({
      ...{ permission: permissionOf[change.action] ?? 'UPDATE_FEATURE_STRATEGY', project },
      ...(environment !== null && { environment }),
    })),
  ]);
}

/** @throws ApiError 409 with everything that cannot be restored. */
function assertNoObstacle(name: string, obstacles: readonly Obstacle[]): void {
  if (obstacles.length === 0) return;
  const details = obstacles.map(
    ({ environment, message }): ErrorDetail => ({
      message,
      ...(environment !== null && { path: `environments.${environment}` }),
    }),
  );
  const reasons = obstacles
    .map(({ message }) => message)
    .slice(0, 3)
    .join(' ');
  throw new ApiError('ConflictError', `The feature "${name}" cannot be reverted to that moment: ${reasons}`, details);
}

function viewPlan(
  request: Request,
  { project, then, fields, notes }: LoadedRevert,
  { steps, obstacles }: DecidedRevert,
): RevertPlan {
  const byEnvironment = Map.groupBy(steps, ({ environment }) => environment);
  const changesOf = (environment: string | null) => (byEnvironment.get(environment) ?? []).map(({ change }) => change);
  return {
    at: then.until,
    fields: [...fields],
    shared: changesOf(null),
    environments: [...byEnvironment.keys()].flatMap((name) =>
      name === null
        ? []
        : [{ name, needsApproval: needsApproval(request, project.id, name), changes: changesOf(name) }],
    ),
    notes: [...notes],
    obstacles: [...obstacles],
  };
}
