import { ApiError } from '../../errors.ts';
import {
  type DeliveredFeature,
  type DeliveredState,
  deliveredFeature,
} from '../../features/items/delivered-feature.ts';
import { assertNoneDeleted, assertNoneMissing, assertNoneMoved } from '../../features/shelf/agreement.ts';
import { settled } from '../../features/shelf/settled.ts';
import { type Shelf, type ShelvedFeature, shelfOf } from '../../features/shelf/shelf.ts';
import { isSame } from '../../projects/ledger.ts';
import { listProjectIds } from '../../projects/projects.ts';
import { everything, type Request, withoutReceipt } from '../../request.ts';
import { type Segment, segments, segmentsRevision } from '../../segments/segments.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { mapChunks } from '../../values/chunks.ts';
import { BoundedMap, onceFor } from '../../values/memory.ts';
import { isWithin, type Moment, now } from '../../values/moment.ts';
import { byKeyMax, type DeliveredStates, readStates, readStatesOf, statesOf } from './delivered-states.ts';

/** A selection of features: those of certain projects, or of all (`*`), in an environment. */
export interface Scope {
  readonly projects: readonly string[];
  readonly environment: string;
}

/** The features of a scope as SDKs get them, all of one moment. */
export interface Snapshot {
  /** Rises with every change within the scope, and never falls. */
  readonly revision: number;
  /** Those that are not archived, by name. Their strategies name segments by their ids. */
  readonly features: readonly DeliveredFeature[];
  /** The same features as lists show them, by name. */
  readonly shelved: ReadonlyMap<string, ShelvedFeature>;
  /** Those that the features use. One may be missing; a strategy that names it matches nobody. */
  readonly segments: ReadonlyMap<number, DeliveredSegment>;
  /** The store did not answer in time; this is the last that is known. */
  readonly stale: boolean;
}

/** A segment as an SDK gets it. */
export type DeliveredSegment = Pick<Segment, 'id' | 'name' | 'constraints'>;

/** The part of a process's memory about a project in an environment. */
interface ProjectPart {
  readonly shelf: Shelf;
  readonly states: DeliveredStates;
}

/** A snapshot with what it was made of. */
interface Made {
  readonly snapshot: Snapshot;
  readonly parts: readonly ProjectPart[];
  readonly segmentsRevision: number;
}

/** The part of a process's memory about a scope. */
interface Memory {
  made?: Made;
  /** The same for as long as the store does not answer, so that what is made of it can be kept. */
  stale?: Snapshot;
  /** The end of the last check, and the milliseconds for which it holds. */
  checked?: { readonly at: Moment; readonly ms: number };
  /** The time, in milliseconds of the clock of the process, that the remembered state is not older than. */
  knownSince: number;
  check?: { readonly startedAt: number; readonly done: Promise<void> };
}

/**
 * Returns the milliseconds for which a snapshot is taken for the present one; random, so that processes do not ask at
 * the same moment.
 */
const checkMs = () => 800 + Math.random() * 400;
/** The milliseconds for which a caller waits for a check, where there is something to serve. */
const patienceMs = 1_000;
/** The milliseconds after which a check is given up, so that the next one is made. */
const checkEndsMs = 10_000;
/** The number of projects that are read at the same time. */
const projectsAtOnce = 16;
/** The most scopes that a process remembers; a service has as many as it has kinds of tokens. */
const scopesMax = 200;

const memoryOfMade = new WeakMap<Snapshot, Memory>();

/** Tells whether `snapshotOf` would result in this snapshot without asking the store. */
export function isPresent(snapshot: Snapshot, at: Moment): boolean {
  const memory = memoryOfMade.get(snapshot);
  return memory?.made?.snapshot === snapshot && memory.stale === undefined && !isDue(memory, at);
}

const memoriesOf = onceFor((_: Request['store']) => new BoundedMap<string, Memory>(scopesMax));

/**
 * Returns the snapshot of a scope. It is made once and kept in memory; the store is asked at most about once a second
 * whether anything has changed, so that a change is served at most 1.2 seconds after its answer. It holds whole
 * transactions only. The object is the same until something changes. Where the store is out of reach, the last one is
 * served, marked as stale.
 * @param seen a revision that the caller has seen: a process that knows only an earlier one asks the store before it
 * answers, so that nobody goes back.
 * @throws ApiError 503 where the store is out of reach and nothing is known yet, or only an earlier state than the
 * caller has seen.
 */
export async function snapshotOf(request: Request, scope: Scope, seen = 0): Promise<Snapshot> {
  const memory = memoryOf(request, scope);
  const calledAt = performance.now();
  const isUnsure = () => isBehind(memory, seen) && memory.knownSince < calledAt;
  if (memory.made === undefined || isBehind(memory, seen) || isDue(memory)) {
    await askStore(request, scope, memory);
    // The check of another caller may have begun before the change that this one has seen.
    if (isUnsure()) await askStore(request, scope, memory);
    if (isUnsure()) {
      throw new ApiError('ServiceUnavailable', 'The latest features could not be read; try again.');
    }
  }
  return memory.stale ?? (memory.made as Made).snapshot;
}

