import * as v from 'valibot';
import { uniqueBy } from '../values/lists.ts';
import { boolean, lenientText, name, nonEmptyText, object, text } from '../values/primitives.ts';

/** Kind of input that a form shows for a parameter. */
export const parameterType = v.picklist(['string', 'percentage', 'list', 'number', 'boolean']);

export const parameterInput = object({
  name: nonEmptyText,
  type: parameterType,
  description: v.exactOptional(v.nullable(lenientText)),
  required: v.exactOptional(boolean),
});

/** A strategy holds one value for each name. */
const parameters = v.pipe(
  v.array(parameterInput),
  uniqueBy(
    (parameter) => parameter.name,
    (repeated) => `Two parameters have the name "${repeated}".`,
  ),
);

/** Replacement of a strategy type; a title or a description that is left out stays. */
export const strategyTypeUpdate = object({
  title: v.exactOptional(v.nullable(text)),
  description: v.exactOptional(v.nullable(lenientText)),
  parameters,
});
export type StrategyTypeUpdate = v.InferOutput<typeof strategyTypeUpdate>;

/** Strategy type in requests. */
export const strategyTypeInput = object({ name, ...strategyTypeUpdate.entries });
export type StrategyTypeInput = v.InferOutput<typeof strategyTypeInput>;

/** Strategy type in replies. */
export const strategyType = object({
  name,
  displayName: v.nullable(text),
  /** Title shown instead of its name. */
  title: v.nullable(text),
  description: text,
  /** Those that come with the service cannot be edited. */
  editable: boolean,
  deprecated: boolean,
  /** Descriptions of its parameters, for forms. */
  parameters: v.array(object({ name: text, type: parameterType, description: text, required: boolean })),
});
export type StrategyTypeView = v.InferOutput<typeof strategyType>;
