import { type Activity, carryOut } from '../../activities.ts';
import { ApiError } from '../../errors.ts';
import {
  type DeliveredFeature,
  type DeliveredState,
  toDeliveredFeature,
} from '../../features/items/delivered-feature.ts';
import { assertNoneDeleted, assertNoneMissing, assertNoneMoved } from '../../features/read-model/assert-consistent.ts';
import { readConsistently } from '../../features/read-model/read-consistently.ts';
import { loadReadModel, type ReadModel, type ReadModelFeature } from '../../features/read-model/read-model.ts';
import { isSameChecksum } from '../../projects/ledger.ts';
import { listProjectIds } from '../../projects/projects.ts';
import { type Request, withAllProjects, withoutIdempotencyRecord } from '../../request.ts';
import { loadSegmentsRevision, type Segment, segments } from '../../segments/segments.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { mapChunks } from '../../values/lists.ts';
import { isWithin, type Moment, readClocks } from '../../values/time.ts';
import { type DeliveredStates, loadStates, readStates, readStatesOf, statesReadByKeyMax } from './delivered-states.ts';

/** A selection of features: of some projects, or of all (`*`), in an environment. */
export interface Scope {
  readonly projects: readonly string[];
  readonly environment: string;
}

/** The features of a scope at one moment, as SDKs get them. */
export interface Snapshot {
  /** Rises with every change in the scope, and never falls. */
  readonly revision: number;
  /** Live features in the order of their names. Their strategies refer to segments by id. */
  readonly features: readonly DeliveredFeature[];
  /** The same features by name, as the read model stores them. */
  readonly byName: ReadonlyMap<string, ReadModelFeature>;
  /** The segments that the features use. A segment may be missing; a strategy with it then matches nobody. */
  readonly segments: ReadonlyMap<number, DeliveredSegment>;
  /** True if the store did not answer in time, so that this is the last known snapshot. */
  readonly stale: boolean;
}

/** A segment as an SDK gets it. */
export type DeliveredSegment = Pick<Segment, 'id' | 'name' | 'constraints'>;

/** The state of a project in an environment, as a process remembers it. */
interface ProjectState {
  readonly readModel: ReadModel;
  readonly states: DeliveredStates;
}

/** A snapshot with the state from which it was built. */
interface BuiltSnapshot {
  readonly snapshot: Snapshot;
  readonly projectStates: readonly ProjectState[];
  readonly segmentsRevision: number;
}

/** State that a process remembers of a scope. */
interface ScopeMemory {
  built?: BuiltSnapshot;
  /** The snapshot that is served while the store does not answer. Always the same object, so callers can use it as a cache key. */
  stale?: Snapshot;
  /** The end of the last check, and the milliseconds for which it is valid. */
  lastCheck?: { readonly at: Moment; readonly ms: number };
  /** The start of the check that read the state, by `performance.now()`. The state includes every change that was made before this. */
  knownSince: number;
  runningCheck?: { readonly startedAt: number; readonly done: Promise<unknown> };
}

/** Returns the milliseconds for which a check is valid. They are random, so that processes do not ask the store at the same moment. */
const randomCheckMs = () => 800 + Math.random() * 400;
/** The milliseconds that a caller waits for a check if there is a snapshot to serve. */
const waitMs = 1_000;
/** The milliseconds after which a check is aborted, so that the next one can begin. */
const checkTimeoutMs = 10_000;
/** The number of projects that are read at a time. */
const projectsAtOnce = 16;
/** The most scopes that a process remembers. A service has one for each combination of projects and environment in its tokens. */
const scopesMax = 200;

const memoryOfSnapshot = new WeakMap<Snapshot, ScopeMemory>();

/** Tells whether `loadSnapshot` would return this snapshot without asking the store. */
export function isCurrent(snapshot: Snapshot, at: Moment): boolean {
  const memory = memoryOfSnapshot.get(snapshot);
  return memory?.built?.snapshot === snapshot && memory.stale === undefined && !needsCheck(memory, at);
}

/** Returns the same object for all snapshots of a scope whose revisions rise one after the other. */
export function lineageOf(snapshot: Snapshot): object {
  return memoryOfSnapshot.get(snapshot) ?? snapshot;
}

const memoriesByStore = cachePerObject((_: Request['store']) => new BoundedMap<string, ScopeMemory>(scopesMax));

