import * as v from 'valibot';
import {
  boolean,
  id,
  integer,
  name,
  nonEmptyText,
  object,
  pathStep,
  record,
  text,
  writtenText,
} from '../../values/primitives.ts';
import { strategyVariants } from '../environments/variant-schema.ts';
import { constraints, constraintsInput } from './constraint-schema.ts';

/** Limits of one strategy and of one feature in one environment, as Unleash sets them. */
export const strategySegmentsMax = 5;
export const strategiesMax = 30;

/** The ids of the segments that a strategy uses. */
export const segmentIds = v.pipe(
  v.array(id),
  v.check((ids) => new Set(ids).size <= strategySegmentsMax, `A strategy has at most ${strategySegmentsMax} segments.`),
);

const inputEntries = {
  name: nonEmptyText,
  title: v.exactOptional(v.nullable(text)),
  disabled: v.exactOptional(v.nullable(boolean)),
  sortOrder: v.exactOptional(integer),
  constraints: v.exactOptional(constraintsInput),
  variants: v.exactOptional(strategyVariants),
  parameters: v.exactOptional(record(writtenText)),
  segments: v.exactOptional(segmentIds),
};

/** Strategy type that is on for a percentage of users. */
export const gradualRollout = 'flexibleRollout';

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
          path: [pathStep('parameters'), pathStep('rollout')],
        });
      }
    }),
  );
}

/** Input of a new strategy (`createFeatureStrategySchema`). */
export const strategyInput = strategyOf(inputEntries);
export type StrategyInput = v.InferOutput<typeof strategyInput>;

/** Default strategy of an environment, in the store and in replies: the one sent. */
export const defaultStrategy = object({
  ...inputEntries,
  constraints: v.exactOptional(constraints),
  parameters: v.exactOptional(record(text)),
});

/** Update of a strategy (`updateFeatureStrategySchema`). */
export const strategyUpdate = strategyOf({ ...inputEntries, name: v.exactOptional(nonEmptyText) });
export type StrategyUpdate = v.InferOutput<typeof strategyUpdate>;

/** Update of the strategy with the id. */
export const strategyReplacement = strategyOf({ ...inputEntries, name: v.exactOptional(nonEmptyText), id: text });

/** New positions of strategies (`setStrategySortOrderSchema`). */
export const strategyOrder = v.array(object({ id: text, sortOrder: integer }));
export type StrategyOrder = v.InferOutput<typeof strategyOrder>;

/** A strategy in import data: it names its feature; its id is of the exporting server and not taken over. */
export const exportedStrategy = strategyOf({ ...inputEntries, featureName: text });
export type ExportedStrategy = v.InferOutput<typeof exportedStrategy>;

/** Strategy in replies: as on Unleash, it does not name the feature that the request is about. */
export const strategyView = object({
  id: text,
  name: nonEmptyText,
  title: v.nullable(text),
  disabled: boolean,
  sortOrder: integer,
  segments: v.array(id),
  constraints,
  variants: strategyVariants,
  parameters: record(text),
});

/** Strategy in the store, and in the replies that name its feature (`featureStrategySchema`). */
export const strategy = object({ ...strategyView.entries, featureName: name });
export type Strategy = v.InferOutput<typeof strategy>;
export type StrategyView = Omit<Strategy, 'featureName'>;

/** Strategy and its place, in lists of the strategies that use something. */
export const placedStrategy = object({
  id: text,
  featureName: name,
  projectId: name,
  environment: name,
  strategyName: text,
});
export type PlacedStrategy = v.InferOutput<typeof placedStrategy>;

/** Strategy without its id and position. */
export type StrategyContent = Omit<Strategy, 'id' | 'sortOrder'>;

/**
 * Returns an update that empties the constraints and variants which it leaves out, as on Unleash: clients such as that of
 * Terraform leave out what is empty.
 */
export function emptyingLeftOut<T extends StrategyUpdate>(update: T): T {
  return { constraints: [], variants: [], ...update };
}
