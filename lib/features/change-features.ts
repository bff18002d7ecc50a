import { WriteBudget } from '../entity/commit-units.ts';
import type { ChangeUnit, Effects, FlagRequest } from '../entity/effects.ts';
import { inRepeatedRounds } from '../entity/store-stages.ts';
import { writeInLoop } from '../entity/write-loop.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/lists.ts';
import { type HeadsAndTombstones, loadHeadsAndTombstones } from './feature-store.ts';
import type { FeatureHead, StoredFeature } from './items/feature-items.ts';
import { buildFeatureWrites, type FeatureChange } from './items/feature-writes.ts';
import * as featureKeys from './keys.ts';

/** Returns the name that errors and idempotency records use for the unit that changes a feature. */
export function stepNameOf(featureName: string): string {
  return `feature "${featureName}"`;
}

/** The change of one of many features. */
export interface FeatureUnit extends Pick<ChangeUnit, 'events' | 'flag'> {
  /** Returns the writes of the events, which have their ids now, and of the change. */
  readonly record: (events: readonly Event[]) => readonly Write[];
}

/** Builds the unit of one of many features, which was read as a whole. */
export function toFeatureUnit(
  request: Request,
  stored: StoredFeature,
  { after, events }: Pick<FeatureChange, 'after' | 'events'>,
): FeatureUnit {
  return {
    events,
    record: (stamped) => buildFeatureWrites(request, { stored, after }, stamped),
    flag: { schedules: stored.own.schedules, after },
  };
}

/** A change that is made to many features. */
export interface BulkChangePlan<Facts, Loaded> {
  /** Reads the facts that all decisions depend on. */
  readonly read: () => Promise<Facts>;
  /**
   * Returns the feature of a name; undefined if nothing has to be done.
   * @param deletedFrom the project of a deleted feature with the name, if no feature has it now.
   * @throws ApiError if the feature does not exist or must not be changed.
   */
  readonly require: (
    head: FeatureHead | undefined,
    name: string,
    deletedFrom: string | undefined,
  ) => FeatureHead | undefined;
  /**
   * Selects the features to change.
   * @throws ApiError if they must not be changed together.
   */
  readonly select: (
    heads: readonly FeatureHead[],
    facts: Facts,
  ) => readonly FeatureHead[] | Promise<readonly FeatureHead[]>;
  /** Reads further facts that the decision on one feature needs. */
  readonly load: (head: FeatureHead) => Promise<Loaded>;
  /** Pure. */
  readonly decide: (head: FeatureHead, loaded: Loaded, facts: Facts, at: string) => FeatureUnit;
  /** Expected number of events per feature, one by default; more events cost another request to the store. */
  readonly likelyEvents?: number;
  /** Effects shared by several features, written once if any feature changes, in the first transaction at the latest. */
  readonly shared?: (facts: Facts) => readonly (Effects & Pick<ChangeUnit, 'subject'>)[];
  /** Tells whether a feature has to be changed after the others, if they do not fit into one transaction. */
  readonly isLater?: (head: FeatureHead) => boolean;
}

/** More features would take seconds; clients can send several requests at the same time. */
const featuresMax = 5_000;
/** Number of features read and decided together. */
const chunkSize = 100;

/**
 * Makes the same change to many features. Nothing is written before all features are checked. The writes take as few
 * transactions as the store allows, each with whole features. A repeat of an interrupted request completes it. Repeated
 * names count once.
 * @throws ApiError what `read`, `require`, `select` and `decide` throw; 400 for more writes than a request may have.
 */
export async function changeFeatures<Facts, Loaded>(
  request: FlagRequest,
  actor: Actor,
  featureNames: readonly string[],
  change: BulkChangePlan<Facts, Loaded>,
): Promise<void> {
  const { read, require, select, likelyEvents = 1 } = change;
  const names = [...new Set(featureNames)];
  if (names.length > featuresMax) throw invalid(`A request may name at most ${featuresMax} features.`, 'features');
  await writeInLoop(request, actor, {
    strategy: inRepeatedRounds,
    items: names.map(featureKeys.feature),
    likelyEvents: likelyEvents * names.length,
    read: async () => {
      const [facts, firstChunk] = await Promise.all([
        read(),
        loadHeadsAndTombstones(request, names.slice(0, chunkSize)),
      ]);
      return { facts, heads: await loadRequiredHeads(request, names, firstChunk, require) };
    },
    decide: async ({ facts, heads }, at, finished) => {
      const selected = (await select(heads, facts)).filter(({ name }) => !finished.has(stepNameOf(name)));
      return {
        units: decideUnits(change, selected, facts, at),
        budget: new WriteBudget(selected.length),
        result: undefined,
      };
    },
  });
}

async function* decideUnits<Facts, Loaded>(
  { load, decide, shared = () => [], isLater = () => false }: BulkChangePlan<Facts, Loaded>,
  heads: readonly FeatureHead[],
  facts: Facts,
  at: string,
): AsyncGenerator<readonly ChangeUnit[]> {
  let isChanged = false;
  for (const chunk of chunksOf(heads, chunkSize)) {
    const loaded = await Promise.all(chunk.map(load));
    const units = chunk.map((head, index): ChangeUnit => {
      const { name, revision } = head;
      const stage = isLater(head) ? 2 : 1;
      const decided = decide(head, loaded[index] as Loaded, facts, at);
      return { subject: stepNameOf(name), lastEventId: revision.lastEventId, stage, writes: [], ...decided };
    });
    const changed = units.filter(({ events }) => events.length > 0);
    isChanged ||= changed.length > 0;
    yield changed;
  }
  if (isChanged) yield shared(facts).map((effects) => ({ ...effects, stage: 0 }));
}

/**
 * Reads the features in growing chunks, each three times as many as all before: an unknown name early in the list costs
 * few reads, and a list without unknown names takes few waits.
 */
async function loadRequiredHeads(
  request: Request,
  names: readonly string[],
  firstChunk: HeadsAndTombstones,
  require: BulkChangePlan<never, never>['require'],
): Promise<FeatureHead[]> {
  const heads: FeatureHead[] = [];
  let loaded = firstChunk;
  for (let from = 0, size = chunkSize; from < names.length; from += size, size = 3 * from) {
    const chunk = names.slice(from, from + size);
    if (from > 0) loaded = await loadHeadsAndTombstones(request, chunk);
    for (const name of chunk) {
      const head = require(loaded.heads.get(name), name, loaded.tombstones.get(name)?.project);
      if (head !== undefined) heads.push(head);
    }
  }
  return heads;
}
