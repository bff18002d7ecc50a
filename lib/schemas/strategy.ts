import * as v from 'valibot';
import { constraints } from './constraint.ts';
import { boolean, id, integer, name, nonEmptyText, object, record, text } from './primitives.ts';
import { strategyVariants } from './variant.ts';

/** Limits of one strategy and of one feature in one environment, as Unleash sets them. */
const segmentsMax = 5;
export const strategiesMax = 30;

const segmentIds = v.pipe(
  v.array(id),
  v.check((ids) => new Set(ids).size <= segmentsMax, `A strategy has at most ${segmentsMax} segments.`),
);

const inputEntries = {
  name: nonEmptyText,
  title: v.exactOptional(v.nullable(text)),
  disabled: v.exactOptional(v.nullable(boolean)),
  sortOrder: v.exactOptional(integer),
  constraints: v.exactOptional(constraints),
  variants: v.exactOptional(strategyVariants),
  parameters: v.exactOptional(record(text)),
  segments: v.exactOptional(segmentIds),
};

/** What a strategy is made from (`createFeatureStrategySchema`). */
export const strategyInput = object(inputEntries);
export type StrategyInput = v.InferOutput<typeof strategyInput>;

/** A strategy in import data: it names its feature; its id is of the exporting server and not taken over. */
export const exportedStrategy = object({ ...inputEntries, featureName: text });
export type ExportedStrategy = v.InferOutput<typeof exportedStrategy>;

/** A strategy as it is stored and answered (`featureStrategySchema`). */
export const strategy = object({
  id: text,
  name: nonEmptyText,
  title: v.nullable(text),
  disabled: boolean,
  featureName: name,
  sortOrder: integer,
  segments: v.array(id),
  constraints,
  variants: strategyVariants,
  parameters: record(text),
});
export type Strategy = v.InferOutput<typeof strategy>;
