import fc, { type Arbitrary } from 'fast-check';
import type { FeatureVariant } from '../../../../lib/features/environments/variant-schema.ts';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import type { FieldChange, ImportedState, StrategyChange } from '../history.ts';

export function oneIn(many: number): Arbitrary<boolean> {
  return fc.integer({ min: 1, max: many }).map((roll) => roll === 1);
}

/** A text of its own for most requests; some share a few, so that the same is asked for again. */
export const generatedText = fc.oneof(
  { weight: 3, arbitrary: fc.constant((unique: string) => unique) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((number) => () => `shared ${number}`) },
);

export const anyFields: Arbitrary<(unique: string) => FieldChange> = fc
  .tuple(
    generatedText,
    fc.record(
      {
        description: fc.constant(''),
        type: fc.constantFrom('release', 'experiment', 'kill-switch'),
        stale: fc.boolean(),
        impressionData: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  )
  .map(
    ([text, fields]) =>
      (unique) =>
        'description' in fields ? { ...fields, description: text(unique) } : fields,
  );

const variant = (name: string, weight: number, weightType: 'fix' | 'variable') => ({
  name,
  weight,
  weightType,
  stickiness: 'default',
});
const anyStrategyVariants = fc.constantFrom<NonNullable<StrategyInput['variants']>>(
  [],
  [variant('all', 0, 'variable')],
  [variant('a', 1, 'variable'), variant('b', 1, 'variable'), variant('c', 1, 'variable')],
  [variant('a', 155, 'fix'), variant('b', 1, 'variable'), variant('c', 1, 'variable')],
);
/** Variants of a feature, with final weights and all that is filled in otherwise. */
export const anyFeatureVariants = fc.constantFrom<FeatureVariant[]>(
  [],
  [variant('one', 1000, 'variable')],
  [variant('left', 500, 'variable'), variant('right', 500, 'variable')],
);

export const anyStrategy: Arbitrary<(title: string) => StrategyInput> = fc
  .record(
    {
      name: fc.constantFrom('flexibleRollout', 'default'),
      disabled: fc.boolean(),
      variants: anyStrategyVariants,
      parameters: fc.constant({ rollout: '50' }),
    },
    { requiredKeys: ['name'] },
  )
  .map((strategy) => (title) => ({ ...strategy, title }));

/** Arbitrary change of one strategy. */
export const anyStrategyChange: Arbitrary<(title: string) => StrategyChange> = fc
  .record(
    {
      title: generatedText,
      disabled: fc.boolean(),
      sortOrder: fc.integer({ min: 0, max: 9 }),
      parameters: fc.constant({ rollout: '25' }),
    },
    { requiredKeys: [] },
  )
  .map(({ title, ...change }) => (unique) => ({ ...change, ...(title && { title: title(unique) }) }));

/** Arbitrary entry of a file for each of its features. */
export const anyFile: Arbitrary<(name: string, text: string) => ImportedState> = fc
  .record({
    fields: anyFields,
    isArchived: oneIn(40),
    state: fc.option(fc.record({ enabled: fc.oneof(fc.constant(true), fc.boolean()), variants: anyFeatureVariants })),
    strategies: fc.array(anyStrategy, { maxLength: 2 }),
    hasSharedStrategies: fc.boolean(),
    tags: fc.option(fc.array(generatedText, { maxLength: 3 }), { freq: 2 }),
  })
  .map(({ fields, isArchived, state, strategies, hasSharedStrategies, tags }) => (name, text) => ({
    name,
    fields: { ...fields(text), ...(isArchived && { archived: true }) },
    ...state,
    strategies: strategies.map((strategy, index) => strategy(`${hasSharedStrategies ? 'shared' : text} ${index}`)),
    ...(tags !== null && { tags: [...new Set(tags.map((value, index) => value(`${text} ${index}`)))] }),
  }));
