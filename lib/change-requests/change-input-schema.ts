import * as v from 'valibot';
import { newFeatureVariants } from '../features/environments/variant-schema.ts';
import { dependency } from '../features/feature-schema.ts';
import { planInput, progressionInput } from '../features/plans/plan-schema.ts';
import { environmentSafeguardInput, planSafeguardInput } from '../features/plans/safeguard-schema.ts';
import { strategyInput, strategyReplacement } from '../features/strategies/strategy-input-schema.ts';
import { strategyOrder } from '../features/strategies/strategy-schema.ts';
import { segmentUpdate } from '../segments/segment-input-schema.ts';
import { boolean, id, name, nonEmptyText, object, text } from '../values/primitives.ts';
import { changesMax } from './change-request-schema.ts';

const strategyId = object({ id: text });
const nothing = v.exactOptional(v.unknown());
const planId = nonEmptyText;
const sourceMilestone = nonEmptyText;
const safeguardId = nonEmptyText;

function buildFeatureChange<const TAction extends string, const TSchema extends v.GenericSchema>(
  action: TAction,
  payload: TSchema,
) {
  return object({ feature: name, action: v.literal(action), payload });
}

/** A requested change, by its action, under Unleash's names (`changeRequestCreateSchema`). */
export const changeInput = v.variant('action', [
  buildFeatureChange(
    'updateEnabled',
    object({ enabled: boolean, shouldActivateDisabledStrategies: v.exactOptional(v.nullable(boolean)) }),
  ),
  buildFeatureChange('addStrategy', strategyInput),
  buildFeatureChange('updateStrategy', strategyReplacement),
  buildFeatureChange('deleteStrategy', strategyId),
  buildFeatureChange('reorderStrategy', strategyOrder),
  buildFeatureChange('patchVariant', object({ variants: newFeatureVariants })),
  object({ feature: name, action: v.literal('archiveFeature'), payload: nothing }),
  buildFeatureChange('addDependency', dependency),
  object({ feature: name, action: v.literal('deleteDependency'), payload: nothing }),
  buildFeatureChange('addReleasePlan', planInput),
  buildFeatureChange('deleteReleasePlan', object({ planId })),
  buildFeatureChange('startMilestone', object({ planId, milestoneId: nonEmptyText })),
  buildFeatureChange('updateMilestoneStrategy', strategyReplacement),
  buildFeatureChange('changeMilestoneProgression', object({ sourceMilestone, ...progressionInput.entries })),
  buildFeatureChange('deleteMilestoneProgression', object({ sourceMilestone })),
  buildFeatureChange('resumeMilestoneProgression', object({ planId })),
  buildFeatureChange('changeReleasePlanSafeguard', object({ planId, safeguard: planSafeguardInput })),
  buildFeatureChange('deleteReleasePlanSafeguard', object({ planId, safeguardId })),
  buildFeatureChange('changeFeatureEnvSafeguard', object({ safeguard: environmentSafeguardInput })),
  buildFeatureChange('deleteFeatureEnvSafeguard', object({ safeguardId })),
  object({
    feature: v.exactOptional(v.nullable(text)),
    action: v.literal('updateSegment'),
    payload: object({ id, ...segmentUpdate.entries }),
  }),
  object({ feature: v.exactOptional(v.nullable(text)), action: v.literal('deleteSegment'), payload: object({ id }) }),
]);
export type ChangeInput = v.InferOutput<typeof changeInput>;
export type Action = ChangeInput['action'];

/** One change, or a list of changes. */
export const changesInput = buildOneOrManySchema(
  changeInput,
  v.pipe(v.array(changeInput), v.minLength(1), v.maxLength(changesMax)),
);

/** Builds a union of a thing and a list of such things. A problem names the path in the form that was sent. */
function buildOneOrManySchema<const TOne extends v.GenericSchema, const TMany extends v.GenericSchema>(
  one: TOne,
  many: TMany,
) {
  const schema = v.union([one, many]);
  return {
    ...schema,
    '~run'(dataset, config) {
      return (Array.isArray(dataset.value) ? many : one)['~run'](dataset, config);
    },
  } as typeof schema;
}
