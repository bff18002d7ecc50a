import { type Activity, carryOut } from '../../activities.ts';
import { ApiError } from '../../errors.ts';
import { readConsistently } from '../../features/read-model/read-consistently.ts';
import { type Request, withAllProjects, withoutIdempotencyRecord } from '../../request.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { isWithin, type Moment, readClocks } from '../../values/time.ts';
import { type BuiltSnapshot, buildSnapshot, type Scope, type Snapshot } from './snapshot.ts';

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
    const next = await readConsistently(shared, built === undefined, () => buildSnapshot(shared, scope, built));
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
