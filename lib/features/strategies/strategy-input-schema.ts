import * as v from 'valibot';
import { lenientText, nonEmptyText, object, pathItem, record, text } from '../../values/primitives.ts';
import { constraintsInput } from './constraint-input-schema.ts';
import { gradualRollout, strategyEntries } from './strategy-schema.ts';

/** The properties of a strategy in requests. */
export const strategyInputEntries = {
  ...strategyEntries,
  constraints: v.exactOptional(constraintsInput),
  parameters: v.exactOptional(record(lenientText)),
};

/** An exact decimal number: if it is no number, some SDKs serve no users and others all. */
const percentage = /^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)$/;

/** Builds the schema of a strategy whose rollout, if any, is a percentage; the error lists an invalid one with all others. */
export function buildStrategySchema<const TEntries extends v.ObjectEntries>(entries: TEntries) {
  return v.pipe(
    object(entries),
    v.rawCheck(({ dataset, addIssue }) => {
      const {
        strategyName,
        name: type = strategyName,
        parameters,
      } = (dataset.value ?? {}) as {
        name?: unknown;
        strategyName?: unknown;
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

/** The input of a new strategy (`createFeatureStrategySchema`). */
export const strategyInput = buildStrategySchema(strategyInputEntries);
export type StrategyInput = v.InferOutput<typeof strategyInput>;

/** The input of a default strategy, which is a gradual rollout, as on Unleash. A stored one can have another type. */
export const defaultStrategyInput = buildStrategySchema({
  ...strategyInputEntries,
  name: v.literal(gradualRollout, `A default strategy must be of the type "${gradualRollout}".`),
});

/** An update of a strategy (`updateFeatureStrategySchema`). */
export const strategyUpdate = buildStrategySchema({ ...strategyInputEntries, name: v.exactOptional(nonEmptyText) });
export type StrategyUpdate = v.InferOutput<typeof strategyUpdate>;

/** An update that names the id of its strategy. */
export const strategyReplacement = buildStrategySchema({
  ...strategyInputEntries,
  name: v.exactOptional(nonEmptyText),
  id: text,
});

/**
 * A strategy in import data. Its id belongs to the exporting server and is ignored. The checks of the file report a
 * missing name of the feature.
 */
export const exportedStrategy = buildStrategySchema({ ...strategyInputEntries, featureName: v.optional(text, '') });
export type ExportedStrategy = v.InferOutput<typeof exportedStrategy>;

/**
 * Adds empty lists for omitted constraints and variants, as on Unleash: clients such as Terraform's provider omit empty
 * lists.
 */
export function addEmptyLists<T extends StrategyUpdate>(update: T): T {
  return { constraints: [], variants: [], ...update };
}
