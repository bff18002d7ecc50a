import { ApiError } from '../../errors.ts';
import {
  buildLedger,
  checksumAttributes,
  isSameChecksum,
  type LedgerItem,
  loadLedger,
  type ShelfChecksum,
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
import {
  assembleFeature,
  type EnvironmentSummary,
  type FeatureHead,
  type OtherItems,
  parseHead,
} from '../items/feature-items.ts';
import * as featureKeys from '../keys.ts';
import { assertNoneMissing } from './agreement.ts';
import { readSettled } from './read-settled.ts';
import type { ShelfItem } from './shelf-items.ts';

/** A feature of a shelf: what lists show of it. */
export interface ShelvedFeature {
  /** Without what it does in environments, and without its children. */
  readonly feature: Feature;
  /** Of each environment that it has a state in, what lists show. */
  readonly summaries: ReadonlyMap<string, EnvironmentSummary>;
  /** True if an event has said that it is older than features of its type usually get. */
  readonly isNoticed: boolean;
  readonly mark: number;
}

/** All features of a project, archived ones included, as they were at one moment. Read-only. */
export interface Shelf {
  readonly project: string;
  /** By name, in the order of names. */
  readonly features: ReadonlyMap<string, ShelvedFeature>;
  readonly marks: ShelfChecksum;
  /** The start of its read, in milliseconds of the clock of this process. */
  readonly readAt: number;
}

interface ShelfOptions {
  /**
   * Is called with the names of features that have changed, just before they are read: what is read by key meanwhile shares
   * the request.
   */
  readonly onChanged?: (names: readonly string[]) => void;
  /** True if an older shelf will not do, as for a decision that depends on no feature using something. */
  readonly isStrict?: boolean;
}

/** The number of shelves that are read at the same time. */
const shelvesAtOnce = 16;

/** The most features that a process keeps in memory, at about 2 kB each. */
const featuresKeptMax = 50_000;

/** The shelves that this process has read, for each open table, the one that was used last at the end. */
const memoryOf = cachePerObject((_: Request['store']) => new Map<string, Shelf>());

/**
 * All features of a project, archived ones included; none for one that is unknown, or hidden from the caller. It shows every change that was answered
 * before, and never half a transaction: where changes follow each other so closely that none of the reads of a second has
 * seen whole ones, it is the last one that was whole, unless it has to be strict. What has not changed since the last call
 * is not read again, but for the marks.
 * @throws ApiError 503 where no read was whole within five seconds and none was before, or none before will do.
 */
export async function shelfOf(request: Request, project: string, options: ShelfOptions = {}): Promise<Shelf> {
  if (isHidden(request, project)) {
    return { project, features: new Map(), marks: buildLedger(project, []).checksum, readAt: performance.now() };
  }
  const shelves = memoryOf(request.store);
  const known = shelves.get(project);
  const read = await (known === undefined
    ? readWhole(request, project, undefined)
    : readChanged(request, known, options));
  if (read === undefined)
    throw new ApiError('ServiceUnavailable', `The project "${project}" changes too fast; try again.`);
  return remembered(shelves, read);
}

/** Remembers a shelf that was read; returns the one that another call has read meanwhile, if it is of the same state. */
function remembered(shelves: Map<string, Shelf>, read: Shelf): Shelf {
  const kept = shelves.get(read.project);
  const isKept = kept !== undefined && isSameChecksum(kept.marks, read.marks);
  const shelf = isKept && (kept.marks.moves !== undefined || read.marks.moves === undefined) ? kept : read;
  // Of two reads at the same time, the older one may come last.
  if (isKept || kept === undefined || kept.readAt <= read.readAt) keep(shelves, shelf);
  return shelf;
}

/** The shelves of those of the projects that the caller sees, in their order, each as `shelfOf` gives it. */
export function shelvesOf(request: Request, projects: readonly string[], options?: ShelfOptions): Promise<Shelf[]> {
  return mapChunks(filterVisibleProjects(request, projects), shelvesAtOnce, (project) =>
    shelfOf(request, project, options),
  );
}

/**
 * The shelves of all projects, whatever the caller sees, for a decision that depends on no feature using something. They show every change that was
 * answered before, and miss no feature that moves meanwhile.
 * @throws LostRace where a feature moved between the reads; ApiError 503 as `shelfOf` does.
 */
export async function shelvesOfAll(request: Request): Promise<Shelf[]> {
  const ours = withAllProjects(request);
  const shelves = await shelvesOf(ours, await listProjectIds(ours), { isStrict: true });
  await assertNoneMissing(ours, shelves);
  return shelves;
}

async function readChanged(request: Request, before: Shelf, options: ShelfOptions): Promise<Shelf | undefined> {
  const { project } = before;
  const { checksum: marks } = await loadLedger(request, project);
  // Another call may have read meanwhile what has changed.
  const known = memoryOf(request.store).get(project) ?? before;
  if (isSameChecksum(known.marks, marks)) return known.marks.moves === undefined ? { ...known, marks } : known;
  const read = await readWhole(request, project, known, options);
  if (read === undefined) return options.isStrict ? undefined : known;
  // Unless another feature has moved meanwhile, what is known of moves holds.
  return read.marks.moved === marks.moved ? { ...read, marks: { ...read.marks, moves: marks.moves } } : read;
}

function readWhole(
  request: Request,
  project: string,
  known: Shelf | undefined,
  { onChanged, isStrict = known === undefined }: ShelfOptions = {},
): Promise<Shelf | undefined> {
  return readSettled(request, isStrict, () => readOnce(request, project, known, onChanged));
}

/** @throws LostRace where the items are not of one moment. */
async function readOnce(
  request: Request,
  project: string,
  known: Shelf | undefined,
  onChanged: ShelfOptions['onChanged'] = () => {},
): Promise<Shelf> {
  const { prefix } = featureKeys.listedFeatures(project);
  const readAt = performance.now();
  const all = await queryAll<Key & (MaybeShelfItem | LedgerItem)>(
    request,
    featureKeys.listedFeaturesAndChecksums(project),
    // Where much is known already, only the marks are worth the time that it takes to decode items.
    known && { attributes: ['sk', 'mark', ...checksumAttributes] },
  );
  const items = all.filter((item): item is Key & MaybeShelfItem => item.sk.startsWith(prefix));
  const ledger = all.filter((item): item is LedgerItem => !item.sk.startsWith(prefix));
  const { moves, ...now } = buildLedger(project, ledger).checksum;
  const marks = known === undefined ? { ...now, moves } : now;
  if (items.reduce((sum, { mark }) => sum + mark, 0) !== marks.sum) throw new LostRace();

  const features = new Map<string, ShelvedFeature>();
  const changed: [name: string, item: MaybeShelfItem][] = [];
  for (const item of items) {
    const name = item.sk.slice(prefix.length);
    const same = known?.features.get(name);
    if (same?.mark !== item.mark) changed.push([name, item]);
    // Also where it has changed: the order is that of the names.
    features.set(name, same as ShelvedFeature);
  }
  if (known !== undefined) onChanged(changed.map(([name]) => name));
  const rest: typeof changed = [];
  for (const [name, item] of changed) {
    const whole = wholeFrom({ name, project }, item);
    if (whole === undefined) rest.push([name, item]);
    else features.set(name, whole);
  }
  await Promise.all(
    rest.map(async ([name, item]) => features.set(name, await completed(request, { name, project }, item))),
  );
  return { project, marks, features, readAt };
}

/** An item of a shelf, or its mark alone. */
type MaybeShelfItem = ShelfItem | Pick<ShelfItem, 'mark'>;

type Place = Pick<Feature, 'name' | 'project'>;

/**
 * Returns a feature from its item alone, if that is all of it, as for nearly all features. A promise for each would
 * slow down the first search.
 */
function wholeFrom(place: Place, item: MaybeShelfItem): ShelvedFeature | undefined {
  if (!isSaid(item)) return undefined;
  const head = headOf(place, item);
  return head.revision.partVersions.size === 0 ? shelvedFrom(head, item, new Map()) : undefined;
}

/** @throws LostRace where the feature, or a part of it that has an item of its own, was changed meanwhile. */
async function completed(request: Request, place: Place, known: MaybeShelfItem): Promise<ShelvedFeature> {
  const { name, project } = place;
  const found = isSaid(known) ? known : await readItem<ShelfItem>(request, featureKeys.listedFeature(project, name));
  if (found?.mark !== known.mark) throw new LostRace();
  const head = headOf(place, found);
  return shelvedFrom(head, found, await loadParts(request, head, [...head.revision.partVersions.keys()]));
}

function isSaid(item: MaybeShelfItem): item is ShelfItem {
  return 'type' in item;
}

/**
 * Returns the head of a feature; what counts its changes is on no shelf. Each further copy of an item would slow down
 * the first search of a process.
 */
function headOf(place: Place, item: ShelfItem): FeatureHead {
  return parseHead({ ...item, ...place, version: 0, lastEventId: 0, eventCount: 0 });
}

function shelvedFrom(head: FeatureHead, { mark, potentiallyStale = false }: ShelfItem, parts: OtherItems['parts']) {
  const { summaries } = head.revision;
  const untouched = { ...head, revision: { ...head.revision, summaries: new Map() } };
  const { feature } = assembleFeature(untouched, { environments: new Map(), parts }, []);
  return { feature, summaries, isNoticed: potentiallyStale, mark };
}

function keep(shelves: Map<string, Shelf>, shelf: Shelf): void {
  shelves.delete(shelf.project);
  shelves.set(shelf.project, shelf);
  let count = [...shelves.values()].reduce((sum, { features }) => sum + features.size, 0);
  for (const [project, { features }] of shelves) {
    if (count <= featuresKeptMax || project === shelf.project) return;
    shelves.delete(project);
    count -= features.size;
  }
}
