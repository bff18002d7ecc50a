import { isDeepStrictEqual } from 'node:util';
import type { LegalValues } from '../../context-fields/legal-values.ts';
import type { Effects } from '../../entity/effects.ts';
import { nameTakenError } from '../../entity/names.ts';
import type { Referrer } from '../../entity/references.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import { loadFeatureIn, loadHeads } from '../../features/feature-store.ts';
import type { FeatureHead, StoredFeature } from '../../features/items/feature-items.ts';
import { assertFewStepsOf } from '../../features/strategies/assert-few-steps.ts';
import { loadDefaultStrategy } from '../../features/strategies/default-strategy.ts';
import type { StrategyContent } from '../../features/strategies/strategy-schema.ts';
import { loadMarkedReferrers } from '../../features/uses/uses.ts';
import { withApproval } from '../../projects/protection.ts';
import { type Request, withAllProjects } from '../../request.ts';
import {
  buildSegmentRemoval,
  buildSegmentReplacement,
  loadSegmentReferences,
} from '../../segments/administer-segments.ts';
import { buildSegmentContent, type Segment, type SegmentUser, segments } from '../../segments/segments.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { sha256 } from '../../values/sha256.ts';
import {
  type ChangeRequest,
  changesByFeature,
  isClosed,
  isSwitchingOn,
  type RequestedChange,
} from '../change-request.ts';
import { loadStep, type PlannedStep } from './actions.ts';
import {
  baseOf,
  type FeatureChangeInput,
  inputOf,
  isOfSegment,
  partOfSegment,
  segmentIdOf,
  segmentsUsedBy,
} from './base.ts';
import { conflictOf, findConflicts } from './conflicts.ts';
import { type Drift, driftOf } from './differences.ts';

/** A reason for which a change cannot be made as it was asked for. */
export interface Conflict {
  /** The id of the change. */
  readonly change: number;
  readonly message: string;
  /** The error that the direct change would be. */
  readonly error?: ApiError;
  /** The differences, where somebody else has changed what it was made on. */
  readonly differences?: readonly Drift[];
}

/** A feature as the changes leave it. */
export interface PlannedFeature {
  readonly name: string;
  readonly stored: StoredFeature | undefined;
  readonly after: Feature | undefined;
  readonly events: readonly NewEvent[];
  /** The default strategy as it is now, which the feature gets by a change that switches it on without one. */
  readonly defaultStrategy?: { readonly change: number; readonly content: StrategyContent };
}

/** A segment as the changes leave it. */
interface PlannedSegment extends Effects {
  readonly id: number;
  /** The segment before. */
  readonly segment: Versioned<Segment>;
}

/** All that a request would do now, and all that stands against it. */
export interface RequestPlan {
  readonly features: readonly PlannedFeature[];
  readonly segments: readonly PlannedSegment[];
  readonly conflicts: readonly Conflict[];
  /** Conditions under which all of it still holds when it is written. */
  readonly conditions: readonly Write[];
}

type Asked = Pick<ChangeRequest, 'project' | 'environment' | 'changes' | 'applied'>;

interface LoadedStep {
  readonly change: RequestedChange;
  /** An error where what it depends on could not be read. */
  readonly step: PlannedStep | ApiError;
}

interface LoadedFeature {
  readonly name: string;
  readonly stored: StoredFeature | undefined;
  readonly steps: readonly LoadedStep[];
}

interface LoadedSegment {
  readonly id: number;
  readonly segment: Versioned<Segment> | undefined;
  readonly referrers: readonly Referrer[];
  /** Legal values for its new content, or the error that refuses what this refers to. */
  readonly legalValues: LegalValues | ApiError;
  readonly changes: readonly RequestedChange[];
}

