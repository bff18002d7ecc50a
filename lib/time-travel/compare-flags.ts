import { isDeepStrictEqual } from 'node:util';
import type { FeatureChangeInput } from '../change-requests/plan/base.ts';
import type { NewFeatureVariant } from '../features/environments/variant-schema.ts';
import type { Dependency } from '../features/feature-schema.ts';
import type { Strategy } from '../features/strategies/strategy-schema.ts';
import { type EarlierEnvironment, type EarlierFlag, type EarlierPlan, environmentOfEarlier } from './earlier-flag.ts';

/** A change in the form of those of change requests, with the old value. */
export type FlagChange = FeatureChangeInput & { readonly before?: unknown };

/** A property of a feature that is the same in all environments, with its values. */
export interface PropertyChange {
  readonly property: (typeof fields)[number];
  readonly before: unknown;
  readonly after: unknown;
}

/** The changes from one state of a feature to another. */
export interface FlagDifference {
  readonly fields: readonly PropertyChange[];
  readonly dependencies: readonly FlagChange[];
  /** The changes by environment; only environments that have some. */
  readonly environments: ReadonlyMap<string, readonly FlagChange[]>;
}

const fields = ['project', 'type', 'description', 'archived', 'stale', 'impressionData'] as const;

/** Lists the changes that lead from one state of a feature to another, in an order in which they can be made. */
export function compareFlags(before: EarlierFlag, after: EarlierFlag): FlagDifference {
  const names = new Set([...before.environments.keys(), ...after.environments.keys()]);
  const environments = [...names].map((environment) => {
    const [old, next] = [environmentOfEarlier(before, environment), environmentOfEarlier(after, environment)];
    return [environment, compareEnvironments(after.name, old, next)] as const;
  });
  return {
    fields: fields.flatMap((property) =>
      before[property] === after[property] ? [] : [{ property, before: before[property], after: after[property] }],
    ),
    dependencies: compareDependencies(after.name, before.dependencies, after.dependencies),
    environments: new Map(environments.filter(([, changes]) => changes.length > 0)),
  };
}

/** Compares parents. They are listed one by one, although a change request would keep only the last: only an import can add several. */
function compareDependencies(
  feature: string,
  before: readonly Dependency[],
  after: readonly Dependency[],
): FlagChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (after.length === 0) return [{ feature, action: 'deleteDependency', before }];
  return after.map((dependency) => ({ feature, action: 'addDependency', payload: dependency, before }));
}

function compareEnvironments(feature: string, before: EarlierEnvironment, after: EarlierEnvironment): FlagChange[] {
  const changes: FlagChange[] = [
    ...comparePlans(feature, before.plan, after.plan),
    ...compareStrategies(feature, before.strategies, after.strategies),
  ];
  // Strategies are added before, so that the feature is never without one.
  if (before.plan !== undefined && after.plan === undefined)
    changes.push({ feature, action: 'deleteReleasePlan', payload: { planId: before.plan.id }, before: before.plan });
  if (!isDeepStrictEqual(before.variants, after.variants)) {
    // Stored variants have the properties that requests have, but those of older servers may lack some.
    const payload = { variants: after.variants as NewFeatureVariant[] };
    changes.push({ feature, action: 'patchVariant', payload, before: before.variants });
  }
  const { enabled } = after;
  if (before.enabled !== enabled)
    changes.push({ feature, action: 'updateEnabled', payload: { enabled }, before: { enabled: before.enabled } });
  return changes;
}

function comparePlans(feature: string, before: EarlierPlan | undefined, after: EarlierPlan | undefined): FlagChange[] {
  if (after === undefined) return [];
  const { id: planId, name, milestones, releasePlanTemplateId: templateId, activeMilestoneId: milestoneId } = after;
  if (before?.id !== planId) {
    const payload = { templateId, template: { name, milestones } };
    return [{ feature, action: 'addReleasePlan', payload, ...(before && { before }) }];
  }
  const oldStrategies = new Map(strategiesOf(before).map((strategy) => [strategy.id, strategy]));
  const updated = strategiesOf(after).filter((strategy) => {
    const old = oldStrategies.get(strategy.id);
    return old !== undefined && !isDeepStrictEqual(old, strategy);
  });
  const updates = updated.map((strategy): FlagChange => {
    return { feature, action: 'updateMilestoneStrategy', payload: toReplacement(strategy), before };
  });
  if (milestoneId === undefined || milestoneId === before.activeMilestoneId) return updates;
  return [...updates, { feature, action: 'startMilestone', payload: { planId, milestoneId }, before }];
}

function strategiesOf({ milestones }: EarlierPlan): Strategy[] {
  return milestones.flatMap(({ strategies }) => strategies);
}

function toReplacement({ featureName: _featureName, ...strategy }: Strategy) {
  return strategy;
}

/** The most strategies of a feature in an environment. If additions would exceed it, removals come first. */
const togetherMax = 30;

function compareStrategies(feature: string, before: readonly Strategy[], after: readonly Strategy[]): FlagChange[] {
  const [oldById, newById] = [indexById(before), indexById(after)];
  const added = after
    .filter(({ id }) => !oldById.has(id))
    .map(
      ({ id: _id, featureName: _featureName, ...payload }): FlagChange => ({ feature, action: 'addStrategy', payload }),
    );
  const removed = before
    .filter(({ id }) => !newById.has(id))
    .map((strategy): FlagChange => {
      return { feature, action: 'deleteStrategy', payload: { id: strategy.id }, before: strategy };
    });
  const kept = after.flatMap((strategy) => {
    const old = oldById.get(strategy.id);
    return old === undefined ? [] : [{ old, strategy }];
  });
  const updated = kept
    .filter(({ old, strategy }) => !isDeepStrictEqual(withoutPosition(old), withoutPosition(strategy)))
    // Enabling comes before disabling, so that the feature is never without an enabled strategy.
    .toSorted((a, b) => Number(a.strategy.disabled) - Number(b.strategy.disabled))
    .map(({ old, strategy }): FlagChange => {
      const payload = { ...toReplacement(strategy), sortOrder: old.sortOrder };
      return { feature, action: 'updateStrategy', payload, before: old };
    });
  const moved = kept.filter(({ old, strategy }) => old.sortOrder !== strategy.sortOrder);
  const ordered: FlagChange[] = moved.length === 0 ? [] : [reorder(feature, kept)];
  const isTight = before.length + added.length > togetherMax;
  return isTight ? [...removed, ...added, ...updated, ...ordered] : [...added, ...updated, ...ordered, ...removed];
}

function reorder(
  feature: string,
  kept: readonly { readonly old: Strategy; readonly strategy: Strategy }[],
): FlagChange {
  const toPosition = ({ id, sortOrder }: Strategy) => ({ id, sortOrder });
  const payload = kept.map(({ strategy }) => toPosition(strategy));
  return { feature, action: 'reorderStrategy', payload, before: kept.map(({ old }) => toPosition(old)) };
}

function indexById(strategies: readonly Strategy[]): ReadonlyMap<string, Strategy> {
  return new Map(strategies.map((strategy) => [strategy.id, strategy]));
}

function withoutPosition({ sortOrder: _sortOrder, ...strategy }: Strategy) {
  return strategy;
}
