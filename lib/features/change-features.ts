import { type Effects, withEvents } from '../entity/change.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { EventIdPool, takeEventIds } from '../events/event-ids.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import { loadScheduledOn, suspendedBy } from '../requested/suspend.ts';
import type { Unit } from '../store/pack.ts';
import { retrySerially } from '../store/transactions/retry.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/chunks.ts';
import { loadNames, type NamedFeatures } from './feature-store.ts';
import {
  commitPacks,
  commitTogether,
  finishedUnits,
  packChanges,
  unitOf,
  WriteBudget,
} from './items/commit-features.ts';
import type { FeatureHead, StoredFeature } from './items/feature-items.ts';
import { type FeatureChange, featureWrites } from './items/feature-writes.ts';
import * as featureKeys from './keys.ts';

/** Change of one of many features. */
export interface FeatureStep {
  readonly events: readonly NewEvent[];
  /** Called with the events under their ids. */
  readonly writes: (events: readonly Event[]) => readonly Write[];
}

/** Returns the step for one of many features that was read whole. */
export function stepOf(
  request: Request,
  stored: StoredFeature,
  { after, events }: Pick<FeatureChange, 'after' | 'events'>,
): FeatureStep {
  const writes = (stamped: readonly Event[]) => featureWrites(request, { stored, after }, stamped);
  return { events, writes: events.length === 0 ? () => [] : writes };
}

/** A change of many features, alike. */
export interface ChangeOfFeatures<Found, Loaded> {
  /** Reads the facts that all decisions depend on. */
  readonly read: () => Promise<Found>;
  /**
   * Returns the feature of a name; undefined where nothing is left to do.
   * @param deletedFrom the project of the last one of the name that was deleted, if there is none now.
   * @throws ApiError where it does not exist or may not be changed.
   */
  readonly require: (
    head: FeatureHead | undefined,
    name: string,
    deletedFrom: string | undefined,
  ) => FeatureHead | undefined;
  /**
   * Those of the features that are to be changed.
   * @throws ApiError where they may not be changed together.
   */
  readonly select: (
    heads: readonly FeatureHead[],
    found: Found,
  ) => readonly FeatureHead[] | Promise<readonly FeatureHead[]>;
  /** Reads the rest of what the change of one feature needs. */
  readonly load: (head: FeatureHead) => Promise<Loaded>;
  /** Pure. */
  readonly decide: (head: FeatureHead, loaded: Loaded, found: Found, at: string) => FeatureStep;
  /** Expected number of events per feature, one by default; more cost another request. */
  readonly likelyEvents?: number;
  /** Effects that several features share, written once and not after them, if any changes. */
  readonly shared?: (found: Found) => readonly (Unit & Effects)[];
  /** Tells whether the others must be changed before this one, where all of them exceed a transaction. */
  readonly isLater?: (head: FeatureHead) => boolean;
}

/** A request on more takes seconds; several of them can be sent side by side. */
const featuresMax = 5_000;
/** Number of features read and decided together. */
const chunkSize = 100;

/**
 * Changes features alike. The whole list is checked before anything is written; then it takes as few transactions as
 * the store allows, of whole features each. Interrupted and repeated, it completes. Repeated names count once.
 * @throws ApiError what `read`, `require`, `select` and `decide` throw; 400 for more than one request may write.
 */
export async function changeFeatures<Found, Loaded>(
  request: Request,
  actor: Actor,
  featureNames: readonly string[],
  change: ChangeOfFeatures<Found, Loaded>,
): Promise<void> {
  const names = [...new Set(featureNames)];
  if (names.length > featuresMax) throw invalid(`A request may name at most ${featuresMax} features.`, 'features');
  let isComplete = false;
  while (!isComplete) {
    isComplete = await retrySerially(request, names.map(featureKeys.feature), () =>
      changeOnce(request, actor, names, change),
    );
  }
}

