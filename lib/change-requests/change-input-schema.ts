import * as v from 'valibot';
import { newFeatureVariants } from '../features/environments/variant-schema.ts';
import { dependency } from '../features/feature-schema.ts';
import { strategyInput, strategyReplacement } from '../features/strategies/strategy-input-schema.ts';
import { strategyOrder } from '../features/strategies/strategy-schema.ts';
import { segmentUpdate } from '../segments/segment-input-schema.ts';
import { boolean, id, name, object, text } from '../values/primitives.ts';
import { changesMax } from './change-request-schema.ts';

const ofStrategy = object({ id: text });
const nothing = v.exactOptional(v.unknown());

function ofFeature<const TAction extends string, const TSchema extends v.GenericSchema>(
  action: TAction,
  payload: TSchema,
) {
  return object({ feature: name, action: v.literal(action), payload });
}

/** A change as it is asked for, by its action, under Unleash's names (`changeRequestCreateSchema`). */
export const changeInput = v.variant('action', [
  ofFeature(
    'updateEnabled',
    object({ enabled: boolean, shouldActivateDisabledStrategies: v.exactOptional(v.nullable(boolean)) }),
  ),
  ofFeature('addStrategy', strategyInput),
  ofFeature('updateStrategy', strategyReplacement),
  ofFeature('deleteStrategy', ofStrategy),
  ofFeature('reorderStrategy', strategyOrder),
  ofFeature('patchVariant', object({ variants: newFeatureVariants })),
  object({ feature: name, action: v.literal('archiveFeature'), payload: nothing }),
  ofFeature('addDependency', dependency),
  object({ feature: name, action: v.literal('deleteDependency'), payload: nothing }),
  object({
    feature: v.exactOptional(v.nullable(text)),
    action: v.literal('updateSegment'),
    payload: object({ id, ...segmentUpdate.entries }),
  }),
  object({ feature: v.exactOptional(v.nullable(text)), action: v.literal('deleteSegment'), payload: object({ id }) }),
]);
export type ChangeInput = v.InferOutput<typeof changeInput>;
export type Action = ChangeInput['action'];

/** One change, or several at once. */
export const changesInput = oneOrMany(
  changeInput,
  v.pipe(v.array(changeInput), v.minLength(1), v.maxLength(changesMax)),
);

/** A union of a thing and a list of such things, of which a problem says where in the one that was meant it is. */
function oneOrMany<const TOne extends v.GenericSchema, const TMany extends v.GenericSchema>(one: TOne, many: TMany) {
  const schema = v.union([one, many]);
  return {
    ...schema,
    '~run'(dataset, config) {
      return (Array.isArray(dataset.value) ? many : one)['~run'](dataset, config);
    },
  } as typeof schema;
}
