import type { Actor } from '../events/actor.ts';
import type { Strategy } from '../schemas/strategy.ts';
import { LostRace } from '../table/lost-race.ts';
import type { Table } from '../table/table.ts';
import type { Caller } from '../users/caller.ts';
import { inUse, isParent, parentsOfOthers } from './archive-feature.ts';
import { changeFeature } from './change-feature.ts';
import { changeFeatures } from './change-features.ts';
import { withFeatureEnvironment } from './feature.ts';
import { featureDeleted, featureStrategyRemoved } from './feature-events.ts';
import type { WholeFeature } from './feature-items.ts';
import { loadWhole } from './feature-store.ts';
import { removalWrites } from './feature-writes.ts';
import { requireArchived, requireHead, requirePermitted } from './require-feature.ts';
import { referencesOf } from './strategy-referrers.ts';

/**
 * Deletes an archived feature with all that belongs to it, but for its events.
 * @throws ApiError 403 for a caller who may not delete it, whether it exists or not; 404 for an unknown feature, and for
 * one that is not archived; 409 while other features depend on it.
 */
export async function deleteFeature(table: Table, caller: Caller, featureName: string): Promise<void> {
  await changeFeature(table, caller, featureName, {
    read: async () => ({ ...(await loadDeletable(table, caller, featureName)) }),
    decide: ({ stored: found, items = [] }) => {
      const stored = requireArchived(requirePermitted(found, featureName, caller, 'DELETE_FEATURE'));
      if (stored.revision.childCount > 0) throw inUse([featureName], 'deleted');
      const { feature } = stored;
      return {
        stored,
        after: feature,
        events: [featureDeleted(feature)],
        writes: (events) => removalWrites({ stored, items }, events),
        value: undefined,
      };
    },
  });
}

/**
 * Deletes archived features, each as `deleteFeature` does; of a parent and its children, all. Those that are deleted
 * stay so.
 * @throws ApiError 404 for the first that is unknown, of another project or not archived; 409 while others depend on one
 * of them; 400 for more than one request may write.
 */
export function deleteFeatures(
  table: Table,
  actor: Actor,
  projectId: string,
  featureNames: readonly string[],
): Promise<void> {
  return changeFeatures(table, actor, featureNames, {
    read: async () => undefined,
    require: (head, name, isDeleted) => (isDeleted ? undefined : requireArchived(requireHead(head, name, projectId))),
    select: async (heads) => {
      const parents = await parentsOfOthers(table, heads, featureNames);
      if (parents.length > 0) throw inUse(parents, 'deleted');
      return heads;
    },
    load: async ({ name, revision }) => {
      const whole = await loadDeletable(table, actor, name);
      if (whole?.stored.revision.version !== revision.version) throw new LostRace();
      return whole;
    },
    decide: (_head, { stored, items }) => ({
      events: [featureDeleted(stored.feature)],
      writes: (events) => removalWrites({ stored, items }, events),
    }),
    isLater: isParent,
  });
}

/** How many items a deletion may change; more are removed before it. */
const deletedTogetherMax = 80;

/** A feature with all of its items, no more of them than can be deleted together. */
async function loadDeletable(table: Table, actor: Actor, name: string): Promise<WholeFeature | undefined> {
  const whole = await loadWhole(table, name);
  if (whole === undefined || whole.stored.feature.archivedAt === null) return whole;
  const { environments } = whole.stored.feature;
  const hasStrategies = [...environments.values()].some(({ strategies }) => strategies.length > 0);
  if (!hasStrategies || removalWrites(whole, []).length <= deletedTogetherMax) return whole;
  await removeStrategies(table, actor, name);
  throw new LostRace();
}

/** Removes some strategies of an archived feature, in the environment where most things are used. */
async function removeStrategies(table: Table, actor: Actor, name: string): Promise<void> {
  // The receipt and the precondition of a request are for what it asks for.
  const { receipt: _receipt, expectedVersions: _versions, ...ours } = table;
  await changeFeature(ours, actor, name, {
    likelyEvents: 10,
    read: async () => ({ stored: (await loadWhole(ours, name))?.stored }),
    decide: ({ stored }) => {
      if (stored === undefined) throw new LostRace();
      const { feature } = stored;
      const uses = (environment: string, strategies: readonly Strategy[]) =>
        referencesOf({ project: feature.project, feature: name, environment }, strategies).length;
      const [environment = '', state] =
        [...feature.environments].toSorted(
          ([a, { strategies: ofA }], [b, { strategies: ofB }]) => uses(b, ofB) - uses(a, ofA),
        )[0] ?? [];
      if (feature.archivedAt === null || state === undefined)
        return { stored, after: feature, events: [], value: undefined };
      // A strategy uses at most five segments and a type.
      const removed = state.strategies.slice(0, 5);
      const strategies = state.strategies.slice(removed.length);
      const after = withFeatureEnvironment(feature, environment, { ...state, strategies });
      const events = removed.map((strategy) => featureStrategyRemoved(after, environment, strategy));
      return { stored, after, events, value: undefined };
    },
  });
}