/** Returns true if all is done; otherwise the rest must be read again. */
async function changeOnce<Found, Loaded>(
  request: Request,
  actor: Actor,
  names: readonly string[],
  change: ChangeOfFeatures<Found, Loaded>,
): Promise<boolean> {
  const { read, select, likelyEvents = 1, isLater = () => false } = change;
  const [found, taken, first] = await Promise.all([
    read(),
    takeEventIds(request, likelyEvents * names.length),
    loadNames(request, names.slice(0, chunkSize)),
  ]);
  const heads = await requiredHeads(request, names, first, change.require);
  const finished = await finishedUnits(request);
  const selected = (await select(heads, found)).filter(({ name }) => !finished.has(unitOf(name)));
  if (selected.length === 0) return true;

  const ids = new EventIdPool(request, taken);
  const [scheduled, units] = await Promise.all([
    loadScheduledOn(
      request,
      selected.map(({ own }) => own),
    ),
    unitsOf(actor, selected, found, ids, change),
  ]);
  if (units.length === 0) return true;
  const events = units.flatMap((each) => each.events);
  const shared = await sharedUnits(actor, ids, [...(change.shared?.(found) ?? []), ...suspendedBy(scheduled, events)]);
  const packs = packChanges(request, [...shared, ...units.map(({ unit }) => unit)]);
  if (packs.length <= 1) {
    await commitTogether(request, packs[0] ?? []);
    return true;
  }
  if (shared.length > 0) {
    // Before the others, which are in flight together: none of the schedules that it suspends runs between two of them.
    await commitPacks(request, packChanges(request, shared));
    return false;
  }
  const sooner = units.filter(({ head }) => !isLater(head));
  const isWhole = sooner.length === 0 || sooner.length === units.length;
  await commitPacks(
    request,
    isWhole
      ? packs
      : packChanges(
          request,
          sooner.map(({ unit }) => unit),
        ),
  );
  return isWhole;
}

/**
 * Looks at three times as many features as before each time, so that a list costs little where its first unknown name
 * comes early, and takes few waits where there is none.
 */
async function requiredHeads(
  request: Request,
  names: readonly string[],
  first: NamedFeatures,
  require: ChangeOfFeatures<never, never>['require'],
): Promise<FeatureHead[]> {
  const heads: FeatureHead[] = [];
  let found = first;
  for (let from = 0, size = chunkSize; from < names.length; from += size, size = 3 * from) {
    const chunk = names.slice(from, from + size);
    if (from > 0) found = await loadNames(request, chunk);
    for (const name of chunk) {
      const head = require(found.heads.get(name), name, found.remains.get(name)?.project);
      if (head !== undefined) heads.push(head);
    }
  }
  return heads;
}

interface FeatureUnit {
  readonly head: FeatureHead;
  readonly events: readonly NewEvent[];
  readonly unit: Unit;
}

/** The units that change the features, one by one, so that no more is in memory than may be written. */
async function unitsOf<Found, Loaded>(
  actor: Actor,
  heads: readonly FeatureHead[],
  found: Found,
  ids: EventIdPool,
  { load, decide }: ChangeOfFeatures<Found, Loaded>,
): Promise<FeatureUnit[]> {
  const at = new Date().toISOString();
  const budget = new WriteBudget(heads.length);
  const units: FeatureUnit[] = [];
  for (const chunk of chunksOf(heads, chunkSize)) {
    const loaded = await Promise.all(chunk.map(load));
    const steps = chunk.map((head, index) => ({ head, step: decide(head, loaded[index] as Loaded, found, at) }));
    const count = steps.reduce((sum, { step }) => sum + step.events.length, 0);
    let nextId = await ids.next(count, Math.max(...chunk.map(({ revision }) => revision.lastEventId)));
    for (const { head, step } of steps) {
      const writes = step.writes(stamp(step.events, nextId, actor, at));
      nextId += step.events.length;
      budget.spend(writes);
      if (writes.length > 0) units.push({ head, events: step.events, unit: { what: unitOf(head.name), writes } });
    }
  }
  return units;
}

async function sharedUnits(actor: Actor, ids: EventIdPool, things: readonly (Unit & Effects)[]) {
  const changed = things.filter(({ writes }) => writes.length > 0);
  const count = changed.reduce((sum, { events }) => sum + events.length, 0);
  return withEvents(changed, await ids.next(count, 0), actor, new Date().toISOString());
}
