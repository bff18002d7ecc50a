import { ApiError } from '../../errors.ts';
import {
  buildLedger,
  checksumAttributes,
  isSameChecksum,
  type LedgerItem,
  loadLedger,
  type ReadModelChecksum,
} from '../../projects/ledger.ts';
import { listProjectIds } from '../../projects/projects.ts';
import { filterVisibleProjects, isHidden, type Request, withAllProjects } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItem } from '../../store/read.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { cachePerObject } from '../../values/cache.ts';
import { mapChunks } from '../../values/lists.ts';
import type { Feature } from '../feature.ts';
import { loadParts } from '../feature-store.ts';
import type { EnvironmentSummary } from '../items/environment-summary.ts';
import { assembleFeature, type FeatureHead, type OtherItems, parseHead } from '../items/feature-items.ts';
import * as featureKeys from '../keys.ts';
import { assertNoneMissing } from './assert-consistent.ts';
import { readConsistently } from './read-consistently.ts';
import type { ReadModelItem } from './read-model-items.ts';

/** A feature in a read model, with everything that lists show. */
export interface ReadModelFeature {
  /** The feature without its states in environments and without its children. */
  readonly feature: Feature;
  /** The summaries of the feature's states, by environment. */
  readonly summaries: ReadonlyMap<string, EnvironmentSummary>;
  /** True if an event has reported that the feature is older than the expected lifetime of its type. */
  readonly isReportedOld: boolean;
  readonly mark: number;
}

/** All features of a project, archived ones included, from one consistent read. Do not change it: it is cached. */
export interface ReadModel {
  readonly project: string;
  /** The features by name, sorted by name. */
  readonly features: ReadonlyMap<string, ReadModelFeature>;
  readonly checksum: ReadModelChecksum;
  /** The start of the read, in milliseconds of this process's monotonic clock. */
  readonly readAt: number;
}

interface ReadModelOptions {
  /**
   * Called with the names of changed features just before these are read. Reads by key that it starts share the request
   * to the store.
   */
  readonly onChanged?: (names: readonly string[]) => void;
  /** Refuses an older read model, for example for a decision that depends on the absence of uses. */
  readonly isStrict?: boolean;
}

/** The number of read models that are read at the same time. */
const readModelsAtOnce = 16;

/** The most features in the memory of a process, at about 2 kB each. */
const cachedFeaturesMax = 50_000;

/** The read models that this process has read from a table; the most recently used one is the last. */
const cacheOf = cachePerObject((_: Request['store']) => new Map<string, ReadModel>());

/**
 * Reads all features of a project, archived ones included; none for a project that is unknown or hidden from the caller.
 * The read model contains every change that was answered before the call, and never half a transaction. If changes follow each
 * other so closely that no read within a second is consistent, the last consistent read model is returned, unless `isStrict`.
 * Features that have not changed since the last call cost only a read of their checksums.
 * @throws ApiError 503 if no read within five seconds is consistent and there is no older read model, or with `isStrict`.
 */
export async function loadReadModel(
  request: Request,
  project: string,
  options: ReadModelOptions = {},
): Promise<ReadModel> {
  if (isHidden(request, project)) {
    return { project, features: new Map(), checksum: buildLedger(project, []).checksum, readAt: performance.now() };
  }
  const readModels = cacheOf(request.store);
  const cached = readModels.get(project);
  const readModel = await (cached === undefined
    ? readFromStore(request, project, undefined)
    : readChanged(request, cached, options));
  if (readModel === undefined)
    throw new ApiError('ServiceUnavailable', `The project "${project}" changes too fast; try again.`);
  return rememberReadModel(readModels, readModel);
}

/** Caches a read model. Returns the cached one instead if another call has read the same state meanwhile. */
function rememberReadModel(readModels: Map<string, ReadModel>, read: ReadModel): ReadModel {
  const cached = readModels.get(read.project);
  const isSame = cached !== undefined && isSameChecksum(cached.checksum, read.checksum);
  const readModel =
    isSame && (cached.checksum.moves !== undefined || read.checksum.moves === undefined) ? cached : read;
  // If two reads are concurrent, the older one can end last.
  if (isSame || cached === undefined || cached.readAt <= read.readAt) cacheReadModel(readModels, readModel);
  return readModel;
}

/** Reads the read models of the projects that the caller sees, in the given order, as `loadReadModel` does. */
export function loadReadModels(
  request: Request,
  projects: readonly string[],
  options?: ReadModelOptions,
): Promise<ReadModel[]> {
  return mapChunks(filterVisibleProjects(request, projects), readModelsAtOnce, (project) =>
    loadReadModel(request, project, options),
  );
}

/**
 * Reads the read models of all projects, hidden ones included, for a decision that depends on the absence of uses. They
 * contain every change that was answered before, and miss no feature that moves meanwhile.
 * @throws LostRace if a feature moved between the reads; ApiError 503 as `loadReadModel` does.
 */
export async function loadAllReadModels(request: Request): Promise<ReadModel[]> {
  const systemRequest = withAllProjects(request);
  const readModels = await loadReadModels(systemRequest, await listProjectIds(systemRequest), { isStrict: true });
  await assertNoneMissing(systemRequest, readModels);
  return readModels;
}

