import * as v from 'valibot';
import { boolean, id, integer, name, nonEmptyText, object, record, text } from '../../values/primitives.ts';
import { strategyVariants } from '../environments/variant-schema.ts';
import { constraints } from './constraint-schema.ts';

/** The limits of a strategy, and of a feature in an environment, as on Unleash. */
export const strategySegmentsMax = 5;
export const strategiesMax = 30;

/** The ids of the segments that a strategy uses. */
export const segmentIds = v.pipe(
  v.array(id),
  v.check((ids) => new Set(ids).size <= strategySegmentsMax, `A strategy has at most ${strategySegmentsMax} segments.`),
);

/** The properties of a strategy whose schema is the same in requests and in the store. */
export const strategyEntries = {
  name: nonEmptyText,
  title: v.exactOptional(v.nullable(text)),
  disabled: v.exactOptional(v.nullable(boolean)),
  sortOrder: v.exactOptional(integer),
  variants: v.exactOptional(strategyVariants),
  segments: v.exactOptional(segmentIds),
};

/** The strategy type that is on for a percentage of users. */
export const gradualRollout = 'flexibleRollout';

/** The default strategy of an environment in the store and in replies, as it was sent. */
export const defaultStrategy = object({
  ...strategyEntries,
  constraints: v.exactOptional(constraints),
  parameters: v.exactOptional(record(text)),
});

/** New positions of strategies (`setStrategySortOrderSchema`). */
export const strategyOrder = v.array(object({ id: text, sortOrder: integer }));
export type StrategyOrder = v.InferOutput<typeof strategyOrder>;

/** A strategy in replies about one feature: as on Unleash, it does not name the feature. */
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

/** A strategy in the store, and in replies that name its feature (`featureStrategySchema`). */
export const strategy = object({ ...strategyView.entries, featureName: name });
export type Strategy = v.InferOutput<typeof strategy>;
export type StrategyView = Omit<Strategy, 'featureName'>;

/** A strategy with its feature and environment, in lists of the strategies that use a thing. */
export const placedStrategy = object({
  id: text,
  featureName: name,
  projectId: name,
  environment: name,
  strategyName: text,
});
export type PlacedStrategy = v.InferOutput<typeof placedStrategy>;

/** A strategy without its id and position. */
export type StrategyContent = Omit<Strategy, 'id' | 'sortOrder'>;
