import { WriteBudget } from '../entity/commit-units.ts';
import type { Effects, FlagRequest, Step } from '../entity/step.ts';
import { inRepeatedRounds } from '../entity/store-stages.ts';
import { writeInLoop } from '../entity/write-loop.ts';
import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import type { Write } from '../store/transactions/write.ts';
import { chunksOf } from '../values/lists.ts';
import { loadNames, type NamedFeatures } from './feature-store.ts';
import type { FeatureHead, StoredFeature } from './items/feature-items.ts';
import { type FeatureChange, featureWrites } from './items/feature-writes.ts';
import * as featureKeys from './keys.ts';

/** Returns the name of a step that changes a feature. */
export function nameOfStep(featureName: string): string {
  return `feature "${featureName}"`;
}

/** Change of one of many features. */
export interface FeatureStep extends Pick<Step, 'events' | 'flag'> {
  /** Writes the events under their ids, and what they change. */
  readonly record: (events: readonly Event[]) => readonly Write[];
}

/** Returns the step for one of many features that was read whole. */
export function stepOf(
  request: Request,
  stored: StoredFeature,
  { after, events }: Pick<FeatureChange, 'after' | 'events'>,
): FeatureStep {
  return {
    events,
    record: (stamped) => featureWrites(request, { stored, after }, stamped),
    flag: { schedules: stored.own.schedules, after },
  };
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
  readonly shared?: (found: Found) => readonly (Effects & Pick<Step, 'what'>)[];
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
  request: FlagRequest,
  actor: Actor,
  featureNames: readonly string[],
  change: ChangeOfFeatures<Found, Loaded>,
): Promise<void> {
  const { read, require, select, likelyEvents = 1 } = change;
  const names = [...new Set(featureNames)];
  if (names.length > featuresMax) throw invalid(`A request may name at most ${featuresMax} features.`, 'features');
  await writeInLoop(request, actor, {
    storing: inRepeatedRounds,
    of: names.map(featureKeys.feature),
    likelyEvents: likelyEvents * names.length,
    read: async () => {
      const [found, first] = await Promise.all([read(), loadNames(request, names.slice(0, chunkSize))]);
      return { found, heads: await requiredHeads(request, names, first, require) };
    },
    decide: async ({ found, heads }, at, finished) => {
      const selected = (await select(heads, found)).filter(({ name }) => !finished.has(nameOfStep(name)));
      return {
        steps: decideSteps(change, selected, found, at),
        budget: new WriteBudget(selected.length),
        result: undefined,
      };
    },
  });
}

async function* decideSteps<Found, Loaded>(
  { load, decide, shared = () => [], isLater = () => false }: ChangeOfFeatures<Found, Loaded>,
  heads: readonly FeatureHead[],
  found: Found,
  at: string,
): AsyncGenerator<readonly Step[]> {
  let isChanged = false;
  for (const chunk of chunksOf(heads, chunkSize)) {
    const loaded = await Promise.all(chunk.map(load));
    const steps = chunk.map((head, index): Step => {
      const { name, revision } = head;
      const stage = isLater(head) ? 2 : 1;
      const decided = decide(head, loaded[index] as Loaded, found, at);
      return { what: nameOfStep(name), lastEventId: revision.lastEventId, stage, writes: [], ...decided };
    });
    const changed = steps.filter(({ events }) => events.length > 0);
    isChanged ||= changed.length > 0;
    yield changed;
  }
  if (isChanged) yield shared(found).map((effects) => ({ ...effects, stage: 0 }));
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
