import { isDeepStrictEqual } from 'node:util';
import { buildChange } from '../change-requests/change-request.ts';
import { loadPlannedChange, type PlannedChange } from '../change-requests/plan/actions.ts';
import { toRefusal } from '../change-requests/plan/load-plan.ts';
import { ApiError } from '../errors.ts';
import type { Author } from '../events/actor.ts';
import type { FeaturePath } from '../features/feature.ts';
import { loadFeature } from '../features/feature-store.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import { requireFeature, requireLive } from '../features/require-feature.ts';
import { loadProject, type Project, requireEnvironment } from '../projects/projects.ts';
import { isHidden, type Request } from '../request.ts';
import { compareFlags, type FlagChange, type FlagDifference, type PropertyChange } from './compare-flags.ts';
import { type EarlierFlag, environmentOfEarlier, listUsedSegments, toEarlierFlag } from './earlier-flag.ts';
import type { PointInTime } from './moment-schema.ts';
import { toReachable } from './reachable-flag.ts';
import { goBack, type RebuiltFlag, unknownPast } from './rebuild-flag.ts';
import { rebuildSegments } from './segments-at.ts';

/** The target of a revert. */
export interface RevertTarget {
  readonly to: PointInTime;
  /** The environments to revert; all, with what they share, if it is missing. */
  readonly environments?: readonly string[] | undefined;
}

/** A change with its decision; an error if the facts for it could not be read. */
export interface RevertStep {
  readonly change: FlagChange;
  /** Null for a change of what all environments share. */
  readonly environment: string | null;
  readonly planned: PlannedChange | ApiError;
}

/** The facts that a revert depends on, as they were read. */
export interface LoadedRevert {
  readonly project: Project;
  readonly stored: StoredFeature;
  readonly then: RebuiltFlag;
  /** The state to which the changes lead; undefined if the feature is to be archived. */
  readonly target: EarlierFlag | undefined;
  readonly environments: readonly string[];
  readonly fields: readonly PropertyChange[];
  readonly steps: readonly RevertStep[];
  /** The changes that set the switch where the other changes have moved it, by environment. */
  readonly switches: ReadonlyMap<string, RevertStep>;
  readonly notes: readonly string[];
  readonly obstacles: readonly Obstacle[];
}

/** Something that prevents a revert, such as a segment that no longer exists. */
export interface Obstacle {
  readonly environment: string | null;
  readonly message: string;
}

/**
 * Loads the facts that a revert depends on.
 * @throws ApiError 404 for an unknown project, feature, environment or event, for an archived feature, and for a moment of which the events
 * tell too little; 409 for a feature that did not exist then, or of which only some environments are to be archived.
 */
export async function loadRevert(
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
  if (wanted.archived && chosen !== undefined) throw buildArchivedError(featureName);
  const own = project.environments.map(({ name }) => name);
  const environments = chosen ?? own;
  const obstacles = then.doubts.map((message): Obstacle => ({ environment: null, message }));
  const base = { project, stored, then, environments };
  const loadStep = async (change: FlagChange, environment: string | null): Promise<RevertStep> => {
    const path = { projectId, featureName, environment: environment ?? own[0] ?? '' };
    const { before: _before, ...input } = change;
    const requested = buildChange(input, 1, undefined, author, feature.createdAt);
    return { change, environment, planned: await loadPlannedChange(request, path, requested).catch(toRefusal) };
  };
  if (wanted.archived) {
    const archive: FlagChange = { feature: featureName, action: 'archiveFeature' };
    const steps = [await loadStep(archive, null)];
    return { ...base, target: undefined, fields: [], steps, switches: new Map(), notes: [], obstacles };
  }
  const { flag: target, notes } = toReachable(wanted, now, environments);
  const difference = compareFlags(now, withEnvironments(target, now, environments));
  const isWhole = chosen === undefined;
  const loadSwitch = async (environment: string) => {
    const { enabled } = environmentOfEarlier(target, environment);
    const payload = { enabled };
    const change = { feature: featureName, action: 'updateEnabled', payload, before: { enabled: !enabled } } as const;
    return [environment, await loadStep(change, environment)] as const;
  };
  const [steps, switches, segmentNotes] = await Promise.all([
    Promise.all(listChanges(difference, isWhole).map(({ change, environment }) => loadStep(change, environment))),
    Promise.all([...difference.environments.keys()].map(loadSwitch)),
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

/** Builds the error for some environments of a feature that was archived, since it would be archived in all of them. */
function buildArchivedError(name: string): ApiError {
  return new ApiError(
    'ConflictError',
    `The feature "${name}" was archived then, in all environments: revert all of them.`,
  );
}

/** Returns a state with only the given environments of it; the others stay as they are. */
function withEnvironments(target: EarlierFlag, now: EarlierFlag, environments: readonly string[]): EarlierFlag {
  const chosen = environments.map((name) => [name, environmentOfEarlier(target, name)] as const);
  return { ...target, environments: new Map([...now.environments, ...chosen]) };
}

function listChanges({ dependencies, environments }: FlagDifference, isWhole: boolean) {
  const shared = isWhole ? dependencies.map((change) => ({ change, environment: null })) : [];
  const own = [...environments].flatMap(([environment, changes]) => changes.map((change) => ({ change, environment })));
  return [...shared, ...own];
}

/** Names segments, as they were named then, that are shared with others and therefore stay as they are. */
async function explainSegments(request: Request, target: EarlierFlag, until: string): Promise<string[]> {
  const ids = listUsedSegments(target);
  const [then, now] = await Promise.all([
    rebuildSegments(request, ids, until),
    rebuildSegments(request, ids, new Date().toISOString()),
  ]);
  const changed = ids.flatMap((id) => {
    const [old, present] = [then.segments.get(id), now.segments.get(id)];
    if (old === undefined || present === undefined) return [];
    return isDeepStrictEqual(old.constraints, present.constraints) ? [] : [old.name];
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
