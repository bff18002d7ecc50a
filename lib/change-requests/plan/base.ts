import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import { sortByOrder } from '../../features/strategies/strategy.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import type { TemplateContent } from '../../release-plans/templates.ts';
import type { ChangeInput } from '../change-input-schema.ts';
import { isActivating, type RequestedChange } from '../change-request.ts';
import { findPlanPart, isPlanChange } from './plan-parts.ts';

/** The input of a change of a feature. */
export type FeatureChangeInput = Exclude<ChangeInput, { readonly action: 'updateSegment' | 'deleteSegment' }>;
/** The input of a change of a segment. */
export type SegmentChangeInput = Extract<ChangeInput, { readonly action: 'updateSegment' | 'deleteSegment' }>;

export function isOfSegment(input: ChangeInput): input is SegmentChangeInput {
  return input.action === 'updateSegment' || input.action === 'deleteSegment';
}

/** Returns the input of a stored change, which was checked when the change was added. */
export const inputOf = ({ feature, action, payload }: RequestedChange) => ({ feature, action, payload }) as ChangeInput;

/** Returns the id of the segment of a change. */
export const segmentIdOf = ({ payload }: RequestedChange) => (payload as { readonly id: number }).id;

/** Returns the name of a part of a request that is applied as a whole. */
export const featurePartName = (name: string) => `feature "${name}"`;
export const segmentPartName = (id: number) => `segment "${id}"`;

/**
 * Returns the part of a feature that a change replaces or depends on; undefined for actions that depend on none.
 * @param base the part when the change was added.
 */
export function baseOf(input: FeatureChangeInput, feature: Feature, environment: string, base?: unknown): unknown {
  const state = environmentOfFeature(feature, environment);
  if (isPlanChange(input)) return findPlanPart(input, state, base);
  const { enabled, strategies, variants } = state;
  switch (input.action) {
    case 'updateEnabled':
      return { enabled, ...(isActivating(input) && { activates: indexDisabled(strategies) }) };
    case 'updateStrategy':
    case 'deleteStrategy':
      return strategies.find(({ id }) => id === input.payload.id);
    case 'reorderStrategy':
      return sortByOrder(strategies).map(({ id, sortOrder }) => ({ id, sortOrder }));
    case 'patchVariant':
      return variants;
    case 'addDependency':
    case 'deleteDependency':
      return feature.dependencies;
    case 'addStrategy':
    case 'archiveFeature':
      return undefined;
  }
}

/** Returns the disabled strategies by id, without their positions. */
function indexDisabled(strategies: readonly Strategy[]) {
  const disabled = strategies.filter((strategy) => strategy.disabled);
  return Object.fromEntries(disabled.map(({ sortOrder: _sortOrder, ...content }) => [content.id, content]));
}

const strategyActions: ReadonlySet<string> = new Set(['addStrategy', 'updateStrategy', 'updateMilestoneStrategy']);

/** Returns the constraints that the strategies of a change will have. */
export function strategyConstraintsOf({ action, payload, template }: RequestedChange): readonly Constraint[] {
  if (template !== undefined) return listStrategies(template).flatMap(({ constraints }) => constraints);
  if (!strategyActions.has(action)) return [];
  return (payload as { readonly constraints?: readonly Constraint[] | null }).constraints ?? [];
}

/** Returns the ids of the segments that the strategies of a change will use. */
export function strategySegmentIdsOf({ action, payload, adds, template }: RequestedChange): readonly number[] {
  if (template !== undefined) return [...new Set(listStrategies(template).flatMap(({ segments }) => segments))];
  if (!strategyActions.has(action)) return adds?.segments ?? [];
  return (payload as { readonly segments?: readonly number[] | null }).segments ?? [];
}

function listStrategies({ milestones }: TemplateContent) {
  return milestones.flatMap(({ strategies }) => strategies);
}