/** Tells whether it is time to ask the store again. */
function isDue({ checked }: Memory, at?: Moment): boolean {
  return checked === undefined || !isWithin(checked.at, checked.ms, at);
}

/** Tells whether a caller may have seen more than is remembered. */
function isBehind({ made }: Memory, seen: number): boolean {
  return made !== undefined && made.snapshot.revision < seen;
}

/** Waits for a check; where there is something to serve, not for long. */
async function askStore(request: Request, scope: Scope, memory: Memory): Promise<void> {
  memory.check ??= { startedAt: performance.now(), done: check(request, scope, memory) };
  const { startedAt, done } = memory.check;
  if (memory.made === undefined) await done;
  else await atMost(startedAt + patienceMs - performance.now(), done, () => setStale(memory));
}

/** Brings the remembered snapshot up to date; where there is none yet, it fails with the store. */
async function check(request: Request, scope: Scope, memory: Memory): Promise<void> {
  using patience = untilOver(checkEndsMs);
  const startedAt = performance.now();
  // One check serves many callers, so it neither ends with one of them nor sees only what that one may see.
  const ours = everything(withoutReceipt({ ...request, signal: patience.signal }));
  try {
    const { made } = memory;
    const next = await settled(ours, made === undefined, () => make(ours, scope, made));
    if (next === undefined && made === undefined) {
      throw new ApiError('ServiceUnavailable', 'The features change too fast; try again.');
    }
    if (next !== undefined) {
      memory.made = next;
      memoryOfMade.set(next.snapshot, memory);
      memory.knownSince = startedAt;
    }
    delete memory.stale;
  } catch (error) {
    if (memory.made === undefined || !(error instanceof ApiError && error.name === 'ServiceUnavailable')) throw error;
    setStale(memory);
  } finally {
    memory.checked = { at: now(), ms: checkMs() };
    delete memory.check;
  }
}

function setStale(memory: Memory): void {
  if (memory.made !== undefined) memory.stale ??= { ...memory.made.snapshot, stale: true };
}

/**
 * @param isAnew whether the revision of segments is read before all else; otherwise that of `before` counts as known then.
 * @throws LostRace where what was read is not of one moment.
 */
async function make(request: Request, scope: Scope, before: Made | undefined, isAnew = before === undefined) {
  const { projects, environment } = scope;
  const known = new Map(before?.parts.map((part) => [part.shelf.project, part]));
  // Segments are read after this, so that they are never older than what it says. It shares a request with what has
  // changed, so that a check takes no more requests than it must.
  let changes: Promise<number> | undefined;
  const readSegmentsRevision = () => {
    changes ??= segmentsRevision(request);
    return changes;
  };
  if (isAnew) readSegmentsRevision().catch(() => {});
  const partOf = async (id: string) => {
    if (isAnew) await readSegmentsRevision();
    return readPart(request, id, environment, known.get(id), readSegmentsRevision);
  };
  const parts = await partsOf(request, projects, [...known.keys()], partOf);
  const ofSegments = await readSegmentsRevision();
  // Not by the objects: two of the same state may have been read, and a new snapshot of it would be a revision too many.
  const isKnown = ({ shelf }: ProjectPart) => {
    const part = known.get(shelf.project);
    return part !== undefined && isSame(part.shelf.marks, shelf.marks);
  };
  const areKnown = parts.length === known.size && parts.every(isKnown);
  if (before !== undefined && areKnown && before.segmentsRevision === ofSegments) return before;

  const shelves = parts.map(({ shelf }) => shelf);
  if (projects.includes('*')) await assertNoneMissing(request, shelves);
  else assertNoneMoved(shelves);
  const features = deliveredFeatures(parts, environment);
  const ids = usedSegmentIds(features);
  const used = await loadSegments(request, ids);
  // A segment that has changed after the features were read may have done so together with them, or because of them.
  const first = before === undefined || isAnew ? ofSegments : before.segmentsRevision;
  if (ids.size > 0 && (await segmentsRevision(request)) !== first) {
    if (isAnew) throw new LostRace();
    return make(request, scope, before, true);
  }
  if (used.size < ids.size) await assertNoneDeleted(request, shelves, features, used);
  const sum = parts.reduce((total, { shelf }) => total + shelf.marks.revision, ofSegments);
  const revision = Math.max(sum, (before?.snapshot.revision ?? -1) + 1);
  return {
    parts,
    segmentsRevision: ofSegments,
    snapshot: { revision, features, shelved: liveIn(parts), segments: used, stale: false },
  };
}

function liveIn(parts: readonly ProjectPart[]): ReadonlyMap<string, ShelvedFeature> {
  const all = parts.flatMap(({ shelf }) => [...shelf.features]);
  return new Map(all.filter(([, { feature }]) => feature.archivedAt === null));
}

