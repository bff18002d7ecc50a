import { isDeepStrictEqual } from 'node:util';
import type { Effects } from '../../entity/effects.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import type { StoredFeature } from '../../features/items/feature-items.ts';
import { assertFewStepsOf } from '../../features/strategies/assert-few-steps.ts';
import type { StrategyContent } from '../../features/strategies/strategy-schema.ts';
import { withApproval } from '../../projects/protection.ts';
import type { Request } from '../../request.ts';
import { buildSegmentRemoval, buildSegmentReplacement } from '../../segments/administer-segments.ts';
import { buildSegmentContent, type Segment, type SegmentUser, segments } from '../../segments/segments.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { sha256 } from '../../values/sha256.ts';
import { type ChangeRequest, isClosed, isSwitchingOn, type RequestedChange } from '../change-request.ts';
import {
  baseOf,
  type FeatureChangeInput,
  inputOf,
  isOfSegment,
  segmentPartName,
  strategySegmentIdsOf,
} from './base.ts';
import { type Conflict, conflictOf, type FeatureOutcome, findConflicts } from './conflicts.ts';
import { findDrift } from './differences.ts';
import {
  attempt,
  type FeatureFacts,
  type LoadedPlan,
  loadRequestPlan,
  type PlannedRequest,
  type SegmentFacts,
  templateIdOf,
} from './load-plan.ts';

/** A change of a feature, with its events. A change that would change nothing, or cannot be made, has none. */
interface PlannedStep {
  readonly change: number;
  readonly events: readonly NewEvent[];
}

/** A feature after the changes. */
interface PlannedFeature extends FeatureOutcome {
  readonly steps: readonly PlannedStep[];
  /** The present default strategy, if a change adds it when it switches the feature on. */
  readonly defaultStrategy?: { readonly change: number; readonly content: StrategyContent };
}

/** The effects of the changes of a segment. */
interface PlannedSegment extends Effects {
  readonly id: number;
  /** The change that makes them. */
  readonly change: number;
  /** The segment before the changes. */
  readonly segment: Versioned<Segment>;
}

/** The effects that applying a request would have now, and the conflicts that prevent it. */
export interface RequestPlan {
  readonly features: readonly PlannedFeature[];
  readonly segments: readonly PlannedSegment[];
  readonly conflicts: readonly Conflict[];
  /** The conditions of the write that the plan is still valid. */
  readonly conditions: readonly Write[];
}

/**
 * Plans all changes of a request with the present values. A change that cannot be made is omitted and listed as a conflict.
 */
export function planRequest(request: Request, loaded: LoadedPlan, at: string): RequestPlan {
  const { requested } = loaded;
  const conflicts: Conflict[] = [];
  const approved = withApproval(request, requested.project);
  for (const change of requested.changes) {
    addSegmentConflicts(change, loaded, conflicts);
    addTemplateConflict(change, loaded, conflicts);
  }
  const isParent = ({ stored }: FeatureFacts) => (stored?.revision.childCount ?? 0) > 0;
  const others = loaded.features.filter((feature) => !isParent(feature));
  const planned = others.map((feature) => planFeature(feature, requested, at, conflicts));
  // Parents come last: a parent can be archived if its children are archived, too, or lose the dependency.
  const parents = loaded.features.filter(isParent);
  const features = [...planned, ...parents.map((parent) => planFeature(parent, requested, at, conflicts, planned))];
  return {
    features,
    segments: loaded.segments.flatMap((segment) =>
      planSegment(hideOtherProjects(approved, requested.project, segment), segment, conflicts),
    ),
    conflicts: [...conflicts, ...findConflicts(loaded, features)],
    conditions: buildConditions(loaded),
  };
}

/** Reads and plans all changes of a request now; undefined for a closed request. */
export function loadCurrentPlan(request: Request, changeRequest: ChangeRequest): Promise<RequestPlan | undefined> {
  if (isClosed(changeRequest)) return Promise.resolve(undefined);
  return retryLostRaces(request, async () =>
    planRequest(request, await loadRequestPlan(request, changeRequest), new Date().toISOString()),
  );
}