/** Facts on which the changes of a request rest, as they were read. */
export interface LoadedPlan {
  readonly asked: Asked;
  readonly features: readonly LoadedFeature[];
  readonly segments: readonly LoadedSegment[];
  /** The features on which others are to depend. */
  readonly parents: ReadonlyMap<string, FeatureHead>;
  /** The segments that strategies are to use. */
  readonly used: ReadonlyMap<number, Versioned<Segment>>;
}

/** Reads the facts on which the changes of a request rest. */
export async function loadRequestPlan(request: Request, asked: Asked): Promise<LoadedPlan> {
  const ofSegments = Map.groupBy(
    asked.changes.filter(({ feature }) => feature === null),
    segmentIdOf,
  );
  const ofFeatures = changesByFeature(asked.changes);
  const [features, found, parents, used] = await Promise.all([
    Promise.all([...ofFeatures].map(([name, changes]) => loadOfFeature(request, asked, name, changes))),
    Promise.all([...ofSegments].map(([id, changes]) => loadOfSegment(request, id, changes, ofSegments))),
    loadHeads(request, asked.changes.flatMap(parentIn)),
    loadUsed(request, asked),
  ]);
  return { asked, features, segments: found, parents, used };
}

function parentIn(change: RequestedChange): string[] {
  const input = inputOf(change);
  return input.action === 'addDependency' ? [input.payload.feature] : [];
}

async function loadUsed(request: Request, { project, environment, changes }: Asked) {
  const ofDefault = changes.some(isSwitchingOn) ? await loadDefaultStrategy(request, project, environment) : undefined;
  const ids = [...changes.flatMap(segmentsUsedBy), ...(ofDefault?.strategy.segments ?? [])];
  return segments.someVersioned(request, new Set(ids));
}

async function loadOfFeature(
  request: Request,
  { project: projectId, environment }: Asked,
  featureName: string,
  changes: readonly RequestedChange[],
): Promise<LoadedFeature> {
  const place = { projectId, environment, featureName };
  const [stored, steps] = await Promise.all([
    loadFeatureIn(request, featureName, [environment]),
    Promise.all(
      changes.map(async (change) => {
        const step = await loadStep(request, place, change).catch(refusalIn);
        return { change, step };
      }),
    ),
  ]);
  return { name: featureName, stored, steps };
}

async function loadOfSegment(
  request: Request,
  id: number,
  changes: readonly RequestedChange[],
  changed: ReadonlyMap<number, unknown>,
) {
  const [segment, referrers, legalValues] = await Promise.all([
    segments.find(request, id),
    loadMarkedReferrers(withAllProjects(request), segments, id),
    loadContent(request, changes.at(-1), changed).catch(refusalIn),
  ]);
  return { id, segment, referrers, legalValues, changes };
}

/**
 * Reads the legal values for the content that a change gives a segment.
 * @throws ApiError where its project is unknown or its name in use, but by a segment that the request changes as well.
 */
async function loadContent(
  request: Request,
  change: RequestedChange | undefined,
  changed: ReadonlyMap<number, unknown>,
): Promise<LegalValues> {
  const input = change && inputOf(change);
  if (input?.action !== 'updateSegment') return new Map();
  const { name } = input.payload;
  const [legalValues, bearers] = await Promise.all([
    loadSegmentReferences(request, input.payload),
    segments.bearers(withAllProjects(request), 'name', [name]),
  ]);
  const bearer = bearers.get(name);
  if (bearer !== undefined && !changed.has(bearer.id)) throw nameTakenError('segment', 'name', name);
  return legalValues;
}

/**
 * Decides on all changes of a request as of now. One that cannot be made is left out, and named; what it was made on counts as
 * it was before any of them.
 */
