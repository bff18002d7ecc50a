import { inParts, tooMuch } from '../../entity/steps.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { Caller } from '../../people/rights/caller.ts';
import type { Request } from '../../request.ts';
import { LostRace } from '../../store/transactions/lost-race.ts';
import { changeFeature } from '../change-feature.ts';
import { changeFeatures } from '../change-features.ts';
import { withFeatureEnvironment } from '../feature.ts';
import { featureDeleted, featureStrategyRemoved, featureVariantsUpdated } from '../feature-events.ts';
import { loadWhole } from '../feature-store.ts';
import type { StoredFeature, WholeFeature } from '../items/feature-items.ts';
import { featureWrites } from '../items/feature-writes.ts';
import { requireArchived, requireHead, requirePermitted } from '../require-feature.ts';
import { referencesOf } from '../strategies/strategy-referrers.ts';
import type { Strategy } from '../strategies/strategy-schema.ts';
import { haveChildren, isParent, parentsOfOthers } from './archive-feature.ts';

/**
 * Deletes an archived feature with everything that belongs to it, except its events.
 * @throws ApiError 403 for a caller who may not delete it, whether it exists or not; 404 for an unknown feature, and
 * for one that is not archived; 409 while other features depend on it; 412 by `If-Match`.
 */
export function deleteFeature(request: Request, caller: Caller, featureName: string): Promise<void> {
  const permittedFor = (found: StoredFeature | undefined) =>
    requirePermitted(found, featureName, caller, 'DELETE_FEATURE');
  return inPartsOf(
    request,
    (found) => permittedFor(found).by,
    async (ours) => {
      await changeFeature(ours, ({ by }) => by, {
        name: featureName,
        read: async () => {
          const whole = await loadWhole(ours, featureName);
          return { ...permittedFor(whole?.stored), items: whole?.items ?? [] };
        },
        decide: ({ stored: found, items }) => {
          const stored = requireArchived(found);
          if (stored.revision.childCount > 0) throw haveChildren([featureName], 'deleted');
          requireFewItems({ stored, items });
          const { feature } = stored;
          return {
            stored,
            after: feature,
            events: [featureDeleted(feature)],
            writes: (events) => featureWrites(ours, { stored, items, after: undefined }, events),
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
export function deleteFeatures(
  request: Request,
  actor: Actor,
  projectId: string,
  featureNames: readonly string[],
): Promise<void> {
  return inPartsOf(
    request,
    () => actor,
    (ours) =>
      changeFeatures(ours, actor, featureNames, {
        read: async () => undefined,
        require: (head, name, isDeleted) =>
          isDeleted ? undefined : requireArchived(requireHead(head, name, projectId)),
        select: async (heads) => {
          const parents = await parentsOfOthers(ours, heads, featureNames);
          if (parents.length > 0) throw haveChildren(parents, 'deleted');
          return heads;
        },
        load: async ({ name, revision }) => {
          const whole = await loadWhole(ours, name);
          if (whole?.stored.revision.version !== revision.version) throw new LostRace();
          requireFewItems(whole);
          return whole;
        },
        decide: (_head, { stored, items }) => ({
          events: [featureDeleted(stored.feature)],
          writes: (events) => featureWrites(ours, { stored, items, after: undefined }, events),
        }),
        isLater: isParent,
      }),
  );
}

/** Limit of items changed in one deletion; any more are removed before it. */
const deletedTogetherMax = 80;

/** Thrown by a deletion that would change more items. */
class TooManyItems extends Error {
  readonly featureName: string;

  constructor(featureName: string) {
    super(`The feature "${featureName}" has too many items to be deleted in one transaction.`);
    this.featureName = featureName;
  }
}

/** @throws TooManyItems */
function requireFewItems(whole: WholeFeature): void {
  const { feature, revision } = whole.stored;
  const hasItems = [...revision.summaries.values()].some(({ version }) => version > 0);
  if (hasItems && featureWrites({}, { ...whole, after: undefined }, []).length > deletedTogetherMax)
    throw new TooManyItems(feature.name);
}

/** Deletes after as many strategies and variants are removed as it takes. Its own checks come first each time. */
function inPartsOf(
  request: Request,
  authorOf: (found: StoredFeature | undefined) => Actor,
  remove: (request: Request) => Promise<void>,
): Promise<void> {
  let tooLarge = '';
  const whole = async (ours: Request) => {
    try {
      return await remove(ours);
    } catch (error) {
      if (!(error instanceof TooManyItems)) throw error;
      tooLarge = error.featureName;
      return tooMuch;
    }
  };
  return inParts(request, whole, (ours) => removeSome(ours, authorOf, tooLarge));
}

/**
 * Removes some strategies of an archived feature, in the environment where most things are used, and with the last of them
 * its variants there.
 * @returns the version that it has then.
 * @throws ApiError 404 where it was deleted meanwhile; 412 by `If-Match`.
 */
async function removeSome(
  request: Request,
  authorOf: (found: StoredFeature | undefined) => Actor,
  name: string,
): Promise<number> {
  const { version } = await changeFeature(request, ({ stored }) => authorOf(stored), {
    name,
    likelyEvents: 10,
    read: async () => ({ stored: (await loadWhole(request, name))?.stored }),
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