function planFeature(
  { name, stored, steps: loadedSteps }: FeatureFacts,
  { environment }: PlannedRequest,
  at: string,
  conflicts: Conflict[],
  children: readonly PlannedFeature[] = [],
): PlannedFeature {
  let current = stored && withoutFormerChildren(stored, children);
  let defaultStrategy: PlannedFeature['defaultStrategy'];
  const steps: PlannedStep[] = [];
  for (const { change, planned } of loadedSteps) {
    const input = inputOf(change) as FeatureChangeInput;
    if (stored !== undefined)
      addDriftConflicts(change, baseOf(input, stored.feature, environment, change.base), conflicts);
    const decision = attempt(() => {
      if (planned instanceof ApiError) throw planned;
      const decided = planned(current, at);
      const content = isSwitchingOn(change) ? findAdded(current?.feature, decided.after, environment) : undefined;
      if (content !== undefined) defaultStrategy = { change: change.id, content };
      addDefaultStrategyConflict(change, content, conflicts);
      return content === undefined || change.adds === undefined ? decided : planned(current, at, change.adds);
    });
    if (decision instanceof ApiError) {
      conflicts.push(conflictOf(change, decision));
      continue;
    }
    steps.push({ change: change.id, events: decision.events });
    if (current !== undefined) current = { ...current, feature: decision.after };
  }
  // Checked for all changes together, since an added strategy can come before the removal of the one it replaces.
  const refusal = current && attempt(() => assertFewStepsOf(stored?.feature, current.feature));
  const last = loadedSteps.at(-1);
  if (refusal instanceof ApiError && last !== undefined) conflicts.push(conflictOf(last.change, refusal));
  return { name, stored, after: current?.feature, steps, ...(defaultStrategy && { defaultStrategy }) };
}

function findAdded(before: Feature | undefined, after: Feature, environment: string): StrategyContent | undefined {
  const oldIds = new Set(before && environmentOfFeature(before, environment).strategies.map(({ id }) => id));
  const added = environmentOfFeature(after, environment).strategies.find(({ id }) => !oldIds.has(id));
  if (added === undefined) return undefined;
  const { id: _id, sortOrder: _sortOrder, ...content } = added;
  return content;
}

/**
 * Adds a conflict if the default strategy that the feature gets is not the approved one. `onDrift` can overwrite another
 * default strategy with the approved one, but if none was approved, the conflict always counts.
 */
function addDefaultStrategyConflict(
  { id, adds }: RequestedChange,
  now: StrategyContent | undefined,
  conflicts: Conflict[],
) {
  if (JSON.stringify(adds) === JSON.stringify(now)) return;
  const message = 'Somebody else has changed the default strategy that this change adds';
  const differences = [{ property: 'defaultStrategy', before: adds, now, wanted: adds }];
  conflicts.push({ change: id, message, ...(adds && { differences }) });
}

/** Returns a feature without the children that lose their dependency on it. */
function withoutFormerChildren(stored: StoredFeature, children: readonly PlannedFeature[]): StoredFeature {
  const isChild = (child: Feature | undefined) =>
    child?.dependencies.some(({ feature }) => feature === stored.feature.name);
  const lost = children.filter(({ stored: child, after }) => isChild(child?.feature) && !isChild(after)).length;
  return { ...stored, revision: { ...stored.revision, childCount: stored.revision.childCount - lost } };
}

function addDriftConflicts(change: RequestedChange, now: unknown, conflicts: Conflict[]): void {
  const differences = findDrift(change, now);
  if (differences.length === 0 || now === undefined) return;
  conflicts.push({
    change: change.id,
    message: 'Somebody else has changed the value that this change replaces',
    differences,
  });
}

/** Builds the conditions that the segments which strategies will use have not changed since they were read. */
function buildConditions({ requested, used, segments: changedSegments }: LoadedPlan): Write[] {
  const written = changedSegments.filter(({ id }) => !isApplied(id, requested)).map(({ id }) => id);
  const ids = new Set(requested.changes.flatMap(strategySegmentIdsOf)).difference(new Set(written));
  return [...used]
    .filter(([id]) => ids.has(id))
    .map(([id, { version }]) => ({ check: segments.keyOf(id), when: { version } }));
}

