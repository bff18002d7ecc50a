import * as v from 'valibot';
import { lenientText, nonEmptyText, object, pathItem, record, text } from '../../values/primitives.ts';
import { constraintsInput } from './constraint-input-schema.ts';
import { gradualRollout, strategyEntries } from './strategy-schema.ts';

const inputEntries = {
  ...strategyEntries,
  constraints: v.exactOptional(constraintsInput),
  parameters: v.exactOptional(record(lenientText)),
};

/** Decimal and exact: an SDK takes what is no number for 0 or for everybody, each its own way. */
const percentage = /^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)$/;

/** A strategy whose rollout, if it has one, is a percentage; a mistake in it is listed with all others. */
function strategyOf<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  return v.pipe(
    object(entries),
    v.rawCheck(({ dataset, addIssue }) => {
      const { name: type, parameters } = (dataset.value ?? {}) as {
        name?: unknown;
        parameters?: { rollout?: unknown };
      };
      const rollout = type === gradualRollout ? parameters?.rollout : undefined;
      if (typeof rollout === 'string' && !percentage.test(rollout)) {
        addIssue({
          message: 'The rollout must be a number from 0 to 100.',
          path: [pathItem('parameters'), pathItem('rollout')],
        });
      }
    }),
  );
}

/** Input of a new strategy (`createFeatureStrategySchema`). */
export const strategyInput = strategyOf(inputEntries);
export type StrategyInput = v.InferOutput<typeof strategyInput>;

/** Input of a default strategy, which as on Unleash is a gradual rollout. Stored ones may be of another type. */
export const defaultStrategyInput = strategyOf({
  ...inputEntries,
  name: v.literal(gradualRollout, `A default strategy must be of the type "${gradualRollout}".`),
});

/** Update of a strategy (`updateFeatureStrategySchema`). */
export const strategyUpdate = strategyOf({ ...inputEntries, name: v.exactOptional(nonEmptyText) });
export type StrategyUpdate = v.InferOutput<typeof strategyUpdate>;

/** Update of the strategy with the id. */
export const strategyReplacement = strategyOf({ ...inputEntries, name: v.exactOptional(nonEmptyText), id: text });

/**
 * A strategy in import data. Its id is of the exporting server and not taken over. Without the name of its feature it cannot be
 * imported, which the checks of the file say.
 */
export const exportedStrategy = strategyOf({ ...inputEntries, featureName: v.optional(text, '') });
export type ExportedStrategy = v.InferOutput<typeof exportedStrategy>;

/**
 * Returns an update that empties the constraints and variants which it leaves out, as on Unleash: clients such as that of
 * Terraform leave out what is empty.
 */
export function emptyMissing<T extends StrategyUpdate>(update: T): T {
  return { constraints: [], variants: [], ...update };
}
