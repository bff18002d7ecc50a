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
import { strategiesPerChange } from '../environments/empty-environment.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import { withFeatureEnvironment } from '../feature.ts';
import { featureDeleted, featureStrategiesRemoved, featureVariantsUpdated } from '../feature-events.ts';
import { loadWholeFeature } from '../feature-store.ts';
import type { StoredFeature, WholeFeature } from '../items/feature-items.ts';
import { buildFeatureWrites } from '../items/feature-writes.ts';
import { planRemoved } from '../plans/plan-events.ts';
import { loadReadModel } from '../read-model/read-model.ts';
import { requireArchived, requireFeature, requireHead, requirePermitted } from '../require-feature.ts';
import { referencesOf } from '../strategies/strategy-references.ts';
import { buildChildrenError, isParent, listParentsOfOthers } from './archive-feature.ts';

/**
 * Deletes an archived feature with all its items except its events.
 * @throws ApiError 403 for a caller who may not delete it, whether it exists or not; 404 for a feature that is unknown
 * or not archived; 409 while other features depend on it; 412 if `If-Match` does not match.
 */
export function deleteFeature(request: FlagRequest, caller: Caller, featureName: string): Promise<void> {
  const requireMayDelete = (loaded: StoredFeature | undefined) =>
    requirePermitted(loaded, featureName, caller, 'DELETE_FEATURE');
  return deleteInParts(
    request,
    (loaded) => requireMayDelete(loaded).by,
    async (partRequest, tooLarge) => {
      await changeFeature(partRequest, ({ by }) => by, {
        name: featureName,
        read: async () => {
          const whole = await loadWholeFeature(partRequest, featureName);
          return { ...requireMayDelete(whole?.stored), items: whole?.items ?? [] };
        },
        decide: ({ stored: loaded, items }) => {
          const stored = requireArchived(loaded);
          if (stored.revision.childCount > 0) throw buildChildrenError([featureName], 'deleted');
          if (hasManyItems({ stored, items })) {
            tooLarge.add(featureName);
            throw new TooManyItems();
          }
          const { feature } = stored;
          return {
            stored,
            after: feature,
            events: [featureDeleted(feature)],
            writes: (events) => buildFeatureWrites(partRequest, { stored, items, after: undefined }, events),
            value: undefined,
          };
        },
      });
    },
  );
}

/**
 * Deletes archived features, each as `deleteFeature` does; a parent can be deleted together with all its children.
 * Features of the project that are deleted already are ignored.
 * @throws ApiError 404 for the first feature that is unknown, of another project or not archived; 409 while other
 * features depend on one of them; 400 for more writes than a request may have.
 */
export function deleteFeatures(request: FlagRequest, actor: Actor, projectId: string, featureNames: readonly string[]) {
  return deleteInParts(
    request,
    (loaded, name) => {
      requireFeature(loaded, name, projectId);
      return actor;
    },
    (partRequest, tooLarge) =>
      changeFeatures(partRequest, actor, featureNames, {
        read: async () => undefined,
        require: (head, name, deletedFrom) =>
          deletedFrom === projectId ? undefined : requireArchived(requireHead(head, name, projectId)),
        select: async (heads) => {
          const parents = await listParentsOfOthers(partRequest, heads, featureNames);
          if (parents.length > 0) throw buildChildrenError(parents, 'deleted');
          return heads;
        },
        load: async ({ name, revision }) => {
          const whole = await loadWholeFeature(partRequest, name);
          if (whole?.stored.revision.version !== revision.version) throw new LostRace();
          if (hasManyItems(whole)) tooLarge.add(name);
          return whole;
        },
        decide: (_head, { stored, items }) => {
          if (tooLarge.size > 0) throw new TooManyItems();
          return {
            events: [featureDeleted(stored.feature)],
            record: (events) => buildFeatureWrites(partRequest, { stored, items, after: undefined }, events),
            flag: { schedules: stored.own.schedules },
          };
        },
        isLater: isParent,
      }),
  );
}

/** Number of features deleted by one call of `deleteFeatures`. */
const chunkSize = 500;

/** Deletes all features of a project, all of which are archived. Children come first: a parent cannot be deleted before. */
export async function deleteAllFeatures(request: FlagRequest, actor: Actor, project: string): Promise<void> {
  const { features } = await loadReadModel(request, project, { isStrict: true });
  const all = [...features.values()].map(({ feature }) => feature);
  const parents = new Set(all.flatMap(({ dependencies }) => dependencies.map((parent) => parent.feature)));
  const names = all.map(({ name }) => name);
  const ordered = [...names.filter((name) => !parents.has(name)), ...names.filter((name) => parents.has(name))];
  for (const chunk of chunksOf(ordered, chunkSize)) await deleteFeatures(request, actor, project, chunk);
}