export function planRequest(request: Request, loaded: LoadedPlan, at: string): RequestPlan {
  const { asked } = loaded;
  const conflicts: Conflict[] = [];
  const approved = withApproval(request, asked.project);
  for (const change of asked.changes) noteSegments(change, loaded, conflicts);
  const isParent = ({ stored }: LoadedFeature) => (stored?.revision.childCount ?? 0) > 0;
  const children = loaded.features.filter((each) => !isParent(each));
  const planned = children.map((each) => plannedFeature(each, asked, at, conflicts));
  // Parents come last: one may be archived whose children are archived, too, or depend on it no more.
  const parents = loaded.features.filter(isParent);
  const features = [...planned, ...parents.map((each) => plannedFeature(each, asked, at, conflicts, planned))];
  return {
    features,
    segments: loaded.segments.flatMap((each) =>
      plannedSegment(withoutOthers(approved, asked.project, each), each, conflicts),
    ),
    conflicts: [...conflicts, ...findConflicts(loaded, features)],
    conditions: conditionsOf(loaded),
  };
}

/** Decides on all changes of a request as it is now; undefined for one that is closed. */
export function presentPlan(request: Request, one: ChangeRequest): Promise<RequestPlan | undefined> {
  if (isClosed(one)) return Promise.resolve(undefined);
  return retryLostRaces(request, async () =>
    planRequest(request, await loadRequestPlan(request, one), new Date().toISOString()),
  );
}

function plannedFeature(
  { name, stored, steps }: LoadedFeature,
  { environment }: Asked,
  at: string,
  conflicts: Conflict[],
  children: readonly PlannedFeature[] = [],
): PlannedFeature {
  let current = stored && withoutChildren(stored, children);
  let defaultStrategy: PlannedFeature['defaultStrategy'];
  const events: NewEvent[] = [];
  for (const { change, step } of steps) {
    const input = inputOf(change) as FeatureChangeInput;
    if (stored !== undefined) noteDifferences(change, baseOf(input, stored.feature, environment), conflicts);
    const done = attempt(() => {
      if (step instanceof ApiError) throw step;
      const made = step(current, at);
      const content = isSwitchingOn(change) ? addedBetween(current?.feature, made.after, environment) : undefined;
      if (content !== undefined) defaultStrategy = { change: change.id, content };
      noteDefaultStrategy(change, content, conflicts);
      return content === undefined || change.adds === undefined ? made : step(current, at, change.adds);
    });
    if (done instanceof ApiError) {
      conflicts.push(conflictOf(change, done));
      continue;
    }
    events.push(...done.events);
    if (current !== undefined) current = { ...current, feature: done.after };
  }
  // What is added may come before what it takes the place of, so that only all of them together tell.
  const refusal = current && attempt(() => assertFewStepsOf(stored?.feature, current.feature));
  const last = steps.at(-1);
  if (refusal instanceof ApiError && last !== undefined) conflicts.push(conflictOf(last.change, refusal));
  return { name, stored, after: current?.feature, events, ...(defaultStrategy && { defaultStrategy }) };
}

function addedBetween(before: Feature | undefined, after: Feature, environment: string): StrategyContent | undefined {
  const had = new Set(before && environmentOfFeature(before, environment).strategies.map(({ id }) => id));
  const added = environmentOfFeature(after, environment).strategies.find(({ id }) => !had.has(id));
  if (added === undefined) return undefined;
  const { id: _id, sortOrder: _sortOrder, ...content } = added;
  return content;
}

/** The one that was approved may be written over another one; where there was none, nobody has approved any. */
function noteDefaultStrategy({ id, adds }: RequestedChange, now: StrategyContent | undefined, conflicts: Conflict[]) {
  if (JSON.stringify(adds) === JSON.stringify(now)) return;
  const message = 'The default strategy that the feature gets with this has been changed by somebody else';
  const differences = [{ property: 'defaultStrategy', before: adds, now, wanted: adds }];
  conflicts.push({ change: id, message, ...(adds && { differences }) });
}

/** Returns a feature without those of its children that depend on it no more. */
function withoutChildren(stored: StoredFeature, children: readonly PlannedFeature[]): StoredFeature {
  const isOn = (child: Feature | undefined) =>
    child?.dependencies.some(({ feature }) => feature === stored.feature.name);
  const gone = children.filter(({ stored: child, after }) => isOn(child?.feature) && !isOn(after)).length;
  return { ...stored, revision: { ...stored.revision, childCount: stored.revision.childCount - gone } };
}

