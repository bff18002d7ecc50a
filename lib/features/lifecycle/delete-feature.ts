import type { FlagRequest } from '../../entity/effects.ts';
import { runInParts, tooLargeForTransaction } from '../../entity/phases.ts';
import { ApiError, notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { Caller } from '../../identity/caller.ts';
import { fullAccess } from '../../request.ts';
import { LostRace } from '../../store/transactions/retry.ts';
import { chunksOf, mapChunks } from '../../values/lists.ts';
import { changeFeature } from '../change-feature.ts';
import { changeFeatures } from '../change-features.ts';
import { withFeatureEnvironment } from '../feature.ts';
import { featureDeleted, featureStrategyRemoved, featureVariantsUpdated } from '../feature-events.ts';
import { loadWholeFeature } from '../feature-store.ts';
import type { StoredFeature, WholeFeature } from '../items/feature-items.ts';
import { buildFeatureWrites } from '../items/feature-writes.ts';
import { requireArchived, requireFeature, requireHead, requirePermitted } from '../require-feature.ts';
import { shelfOf } from '../shelf/shelf.ts';
import { referencesOf } from '../strategies/strategy-references.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import { haveChildren, isParent, parentsOfOthers } from './archive-feature.ts';

/**
 * Deletes an archived feature with everything that belongs to it, except its events.
 * @throws ApiError 403 for a caller who may not delete it, whether it exists or not; 404 for an unknown feature, and
 * for one that is not archived; 409 while other features depend on it; 412 by `If-Match`.
 */
export function deleteFeature(request: FlagRequest, caller: Caller, featureName: string): Promise<void> {
  const permittedFor = (found: StoredFeature | undefined) =>
    requirePermitted(found, featureName, caller, 'DELETE_FEATURE');
  return inPartsOf(
    request,
    (found) => permittedFor(found).by,
    async (ours, tooLarge) => {
      await changeFeature(ours, ({ by }) => by, {
        name: featureName,
        read: async () => {
          const whole = await loadWholeFeature(ours, featureName);
          return { ...permittedFor(whole?.stored), items: whole?.items ?? [] };
        },
        decide: ({ stored: found, items }) => {
          const stored = requireArchived(found);
          if (stored.revision.childCount > 0) throw haveChildren([featureName], 'deleted');
          if (hasManyItems({ stored, items })) {
            tooLarge.add(featureName);
            throw new TooManyItems();
          }
          const { feature } = stored;
          return {
            stored,
            after: feature,
            events: [featureDeleted(feature)],
            writes: (events) => buildFeatureWrites(ours, { stored, items, after: undefined }, events),
            value: undefined,
          };
        },
      });
    },
  );
}

/**
 * Deletes archived features, each as `deleteFeature` does; of a parent and its children, all. Those that are deleted
 * stay so.
 * @throws ApiError 404 for the first that is unknown, of another project or not archived; 409 while others depend on one
 * of them; 400 for more than one request may write.
 */
export function deleteFeatures(request: FlagRequest, actor: Actor, projectId: string, featureNames: readonly string[]) {
  return inPartsOf(
    request,
    (found, name) => {
      requireFeature(found, name, projectId);
      return actor;
    },
    (ours, tooLarge) =>
      changeFeatures(ours, actor, featureNames, {
        read: async () => undefined,
        require: (head, name, deletedFrom) =>
          deletedFrom === projectId ? undefined : requireArchived(requireHead(head, name, projectId)),
        select: async (heads) => {
          const parents = await parentsOfOthers(ours, heads, featureNames);
          if (parents.length > 0) throw haveChildren(parents, 'deleted');
          return heads;
        },
        load: async ({ name, revision }) => {
          const whole = await loadWholeFeature(ours, name);
          if (whole?.stored.revision.version !== revision.version) throw new LostRace();
          if (hasManyItems(whole)) tooLarge.add(name);
          return whole;
        },
        decide: (_head, { stored, items }) => {
          if (tooLarge.size > 0) throw new TooManyItems();
          return {
            events: [featureDeleted(stored.feature)],
            record: (events) => buildFeatureWrites(ours, { stored, items, after: undefined }, events),
            flag: { schedules: stored.own.schedules },
          };
        },
        isLater: isParent,
      }),
  );
}

/** Number of features that one request deletes. */
const featuresTogether = 500;

/**
 * Deletes all features of a project without live ones, children before their parents: a feature on which others depend cannot
 * be deleted.
 */
export async function deleteAllFeatures(request: FlagRequest, actor: Actor, project: string): Promise<void> {
  const { features } = await shelfOf(request, project, { isStrict: true });
  const all = [...features.values()].map(({ feature }) => feature);
  const parents = new Set(all.flatMap(({ dependencies }) => dependencies.map((parent) => parent.feature)));
  const names = all.map(({ name }) => name);
  const ordered = [...names.filter((name) => !parents.has(name)), ...names.filter((name) => parents.has(name))];
  for (const chunk of chunksOf(ordered, featuresTogether)) await deleteFeatures(request, actor, project, chunk);
}

/** Limit of items changed in one deletion; any more are removed before it. */
const deletedTogetherMax = 80;

/** Thrown by a deletion that would change more items of one feature. */
class TooManyItems extends Error {}

function hasManyItems(whole: WholeFeature): boolean {
  const hasItems = [...whole.stored.revision.summaries.values()].some(({ version }) => version > 0);
  return hasItems && buildFeatureWrites(fullAccess, { ...whole, after: undefined }, []).length > deletedTogetherMax;
}

/** @throws ApiError 404 for a feature that is deleted by now. */
type AuthorOf = (found: StoredFeature | undefined, name: string) => Actor;

/** Number of features from which something is removed at the same time. */
const removedAtOnce = 8;

/**
 * Deletes after as many strategies and variants are removed as it takes. Its own checks come first each time.
 * @param remove takes down the names of features that have too many items, before it throws TooManyItems.
 */
function inPartsOf(
  request: FlagRequest,
  authorOf: AuthorOf,
  remove: (request: FlagRequest, tooLarge: Set<string>) => Promise<void>,
): Promise<void> {
  const tooLarge = new Set<string>();
  const whole = async (ours: FlagRequest) => {
    tooLarge.clear();
    try {
      return await remove(ours, tooLarge);
    } catch (error) {
      if (!(error instanceof TooManyItems)) throw error;
      return tooLargeForTransaction;
    }
  };
  return runInParts(request, whole, async (ours) => {
    const step = (name: string) =>
      removeSome(ours, authorOf, name).catch((error: unknown) => {
        // The checks decide what it means that one is gone by now.
        if (error instanceof ApiError && error.name === 'NotFoundError') return 0;
        throw error;
      });
    return Math.max(...(await mapChunks([...tooLarge], removedAtOnce, step)));
  });
}

/**
 * Removes some strategies of an archived feature, in the environment where most things are used, and with the last of them
 * its variants there.
 * @returns the version that it has then.
 * @throws ApiError 404 where it was deleted meanwhile; 412 by `If-Match`.
 */
async function removeSome(request: FlagRequest, authorOf: AuthorOf, name: string): Promise<number> {
  const { version } = await changeFeature(request, ({ stored }) => authorOf(stored, name), {
    name,
    likelyEvents: 10,
    read: async () => ({ stored: (await loadWholeFeature(request, name))?.stored }),
    decide: ({ stored }) => {
      if (stored === undefined) throw notFound('feature', name);
      const { feature, revision } = stored;
      const uses = (environment: string, strategies: readonly Strategy[]) =>
        referencesOf({ project: feature.project, feature: name, environment }, strategies).length;
      const [environment = '', state] =
        [...feature.environments]
          .filter(([name]) => (revision.summaries.get(name)?.version ?? 0) > 0)
          .toSorted(([a, { strategies: ofA }], [b, { strategies: ofB }]) => uses(b, ofB) - uses(a, ofA))[0] ?? [];
      if (feature.archivedAt === null || state === undefined)
        return { stored, after: feature, events: [], value: undefined };
      // A strategy uses at most five segments and a type.
      const removed = state.strategies.slice(0, 5);
      const strategies = state.strategies.slice(removed.length);
      const isLast = strategies.length === 0;
      const variants = isLast ? [] : state.variants;
      const after = withFeatureEnvironment(feature, environment, { ...state, strategies, variants });
      const events = [
        ...removed.map((strategy) => featureStrategyRemoved(after, environment, strategy)),
        // A change without an event is not written, so an environment in which nothing was left gets this one, too.
        ...(isLast && (state.variants.length > 0 || removed.length === 0)
          ? [featureVariantsUpdated(after, environment, state.variants)]
          : []),
      ];
      return { stored, after, events, value: undefined };
    },
  });
  return version;
}
