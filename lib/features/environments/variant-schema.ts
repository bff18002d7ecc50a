import * as v from 'valibot';
import { parseJson } from '../../values/json.ts';
import { uniqueBy } from '../../values/lists.ts';
import { name, noNegativeZero, nonEmptyText, object, text } from '../../values/primitives.ts';

/** The sum of the weights of all variants in a list. */
export const weightTotal = 1000;

const payload = v.pipe(
  object({ type: v.picklist(['json', 'csv', 'string', 'number']), value: text }),
  v.check(
    ({ type, value }) => type !== 'json' || parseJson(value) !== undefined,
    'A payload of type json needs a value that is valid JSON, of at most 500 levels.',
  ),
);

const weight = v.pipe(v.number(), v.minValue(0), v.maxValue(weightTotal));
const wholeWeight = v.pipe(weight, v.integer(), noNegativeZero);
const weightType = v.picklist(['variable', 'fix']);

const strategyVariantFields = object({
  name,
  weight: wholeWeight,
  weightType,
  stickiness: nonEmptyText,
  payload: v.exactOptional(payload),
});
export type StrategyVariant = v.InferOutput<typeof strategyVariantFields>;

/** The variants of a strategy, with unique names and weights that can add up to 1000. */
export const strategyVariants = v.pipe(v.array(strategyVariantFields), requireUniqueNames(), requireValidWeights());

function requireUniqueNames<T extends Pick<StrategyVariant, 'name'>>() {
  return uniqueBy<T>(
    (variant) => variant.name,
    (variantName) => `The variant name "${variantName}" is used more than once.`,
  );
}

/** Checks that the weights of variants can add up to 1000. */
function requireValidWeights<T extends Pick<StrategyVariant, 'weight' | 'weightType'>>() {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.length === 0) return;
    const variants = dataset.value;
    const fixed = variants.filter((variant) => variant.weightType === 'fix');
    if (fixed.reduce((sum, variant) => sum + variant.weight, 0) > weightTotal) {
      addIssue({ message: `The fixed weights add up to more than ${weightTotal}.` });
    }
    if (fixed.length === variants.length)
      addIssue({ message: 'At least one variant must have the weightType variable.' });
  });
}

const overrides = v.array(object({ contextName: text, values: v.array(text) }));

const featureVariantFields = object({
  name,
  weight: v.pipe(weight, noNegativeZero),
  weightType: v.exactOptional(weightType),
  stickiness: v.exactOptional(text),
  payload: v.exactOptional(payload),
  overrides: v.exactOptional(overrides),
});
export type FeatureVariant = v.InferOutput<typeof featureVariantFields>;

/** The variants of a feature in an environment, with unique names. */
export const featureVariants = v.pipe(v.array(featureVariantFields), requireUniqueNames());

/** The variants of a feature in import data. */
export const importedVariants = v.pipe(
  v.array(object({ ...featureVariantFields.entries, weight: wholeWeight })),
  requireUniqueNames(),
);

/** The variants of a feature in replies (`featureVariantsSchema`). */
export const featureVariantsView = object({ version: v.literal(1), variants: featureVariants });

/**
 * The variants of a feature in requests. Weights are integers: a fraction makes several SDKs reject the whole response
 * with all flags.
 */
export const newFeatureVariants = v.pipe(
  v.array(
    object({
      name,
      weight: wholeWeight,
      weightType: v.optional(weightType, 'variable'),
      stickiness: v.optional(nonEmptyText, 'default'),
      payload: v.exactOptional(payload),
      overrides: v.exactOptional(overrides),
    }),
  ),
  requireUniqueNames(),
  requireValidWeights(),
);
export type NewFeatureVariant = v.InferOutput<typeof newFeatureVariants>[number];
