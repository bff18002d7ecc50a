import * as v from 'valibot';
import { newFeatureVariants } from '../features/environments/variant-schema.ts';
import { dependency } from '../features/feature-schema.ts';
import { planInput, progressionInput } from '../features/plans/plan-schema.ts';
import { environmentSafeguardInput, planSafeguardInput } from '../features/plans/safeguard-schema.ts';
import { strategyInput, strategyReplacement } from '../features/strategies/strategy-input-schema.ts';
import { strategyOrder } from '../features/strategies/strategy-schema.ts';
import { segmentUpdate } from '../segments/segment-input-schema.ts';
import { boolean, id, name, nonEmptyText, object, text } from '../values/primitives.ts';
import { changesMax, comment, titleInput } from './change-request-schema.ts';

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

const changeList = v.pipe(v.array(changeInput), v.minLength(1), v.maxLength(changesMax));

/** A list of changes with a title and a reason. */
export const proposalInput = object({
  changes: changeList,
  title: v.exactOptional(titleInput.entries.title),
  /** The reason for the changes, which those who decide read. */
  reason: v.exactOptional(comment),
  /** The id of the request that gets the changes. */
  changeRequest: v.exactOptional(id),
});

/** The forms of a body with changes: a change, a list of changes, or a list with a reason. */
export const changesInput = buildFormsSchema(changeInput, changeList, proposalInput);
export type ChangesInput = v.InferOutput<typeof changesInput>;

/** Builds a union of a change, a list of changes, and a proposal. A problem names the path in the form that was sent. */
function buildFormsSchema<
  const TOne extends v.GenericSchema,
  const TMany extends v.GenericSchema,
  const TProposal extends v.GenericSchema,
>(one: TOne, many: TMany, proposal: TProposal) {
  const schema = v.union([one, many, proposal]);
  return {
    ...schema,
    '~run'(dataset, config) {
      const { value } = dataset;
      const isProposal = typeof value === 'object' && value !== null && 'changes' in value;
      const form = isProposal ? proposal : one;
      return (Array.isArray(value) ? many : form)['~run'](dataset, config);
    },
  } as typeof schema;
}