async function readChanged(
  request: Request,
  before: ReadModel,
  options: ReadModelOptions,
): Promise<ReadModel | undefined> {
  const { project } = before;
  const { checksum } = await loadLedger(request, project);
  // Another call can have read the changes meanwhile.
  const cached = cacheOf(request.store).get(project) ?? before;
  if (isSameChecksum(cached.checksum, checksum)) {
    return cached.checksum.moves === undefined ? { ...cached, checksum } : cached;
  }
  const read = await readFromStore(request, project, cached, options);
  if (read === undefined) return options.isStrict ? undefined : cached;
  // The counts of moves are still valid unless another feature has moved since.
  const areMovesValid = read.checksum.moved === checksum.moved;
  return areMovesValid ? { ...read, checksum: { ...read.checksum, moves: checksum.moves } } : read;
}

function readFromStore(
  request: Request,
  project: string,
  cached: ReadModel | undefined,
  { onChanged, isStrict = cached === undefined }: ReadModelOptions = {},
): Promise<ReadModel | undefined> {
  return readConsistently(request, isStrict, () => readOnce(request, project, cached, onChanged));
}

/** @throws LostRace if a transaction wrote some of the items during the read. */
async function readOnce(
  request: Request,
  project: string,
  cached: ReadModel | undefined,
  onChanged: ReadModelOptions['onChanged'] = () => {},
): Promise<ReadModel> {
  const { prefix } = featureKeys.listedFeatures(project);
  const readAt = performance.now();
  const all = await queryAll<Key & (PartialReadModelItem | LedgerItem)>(
    request,
    featureKeys.listedFeaturesAndChecksums(project),
    // With a cached read model, most items have not changed, and decoding them would cost more than reading the changed ones.
    cached && { attributes: ['sk', 'mark', ...checksumAttributes] },
  );
  const items = all.filter((item): item is Key & PartialReadModelItem => item.sk.startsWith(prefix));
  const ledger = all.filter((item): item is LedgerItem => !item.sk.startsWith(prefix));
  const { moves, ...withoutMoves } = buildLedger(project, ledger).checksum;
  const checksum = cached === undefined ? { ...withoutMoves, moves } : withoutMoves;
  if (items.reduce((sum, { mark }) => sum + mark, 0) !== checksum.sum) throw new LostRace();

  const features = new Map<string, ReadModelFeature>();
  const changed: [name: string, item: PartialReadModelItem][] = [];
  for (const item of items) {
    const name = item.sk.slice(prefix.length);
    const old = cached?.features.get(name);
    if (old?.mark !== item.mark) changed.push([name, item]);
    // A changed feature is replaced below; setting it here keeps the order of names.
    features.set(name, old as ReadModelFeature);
  }
  if (cached !== undefined) onChanged(changed.map(([name]) => name));
  const incomplete: typeof changed = [];
  for (const [name, item] of changed) {
    const feature = parseReadModelFeature({ name, project }, item);
    if (feature === undefined) incomplete.push([name, item]);
    else features.set(name, feature);
  }
  await Promise.all(
    incomplete.map(async ([name, item]) =>
      features.set(name, await loadReadModelFeature(request, { name, project }, item)),
    ),
  );
  return { project, checksum, features, readAt };
}

/** An item of a read model, or only its checksum. */
type PartialReadModelItem = ReadModelItem | Pick<ReadModelItem, 'mark'>;

type Identity = Pick<Feature, 'name' | 'project'>;

/**
 * Returns a feature if its item contains all of it, as for nearly all features; otherwise undefined. This is synchronous,
 * because thousands of promises would slow down the first search.
 */
function parseReadModelFeature(identity: Identity, item: PartialReadModelItem): ReadModelFeature | undefined {
  if (!isWholeItem(item)) return undefined;
  const head = parseReadModelHead(identity, item);
  return head.revision.partVersions.size === 0 ? buildReadModelFeature(head, item, new Map()) : undefined;
}

/** @throws LostRace if the feature, or a part of it with an item of its own, was changed meanwhile. */
async function loadReadModelFeature(
  request: Request,
  identity: Identity,
  partialItem: PartialReadModelItem,
): Promise<ReadModelFeature> {
  const key = featureKeys.listedFeature(identity.project, identity.name);
  const item = isWholeItem(partialItem) ? partialItem : await readItem<ReadModelItem>(request, key);
  if (item?.mark !== partialItem.mark) throw new LostRace();
  const head = parseReadModelHead(identity, item);
  return buildReadModelFeature(head, item, await loadParts(request, head, [...head.revision.partVersions.keys()]));
}

function isWholeItem(item: PartialReadModelItem): item is ReadModelItem {
  return 'type' in item;
}

/** Returns the head of a feature, without its counters of changes, which are not in the read model. */
function parseReadModelHead(identity: Identity, item: ReadModelItem): FeatureHead {
  return parseHead({ ...item, ...identity, version: 0, lastEventId: 0, eventCount: 0 });
}

function buildReadModelFeature(
  head: FeatureHead,
  { mark, potentiallyStale = false }: ReadModelItem,
  parts: OtherItems['parts'],
) {
  const { summaries } = head.revision;
  const withoutStates = { ...head, revision: { ...head.revision, summaries: new Map() } };
  const { feature } = assembleFeature(withoutStates, { environments: new Map(), parts }, []);
  return { feature, summaries, isReportedOld: potentiallyStale, mark };
}

function cacheReadModel(readModels: Map<string, ReadModel>, readModel: ReadModel): void {
  readModels.delete(readModel.project);
  readModels.set(readModel.project, readModel);
  let count = [...readModels.values()].reduce((sum, { features }) => sum + features.size, 0);
  for (const [project, { features }] of readModels) {
    if (count <= cachedFeaturesMax || project === readModel.project) return;
    readModels.delete(project);
    count -= features.size;
  }
}