/**
 * Loads the snapshot of a scope. A process builds it once, and asks the store about once a second whether anything has changed, so
 * that a change is served at most 1.2 seconds after its response. A snapshot only contains whole transactions, and stays the same
 * object until something changes. While the store is unreachable, the last snapshot is returned, with `stale`.
 * @param seen a revision that the caller has seen. If the process remembers an earlier one, it reads the store first, so a caller never
 * gets older features than before.
 * @throws ApiError 503 if the store is unreachable, and the process has no snapshot or an earlier one than the caller has seen.
 */
export function loadSnapshot(request: Request, scope: Scope, seen = 0): Promise<Snapshot> {
  return load(request, scope, (memory) => mayBeBehind(memory, seen));
}

/**
 * Loads the snapshot of a scope with all changes that were made before the call.
 * @throws ApiError 503 if the store is unreachable.
 */
export function loadFreshSnapshot(request: Request, scope: Scope): Promise<Snapshot> {
  return load(request, scope, () => true);
}

/** Loads a snapshot. @param isOld tells whether the memory may lack a change that the caller needs. */
async function load(request: Request, scope: Scope, isOld: (memory: ScopeMemory) => boolean): Promise<Snapshot> {
  const memory = findMemory(request, scope);
  const calledAt = performance.now();
  const isStillBehind = () => isOld(memory) && memory.knownSince < calledAt;
  if (memory.built === undefined || isOld(memory) || needsCheck(memory)) {
    await awaitCheck(request, scope, memory);
    // A check of another caller may have begun before the change that this caller needs.
    if (isStillBehind()) await awaitCheck(request, scope, memory);
    if (isStillBehind()) {
      throw new ApiError('ServiceUnavailable', 'The latest features could not be read; try again.');
    }
  }
  return memory.stale ?? (memory.built as BuiltSnapshot).snapshot;
}

/** Tells whether the last check is no longer valid. */
function needsCheck({ lastCheck }: ScopeMemory, at?: Moment): boolean {
  return lastCheck === undefined || !isWithin(lastCheck.at, lastCheck.ms, at);
}

/** Tells whether the caller has seen a later revision than the process remembers. */
function mayBeBehind({ built }: ScopeMemory, seen: number): boolean {
  return built !== undefined && built.snapshot.revision < seen;
}

/** The outcomes of a check: `stale` if the store did not answer, so that the last snapshot is served. */
type CheckOutcome = 'changed' | 'unchanged' | 'stale';

const check: Activity<CheckOutcome> = { kind: 'snapshot check', name: 'check', outcomeOf: (outcome) => outcome };

/** Waits for a check; not longer than `waitMs` if there is a snapshot to serve. */
async function awaitCheck(request: Request, scope: Scope, memory: ScopeMemory): Promise<void> {
  memory.runningCheck ??= {
    startedAt: performance.now(),
    done: carryOut(check, () => runCheck(request, scope, memory)),
  };
  const { startedAt, done } = memory.runningCheck;
  if (memory.built === undefined) await done;
  else await waitAtMost(startedAt + waitMs - performance.now(), done, () => markStale(memory));
}

/** Updates the remembered snapshot. Errors of the store are thrown only while there is no snapshot. */
async function runCheck(request: Request, scope: Scope, memory: ScopeMemory): Promise<CheckOutcome> {
  using timeout = abortAfter(checkTimeoutMs);
  const startedAt = performance.now();
  // A check serves many callers, so it ignores their abort signals, and reads all projects.
  const shared = withAllProjects(withoutIdempotencyRecord({ ...request, signal: timeout.signal }));
  try {
    const { built } = memory;
    const next = await readConsistently(shared, built === undefined, () => build(shared, scope, built));
    if (next === undefined && built === undefined) {
      throw new ApiError('ServiceUnavailable', 'The features change too fast; try again.');
    }
    if (next !== undefined) {
      memory.built = next;
      memoryOfSnapshot.set(next.snapshot, memory);
      memory.knownSince = startedAt;
    }
    delete memory.stale;
    return next === undefined || next === built ? 'unchanged' : 'changed';
  } catch (error) {
    if (memory.built === undefined || !(error instanceof ApiError && error.name === 'ServiceUnavailable')) throw error;
    markStale(memory);
    return 'stale';
  } finally {
    memory.lastCheck = { at: readClocks(), ms: randomCheckMs() };
    delete memory.runningCheck;
  }
}