/** Adds a conflict for each used segment that has changed. `onDrift` never overwrites it: the strategy would not be the approved one. */
function addSegmentConflicts(change: RequestedChange, loaded: LoadedPlan, conflicts: Conflict[]): void {
  const uses = usesOf(change, loaded);
  const changed = Object.entries(uses ?? {})
    .filter(([id, digest]) => (change.uses?.[id] ?? digest) !== digest)
    .map(([id]) => Number(id));
  const changedLater = strategySegmentIdsOf(change).filter((id) => isChangedSinceApplied(id, loaded));
  for (const segment of new Set([...changed, ...changedLater])) {
    const message = 'Somebody else has changed a segment that this change uses';
    conflicts.push({ change: change.id, message, segment });
  }
}

/**
 * Adds a conflict if the template has other milestones than the approved ones, since an edit is often a correction. `onDrift` can
 * overwrite it, with the approved milestones.
 */
function addTemplateConflict(change: RequestedChange, { templates }: LoadedPlan, conflicts: Conflict[]) {
  const approved = change.template?.milestones;
  for (const template of templateIdOf(change)) {
    const now = templates.get(template)?.milestones;
    if (approved === undefined || now === undefined || isDeepStrictEqual(approved, now)) continue;
    const message = 'Somebody else has changed the release template since';
    const differences = [{ property: 'milestones', before: approved, now, wanted: approved }];
    conflicts.push({ change: change.id, message, differences, template });
  }
}

const isApplied = (segment: number, { applied = [] }: PlannedRequest) => applied.includes(segmentPartName(segment));

/** Tells whether somebody has changed the constraints of a segment after the request itself changed them. */
function isChangedSinceApplied(id: number, { requested, segments: changedSegments }: LoadedPlan): boolean {
  const { segment, changes } = changedSegments.find((changed) => changed.id === id) ?? {};
  const change = changes?.at(-1);
  const input = change && inputOf(change);
  if (!isApplied(id, requested) || segment === undefined || input?.action !== 'updateSegment') return false;
  return !isDeepStrictEqual(segment.value.constraints, buildSegmentContent(input.payload).constraints);
}

/** Returns the present digests of the segments that a change uses, without those that its request changes. */
export function usesOf(
  change: RequestedChange,
  { used, segments: changedSegments }: LoadedPlan,
): RequestedChange['uses'] {
  const ids = strategySegmentIdsOf(change).filter((id) => !changedSegments.some((changed) => changed.id === id));
  const digests = ids.flatMap((id) => {
    const segment = used.get(id);
    return segment === undefined ? [] : [[id, sha256(JSON.stringify(segment.value.constraints))] as const];
  });
  return digests.length === 0 ? undefined : Object.fromEntries(digests);
}

/** Hides other projects from errors: everybody who sees a change request can read why it fails. */
function hideOtherProjects(request: Request, project: string, { referrers }: SegmentFacts): Request {
  const users = new Set(referrers.flatMap(({ details }) => (details as SegmentUser).project ?? []));
  users.delete(project);
  return { ...request, hiddenProjects: users.union(request.hiddenProjects) };
}

/** Plans the last change of a segment, which replaces earlier ones. */
function planSegment(
  request: Request,
  { id, segment, referrers, legalValues, changes }: SegmentFacts,
  conflicts: Conflict[],
) {
  const change = changes.at(-1);
  if (change === undefined) return [];
  if (segment === undefined) {
    conflicts.push(conflictOf(change, notFound('segment', id)));
    return [];
  }
  addDriftConflicts(change, segment.value, conflicts);
  const input = inputOf(change);
  const effects = attempt(() => {
    if (!isOfSegment(input) || input.action === 'deleteSegment')
      return buildSegmentRemoval(request, segment, referrers);
    if (legalValues instanceof ApiError) throw legalValues;
    const { id: _id, ...content } = input.payload;
    return buildSegmentReplacement(request, segment, buildSegmentContent(content, segment.value), {
      legalValues,
      referrers,
    });
  });
  if (!(effects instanceof ApiError)) return [{ id, change: change.id, segment, ...effects }];
  conflicts.push(conflictOf(change, effects));
  return [];
}
