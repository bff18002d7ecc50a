import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import type { ImportedState } from '../history.ts';
import { type Chosen, Draft, shownStrategy } from './draft.ts';
import { environmentOf, type FeatureState, ownFieldsOf, withEnvironmentState } from './feature.ts';
import { inPlace, newContentOf, placeAfter, replaced } from './strategies.ts';

/** Target of an import, and its present state. */
export interface ImportState {
  readonly project: string;
  readonly environment: string;
  readonly defaultStickiness: string;
  readonly defaultStrategy: StrategyInput | undefined;
}

/** Returns the effect of an import on one feature, which may not exist yet. */
export function importStep(
  before: FeatureState | undefined,
  file: ImportedState,
  target: ImportState,
  chosen: Chosen,
): Draft {
  const draft = before === undefined ? created(file, target, chosen) : new Draft(before);
  if (before !== undefined) draft.changeFields(file.fields, chosen);
  importVariants(draft, file, target);
  importTags(draft, file);
  importStrategies(draft, file, target, chosen);
  importEnabled(draft, file, target);
  return draft;
}

/** Returns a new feature. */
export function created(
  { name, fields }: Pick<ImportedState, 'name' | 'fields'>,
  { project }: Pick<ImportState, 'project'>,
  { createdAt = 'a time', createdBy = { id: 0, name: 'somebody' } }: Chosen,
): Draft {
  const { archived = false, ...own } = fields;
  const draft = new Draft({
    type: 'release',
    description: null,
    stale: false,
    impressionData: false,
    ...own,
    name,
    project,
    createdAt,
    createdBy,
    archivedAt: archived ? createdAt : null,
    tags: [],
    lifecycle: { stage: archived ? 'archived' : 'initial', enteredStageAt: createdAt },
    environments: {},
  });
  draft.tell('feature-created', { data: ownFieldsOf(draft.state) });
  if (archived) draft.tell('feature-archived');
  return draft;
}

function importVariants(draft: Draft, { variants }: ImportedState, { environment }: ImportState): void {
  if (variants !== undefined) draft.changeVariants(environment, variants);
}

function importTags(draft: Draft, { tags }: ImportedState): void {
  if (tags === undefined) return;
  for (const { value } of draft.state.tags) if (!tags.includes(value)) draft.removeTag(value);
  for (const value of tags) draft.addTag(value);
}

function importStrategies(draft: Draft, file: ImportedState, target: ImportState, { strategyIds }: Chosen): void {
  const { environment, defaultStickiness, defaultStrategy = { name: 'flexibleRollout' } } = target;
  const state = environmentOf(draft.state, environment);
  const content = (input: StrategyInput) => newContentOf(input, file.name, defaultStickiness);
  const wanted = file.strategies.map((input, index) => ({
    ...content(input),
    sortOrder: input.sortOrder ?? index,
  }));
  const isOn = file.enabled ?? state.enabled;
  if (isOn && wanted.every(({ disabled }) => disabled)) {
    wanted.push({ ...content(defaultStrategy), disabled: false, sortOrder: placeAfter(wanted) });
  }
  const { strategies, removed, added, isMoved } = replaced(state.strategies, wanted, strategyIds);
  if (removed.length + added.length === 0 && !isMoved) return;
  draft.state = withEnvironmentState(draft.state, environment, { ...state, strategies });
  for (const strategy of removed)
    draft.tell('feature-strategy-remove', { environment, preData: shownStrategy(strategy) });
  for (const strategy of added) draft.tell('feature-strategy-add', { environment, data: shownStrategy(strategy) });
  if (isMoved) {
    draft.tell('strategy-order-changed', {
      environment,
      data: { strategyIds: inPlace(strategies).map(({ id }) => id) },
      preData: { strategyIds: inPlace(state.strategies).map(({ id }) => id) },
    });
  }
}

function importEnabled(draft: Draft, { enabled }: ImportedState, { environment }: ImportState): void {
  const state = environmentOf(draft.state, environment);
  if (enabled === undefined || enabled === state.enabled) return;
  draft.state = withEnvironmentState(draft.state, environment, { ...state, enabled });
  draft.tell(enabled ? 'feature-environment-enabled' : 'feature-environment-disabled', { environment });
}