/** Those of all projects that are known are read while the list of projects is. */
async function partsOf(
  request: Request,
  projects: readonly string[],
  known: readonly string[],
  partOf: (id: string) => Promise<ProjectPart>,
): Promise<ProjectPart[]> {
  const read = (ids: readonly string[]) => mapChunks(ids, projectsAtOnce, partOf);
  if (!projects.includes('*')) return read([...new Set(projects)]);
  const [ids, parts] = await Promise.all([listProjectIds(request), read(known)]);
  const byId = new Map(parts.map((part) => [part.shelf.project, part]));
  for (const part of await read(ids.filter((id) => !byId.has(id)))) byId.set(part.shelf.project, part);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Reads a project, of which only what has changed is read again.
 * @param onChanged is called just before what has changed is read.
 */
async function readPart(
  request: Request,
  project: string,
  environment: string,
  known: ProjectPart | undefined,
  onChanged: () => unknown,
): Promise<ProjectPart> {
  const ahead: Promise<DeliveredStates>[] = [];
  const readAhead = (names: readonly string[]) => {
    onChanged();
    if (names.length > byKeyMax) return;
    ahead.push(readStatesOf(request, { project, environment }, names));
    ahead.at(-1)?.catch(() => {});
  };
  const [shelf, states] = await Promise.all([
    shelfOf(request, project, { onChanged: readAhead }),
    known?.states ?? readStates(request, project, environment),
  ]);
  if (known !== undefined && isSame(known.shelf.marks, shelf.marks)) return { shelf, states: known.states };
  return { shelf, states: await statesOf(request, shelf, environment, states, ...(await Promise.all(ahead))) };
}

function deliveredFeatures(parts: readonly ProjectPart[], environment: string): DeliveredFeature[] {
  return parts
    .flatMap(({ shelf, states }) =>
      [...shelf.features.values()]
        .filter(({ feature }) => feature.archivedAt === null)
        .map((shelved) => keptOf(shelved, environment, states.get(shelved.feature.name)?.state)),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A feature as it was delivered last, with what it was made of. */
interface Kept {
  readonly state: DeliveredState | undefined;
  readonly feature: DeliveredFeature;
}

const keptByEnvironment = onceFor((_: ShelvedFeature) => new Map<string, Kept>());

/** As `deliveredOf`, the same object as before where nothing has changed: what is made of it can be kept. */
function keptOf(shelved: ShelvedFeature, environment: string, state: DeliveredState | undefined): DeliveredFeature {
  const byEnvironment = keptByEnvironment(shelved);
  const known = byEnvironment.get(environment);
  if (known !== undefined && known.state === state) return known.feature;
  const feature = deliveredOf(shelved, environment, state);
  byEnvironment.set(environment, { state, feature });
  return feature;
}

const nothing: DeliveredState = { strategies: [], variants: [] };

/** A feature as an SDK gets it in an environment. */
export function deliveredOf(
  { feature, summaries }: ShelvedFeature,
  environment: string,
  state: DeliveredState | undefined,
): DeliveredFeature {
  const summary = summaries.get(environment);
  // An SDK takes a feature without strategies for one that is on for everybody, which one whose strategies are all
  // disabled is not.
  const isIdle = summary !== undefined && summary.strategies > 0 && summary.enabledStrategies === 0;
  return deliveredFeature(feature, summary?.enabled === true && !isIdle, state ?? nothing);
}

function usedSegmentIds(features: readonly DeliveredFeature[]): ReadonlySet<number> {
  return new Set(features.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])));
}

async function loadSegments(request: Request, ids: ReadonlySet<number>) {
  if (ids.size === 0) return new Map();
  const found = await segments.some(request, ids);
  return new Map([...found].map(([id, { name, constraints }]) => [id, { id, name, constraints }]));
}

function memoryOf({ store }: Request, { projects, environment }: Scope): Memory {
  const all = memoriesOf(store);
  const id = JSON.stringify([environment, ...[...new Set(projects)].toSorted()]);
  const memory = all.get(id) ?? { knownSince: Number.NEGATIVE_INFINITY };
  // The one that was used last is the last to be forgotten.
  all.set(id, memory);
  return memory;
}

/** Waits for something, but not longer than so many milliseconds. */
async function atMost(milliseconds: number, done: Promise<void>, onTooLong: () => void): Promise<void> {
  const tooLong = Promise.withResolvers<'too long'>();
  const timer = setTimeout(tooLong.resolve, Math.max(0, milliseconds), 'too long');
  try {
    if ((await Promise.race([done, tooLong.promise])) === 'too long') onTooLong();
  } finally {
    clearTimeout(timer);
  }
}

function untilOver(milliseconds: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const error = new ApiError('ServiceUnavailable', 'The store does not answer; try again.');
  const timer = setTimeout(() => controller.abort(error), milliseconds);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
