import {
  type DeliveredFeature,
  type DeliveredState,
  toDeliveredFeature,
} from '../../features/items/delivered-feature.ts';
import { assertNoneDeleted, assertNoneMissing, assertNoneMoved } from '../../features/read-model/assert-consistent.ts';
import { loadReadModel, type ReadModel, type ReadModelFeature } from '../../features/read-model/read-model.ts';
import { isOnForSdks } from '../../features/strategies/served-state.ts';
import { isSameChecksum } from '../../projects/ledger.ts';
import { listProjectIds } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { loadSegmentsRevision, type Segment, segments } from '../../segments/segments.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { cachePerObject } from '../../values/cache.ts';
import { mapChunks } from '../../values/lists.ts';
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
export interface BuiltSnapshot {
  readonly snapshot: Snapshot;
  readonly projectStates: readonly ProjectState[];
  readonly segmentsRevision: number;
}

/** The number of projects that are read at a time. */
const projectsAtOnce = 16;

/**
 * Builds a snapshot, or returns the earlier one if nothing has changed.
 * @param segmentsRevisionFirst whether to read the revision of the segments before everything else.
 * @throws LostRace if the states of the projects are not consistent with each other.
 */
export async function buildSnapshot(
  request: Request,
  scope: Scope,
  before: BuiltSnapshot | undefined,
  segmentsRevisionFirst = before === undefined,
): Promise<BuiltSnapshot> {
  const { projects, environment } = scope;
  const projectsBefore = new Map(
    before?.projectStates.map((projectState) => [projectState.readModel.project, projectState]),
  );
  // The revision is read before the segments, so the segments are at least that new. It is read together with the changed features,
  // which saves a round trip.
  let revisionReading: Promise<number> | undefined;
  const readSegmentsRevision = () => {
    revisionReading ??= loadSegmentsRevision(request);
    return revisionReading;
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
  const ids = listUsedSegmentIds(features);
  const used = await loadSegments(request, ids);
  // If segments have changed since the features were read, one transaction may have changed both, so everything is read again.
  const revisionBefore = before === undefined || segmentsRevisionFirst ? segmentsRevision : before.segmentsRevision;
  if (ids.size > 0 && (await loadSegmentsRevision(request)) !== revisionBefore) {
    if (segmentsRevisionFirst) throw new LostRace();
    return buildSnapshot(request, scope, before, true);
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

/** Returns a feature as `toDelivered` does, but the same object until something changes, so that callers can use it as a cache key. */
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
  return toDeliveredFeature(feature, summary !== undefined && isOnForSdks(summary), state ?? emptyState);
}

function listUsedSegmentIds(features: readonly DeliveredFeature[]): ReadonlySet<number> {
  return new Set(features.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])));
}

async function loadSegments(request: Request, ids: ReadonlySet<number>) {
  if (ids.size === 0) return new Map();
  const used = await segments.findSome(request, ids);
  return new Map([...used].map(([id, { name, constraints }]) => [id, { id, name, constraints }]));
}