function noteDifferences(change: RequestedChange, now: unknown, conflicts: Conflict[]): void {
  const differences = driftOf(change, now);
  if (differences.length === 0 || now === undefined) return;
  conflicts.push({
    change: change.id,
    message: 'Somebody else has changed what this change was made on',
    differences,
  });
}

/** Returns the conditions that the segments which strategies are to use are still as they were read. */
function conditionsOf({ asked, used, segments: changed }: LoadedPlan): Write[] {
  const written = changed.filter(({ id }) => !isApplied(id, asked)).map(({ id }) => id);
  const ids = new Set(asked.changes.flatMap(segmentsUsedBy)).difference(new Set(written));
  return [...used]
    .filter(([id]) => ids.has(id))
    .map(([id, { version }]) => ({ check: segments.keyOf(id), when: { version } }));
}

/** Nothing overwrites this: with other segments, a strategy is not what was approved. */
function noteSegments(change: RequestedChange, loaded: LoadedPlan, conflicts: Conflict[]): void {
  const now = usesOf(change, loaded);
  const isOther = Object.entries(now ?? {}).some(([id, digest]) => (change.uses?.[id] ?? digest) !== digest);
  if (isOther || segmentsUsedBy(change).some((id) => isChangedSinceApplied(id, loaded)))
    conflicts.push({
      change: change.id,
      message: 'Somebody else has changed a segment since then that this change uses',
    });
}

const isApplied = (segment: number, { applied = [] }: Asked) => applied.includes(partOfSegment(segment));

/** Tells whether somebody has changed what a segment stands for since a request has done so. */
function isChangedSinceApplied(id: number, { asked, segments: changed }: LoadedPlan): boolean {
  const { segment, changes } = changed.find((each) => each.id === id) ?? {};
  const change = changes?.at(-1);
  const input = change && inputOf(change);
  if (!isApplied(id, asked) || segment === undefined || input?.action !== 'updateSegment') return false;
  return !isDeepStrictEqual(segment.value.constraints, buildSegmentContent(input.payload).constraints);
}

/** Returns the digests of the segments that a change uses as they are now, but for those that its own request changes. */
export function usesOf(change: RequestedChange, { used, segments: changed }: LoadedPlan): RequestedChange['uses'] {
  const ids = segmentsUsedBy(change).filter((id) => !changed.some((each) => each.id === id));
  const found = ids.flatMap((id) => {
    const segment = used.get(id);
    return segment === undefined ? [] : [[id, sha256(JSON.stringify(segment.value.constraints))] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** A request whose errors name no other project: all who see a change request may read why it fails. */
function withoutOthers(request: Request, project: string, { referrers }: LoadedSegment): Request {
  const users = new Set(referrers.map(({ details }) => (details as SegmentUser).project));
  users.delete(project);
  return { ...request, hiddenProjects: users.union(request.hiddenProjects) };
}

/** Of several changes of a segment, the last one holds. */
function plannedSegment(
  request: Request,
  { id, segment, referrers, legalValues, changes }: LoadedSegment,
  conflicts: Conflict[],
) {
  const change = changes.at(-1);
  if (change === undefined) return [];
  if (segment === undefined) {
    conflicts.push(conflictOf(change, notFound('segment', id)));
    return [];
  }
  noteDifferences(change, segment.value, conflicts);
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
  if (!(effects instanceof ApiError)) return [{ id, segment, ...effects }];
  conflicts.push(conflictOf(change, effects));
  return [];
}

function attempt<T>(run: () => T): T | ApiError {
  try {
    return run();
  } catch (error) {
    return refusalIn(error);
  }
}

/** Returns the error that refuses a change; any other is thrown. */
function refusalIn(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