function markStale(memory: ScopeMemory): void {
  if (memory.built === undefined) return;
  memory.stale ??= { ...memory.built.snapshot, stale: true };
  memoryOfSnapshot.set(memory.stale, memory);
}

/**
 * Builds a snapshot, or returns the earlier one if nothing has changed.
 * @param segmentsRevisionFirst whether to read the revision of the segments before everything else.
 * @throws LostRace if the states of the projects are not consistent with each other.
 */
async function build(
  request: Request,
  scope: Scope,
  before: BuiltSnapshot | undefined,
  segmentsRevisionFirst = before === undefined,
) {
  const { projects, environment } = scope;
  const projectsBefore = new Map(
    before?.projectStates.map((projectState) => [projectState.readModel.project, projectState]),
  );
  // The revision is read before the segments, so the segments are at least that new. It is read together with the changed features,
  // which saves a round trip.
  let changes: Promise<number> | undefined;
  const readSegmentsRevision = () => {
    changes ??= loadSegmentsRevision(request);
    return changes;
  };
  if (segmentsRevisionFirst) readSegmentsRevision().catch(() => {});
  const loadProject = async (id: string) => {
    if (segmentsRevisionFirst) await readSegmentsRevision();
    return readProjectState(request, id, environment, projectsBefore.get(id), readSegmentsRevision);
  };
  const projectStates = await readProjectStates(request, projects, [...projectsBefore.keys()], loadProject);
  const segmentsRevision = await readSegmentsRevision();
  // Compares checksums, not objects: the same state may have been read twice, and must not count as a new revision.
  const isUnchanged = ({ readModel }: ProjectState) => {
    const projectState = projectsBefore.get(readModel.project);
    return projectState !== undefined && isSameChecksum(projectState.readModel.checksum, readModel.checksum);
  };
  const areUnchanged = projectStates.length === projectsBefore.size && projectStates.every(isUnchanged);
  if (before !== undefined && areUnchanged && before.segmentsRevision === segmentsRevision) return before;

  const readModels = projectStates.map(({ readModel }) => readModel);
  if (projects.includes('*')) await assertNoneMissing(request, readModels);
  else assertNoneMoved(readModels);
  const features = listDelivered(projectStates, environment);
  const ids = usedSegmentIds(features);
  const used = await loadSegments(request, ids);
  // If segments have changed since the features were read, one transaction may have changed both, so everything is read again.
  const revisionBefore = before === undefined || segmentsRevisionFirst ? segmentsRevision : before.segmentsRevision;
  if (ids.size > 0 && (await loadSegmentsRevision(request)) !== revisionBefore) {
    if (segmentsRevisionFirst) throw new LostRace();
    return build(request, scope, before, true);
  }
  if (used.size < ids.size) await assertNoneDeleted(request, readModels, features, used);
  const sum = projectStates.reduce((total, { readModel }) => total + readModel.checksum.revision, segmentsRevision);
  const revision = Math.max(sum, (before?.snapshot.revision ?? -1) + 1);
  return {
    projectStates,
    segmentsRevision,
    snapshot: { revision, features, byName: listLive(projectStates), segments: used, stale: false },
  };
}

function listLive(projectStates: readonly ProjectState[]): ReadonlyMap<string, ReadModelFeature> {
  const all = projectStates.flatMap(({ readModel }) => [...readModel.features]);
  return new Map(all.filter(([, { feature }]) => feature.archivedAt === null));
}

