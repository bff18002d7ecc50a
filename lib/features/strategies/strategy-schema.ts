import * as v from 'valibot';
import { boolean, id, integer, name, nonEmptyText, object, record, text } from '../../values/primitives.ts';
import { strategyVariants } from '../environments/variant-schema.ts';
import { constraints } from './constraint-schema.ts';

/** Limits of one strategy and of one feature in one environment, as Unleash sets them. */
export const strategySegmentsMax = 5;
export const strategiesMax = 30;

/** The ids of the segments that a strategy uses. */
export const segmentIds = v.pipe(
  v.array(id),
  v.check((ids) => new Set(ids).size <= strategySegmentsMax, `A strategy has at most ${strategySegmentsMax} segments.`),
);

/** The properties of a strategy in requests, besides those that differ from what is stored. */
export const strategyEntries = {
  name: nonEmptyText,
  title: v.exactOptional(v.nullable(text)),
  disabled: v.exactOptional(v.nullable(boolean)),
  sortOrder: v.exactOptional(integer),
  variants: v.exactOptional(strategyVariants),
  segments: v.exactOptional(segmentIds),
};

/** Strategy type that is on for a percentage of users. */
export const gradualRollout = 'flexibleRollout';

/** Default strategy of an environment, in the store and in replies: the one sent. */
export const defaultStrategy = object({
  ...strategyEntries,
  constraints: v.exactOptional(constraints),
  parameters: v.exactOptional(record(text)),
});

/** New positions of strategies (`setStrategySortOrderSchema`). */
export const strategyOrder = v.array(object({ id: text, sortOrder: integer }));
export type StrategyOrder = v.InferOutput<typeof strategyOrder>;

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