/** The most writes of the deletion of one feature; a larger feature loses strategies and variants before. */
const deletionWritesMax = 80;

/** Thrown by a deletion that would take more writes. */
class TooManyItems extends Error {}

function hasManyItems(whole: WholeFeature): boolean {
  const hasItems = [...whole.stored.revision.summaries.values()].some(({ version }) => version > 0);
  return hasItems && buildFeatureWrites(fullAccess, { ...whole, after: undefined }, []).length > deletionWritesMax;
}

/** Checks the permission. @throws ApiError 404 for a feature that was deleted meanwhile. */
type AuthorOf = (loaded: StoredFeature | undefined, name: string) => Actor;

/** Number of features whose strategies are removed at the same time. */
const featuresAtOnce = 8;

/**
 * Tries a deletion, and removes strategies and variants of features that are too large for one transaction, until the
 * deletion succeeds. The checks of the deletion come first each time.
 * @param deleteAll adds the names of features that are too large to the set before it throws TooManyItems.
 */
function deleteInParts(
  request: FlagRequest,
  authorOf: AuthorOf,
  deleteAll: (request: FlagRequest, tooLarge: Set<string>) => Promise<void>,
): Promise<void> {
  const tooLarge = new Set<string>();
  const attempt = async (partRequest: FlagRequest) => {
    tooLarge.clear();
    try {
      return await deleteAll(partRequest, tooLarge);
    } catch (error) {
      if (!(error instanceof TooManyItems)) throw error;
      return tooLargeForTransaction;
    }
  };
  return runInParts(request, attempt, async (partRequest) => {
    const removeFrom = (name: string) =>
      removeChunk(partRequest, authorOf, name).catch((error: unknown) => {
        // The checks of the next attempt decide whether a feature that was deleted meanwhile is an error.
        if (error instanceof ApiError && error.name === 'NotFoundError') return 0;
        throw error;
      });
    return Math.max(...(await mapChunks([...tooLarge], featuresAtOnce, removeFrom)));
  });
}

/**
 * Removes a few strategies of an archived feature in the environment with the most references, and the variants together
 * with the last strategies.
 * @returns the new version of the feature.
 * @throws ApiError 404 for a feature that was deleted meanwhile; 412 if `If-Match` does not match.
 */
async function removeChunk(request: FlagRequest, authorOf: AuthorOf, name: string): Promise<number> {
  const { version } = await changeFeature(request, ({ stored }) => authorOf(stored, name), {
    name,
    likelyEvents: 10,
    read: async () => ({ stored: (await loadWholeFeature(request, name))?.stored }),
    decide: ({ stored }) => {
      if (stored === undefined) throw notFound('feature', name);
      const { feature, revision } = stored;
      const countReferences = (environment: string, state: FeatureEnvironment) =>
        referencesOf({ project: feature.project, feature: name, environment }, state).length;
      const [environment = '', state] =
        [...feature.environments]
          .filter(([name]) => (revision.summaries.get(name)?.version ?? 0) > 0)
          .toSorted(([a, stateA], [b, stateB]) => countReferences(b, stateB) - countReferences(a, stateA))[0] ?? [];
      if (feature.archivedAt === null || state === undefined)
        return { stored, after: feature, events: [], value: undefined };
      const { plan, safeguards: _safeguards, ...others } = state;
      // A plan alone can have as many references as fit into a transaction.
      const removed = plan === undefined ? state.strategies.slice(0, strategiesPerChange) : [];
      const strategies = state.strategies.slice(removed.length);
      const isLast = strategies.length === 0 && plan === undefined;
      const variants = isLast ? [] : state.variants;
      const after = withFeatureEnvironment(feature, environment, { ...others, strategies, variants });
      const events = [
        ...(plan === undefined ? [] : [planRemoved(after, environment, plan)]),
        ...featureStrategiesRemoved(after, environment, state.strategies, removed),
        // Without an event nothing would be written, so an environment that is empty already gets this one, too.
        ...(isLast && (state.variants.length > 0 || removed.length === 0)
          ? [featureVariantsUpdated(after, environment, state.variants)]
          : []),
      ];
      return { stored, after, events, value: undefined };
    },
  });
  return version;
}