/** Reads the states of all projects of a scope. Known projects are read at the same time as the list of projects. */
async function readProjectStates(
  request: Request,
  projects: readonly string[],
  knownIds: readonly string[],
  loadProject: (id: string) => Promise<ProjectState>,
): Promise<ProjectState[]> {
  const read = (ids: readonly string[]) => mapChunks(ids, projectsAtOnce, loadProject);
  if (!projects.includes('*')) return read([...new Set(projects)]);
  const [ids, projectStates] = await Promise.all([listProjectIds(request), read(knownIds)]);
  const byId = new Map(projectStates.map((projectState) => [projectState.readModel.project, projectState]));
  for (const projectState of await read(ids.filter((id) => !byId.has(id))))
    byId.set(projectState.readModel.project, projectState);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Reads the state of a project; only features that have changed are read again.
 * @param onChanged called just before changed features are read.
 */
async function readProjectState(
  request: Request,
  project: string,
  environment: string,
  before: ProjectState | undefined,
  onChanged: () => unknown,
): Promise<ProjectState> {
  const earlyReads: Promise<DeliveredStates>[] = [];
  const startReading = (names: readonly string[]) => {
    onChanged();
    if (names.length > statesReadByKeyMax) return;
    earlyReads.push(readStatesOf(request, { project, environment }, names));
    earlyReads.at(-1)?.catch(() => {});
  };
  const [readModel, states] = await Promise.all([
    loadReadModel(request, project, { onChanged: startReading }),
    before?.states ?? readStates(request, project, environment),
  ]);
  if (before !== undefined && isSameChecksum(before.readModel.checksum, readModel.checksum))
    return { readModel, states: before.states };
  return {
    readModel,
    states: await loadStates(request, readModel, environment, states, ...(await Promise.all(earlyReads))),
  };
}

function listDelivered(projectStates: readonly ProjectState[], environment: string): DeliveredFeature[] {
  return projectStates
    .flatMap(({ readModel, states }) =>
      [...readModel.features.values()]
        .filter(({ feature }) => feature.archivedAt === null)
        .map((entry) => deliverOnce(entry, environment, states.get(entry.feature.name)?.state)),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A feature as it was last delivered, and the state from which it was built. */
interface Delivered {
  readonly state: DeliveredState | undefined;
  readonly feature: DeliveredFeature;
}

const deliveredByEnvironment = cachePerObject((_: ReadModelFeature) => new Map<string, Delivered>());

/** Like `toDelivered`, but returns the same object until something changes, so that callers can use it as a cache key. */
function deliverOnce(
  entry: ReadModelFeature,
  environment: string,
  state: DeliveredState | undefined,
): DeliveredFeature {
  const byEnvironment = deliveredByEnvironment(entry);
  const cached = byEnvironment.get(environment);
  if (cached !== undefined && cached.state === state) return cached.feature;
  const feature = toDelivered(entry, environment, state);
  byEnvironment.set(environment, { state, feature });
  return feature;
}

const emptyState: DeliveredState = { strategies: [], variants: [] };

/** Returns a feature as an SDK gets it in an environment. */
function toDelivered(
  { feature, summaries }: ReadModelFeature,
  environment: string,
  state: DeliveredState | undefined,
): DeliveredFeature {
  const summary = summaries.get(environment);
  // SDKs evaluate a feature without strategies as on for everybody. With disabled strategies only, it must be off.
  const hasOnlyDisabledStrategies = summary !== undefined && summary.strategies > 0 && summary.enabledStrategies === 0;
  return toDeliveredFeature(feature, summary?.enabled === true && !hasOnlyDisabledStrategies, state ?? emptyState);
}

function usedSegmentIds(features: readonly DeliveredFeature[]): ReadonlySet<number> {
  return new Set(features.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])));
}

async function loadSegments(request: Request, ids: ReadonlySet<number>) {
  if (ids.size === 0) return new Map();
  const used = await segments.findSome(request, ids);
  return new Map([...used].map(([id, { name, constraints }]) => [id, { id, name, constraints }]));
}

function findMemory({ store }: Request, { projects, environment }: Scope): ScopeMemory {
  const all = memoriesByStore(store);
  const id = JSON.stringify([environment, ...[...new Set(projects)].toSorted()]);
  const memory = all.get(id) ?? { knownSince: Number.NEGATIVE_INFINITY };
  // Moves the scope to the end of the map, so that the scope that was used last is dropped last.
  all.set(id, memory);
  return memory;
}

/** Waits for a promise, but not longer than the given milliseconds. */
async function waitAtMost(milliseconds: number, done: Promise<unknown>, onTooLong: () => void): Promise<void> {
  const tooLong = Promise.withResolvers<'too long'>();
  const timer = setTimeout(tooLong.resolve, Math.max(0, milliseconds), 'too long');
  try {
    if ((await Promise.race([done, tooLong.promise])) === 'too long') onTooLong();
  } finally {
    clearTimeout(timer);
  }
}

function abortAfter(milliseconds: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const error = new ApiError('ServiceUnavailable', 'The store does not answer; try again.');
  const timer = setTimeout(() => controller.abort(error), milliseconds);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
