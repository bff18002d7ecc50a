import * as v from 'valibot';
import { duplicates } from './duplicates.ts';
import { name, nonEmptyText, object, text, zeroWithoutSign } from './primitives.ts';

/** All weights of a list of variants add up to this. */
export const weightTotal = 1000;

const payload = v.pipe(
  object({ type: v.picklist(['json', 'csv', 'string', 'number']), value: text }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value.type === 'json' && !isJson(dataset.value.value)) {
      addIssue({ message: 'A payload of type json needs a value that is valid JSON.' });
    }
  }),
);

const weight = v.pipe(v.number(), v.minValue(0), v.maxValue(weightTotal));
const weightType = v.picklist(['variable', 'fix']);

const strategyVariantFields = object({
  name,
  weight: v.pipe(weight, v.integer(), zeroWithoutSign),
  weightType,
  stickiness: nonEmptyText,
  payload: v.exactOptional(payload),
});
export type StrategyVariant = v.InferOutput<typeof strategyVariantFields>;

/** The variants of one strategy: no two of one name, and weights that can add up to 1000. */
export const strategyVariants = v.pipe(
  v.array(strategyVariantFields),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.length === 0) return;
    const variants = dataset.value;
    for (const duplicate of duplicates(variants.map((variant) => variant.name))) {
      addIssue({ message: `The variant name "${duplicate}" is used more than once.` });
    }
    const fixed = variants.filter((variant) => variant.weightType === 'fix');
    if (fixed.reduce((sum, variant) => sum + variant.weight, 0) > weightTotal) {
      addIssue({ message: `The fixed weights add up to more than ${weightTotal}.` });
    }
    if (fixed.length === variants.length)
      addIssue({ message: 'At least one variant must have the weightType variable.' });
  }),
);

const featureVariantFields = object({
  name,
  weight: v.pipe(weight, zeroWithoutSign),
  weightType: v.exactOptional(weightType),
  stickiness: v.exactOptional(text),
  payload: v.exactOptional(payload),
  overrides: v.exactOptional(v.array(object({ contextName: text, values: v.array(text) }))),
});
export type FeatureVariant = v.InferOutput<typeof featureVariantFields>;

/** The variants of a feature in an environment: no two of one name. */
export const featureVariants = v.pipe(
  v.array(featureVariantFields),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const duplicate of duplicates(dataset.value.map((variant) => variant.name))) {
      addIssue({ message: `The variant name "${duplicate}" is used more than once.` });
    }
  }),
);

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
