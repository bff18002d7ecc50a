import * as v from 'valibot';
import { uniqueBy } from '../values/lists.ts';
import { boolean, lenientText, name, nonEmptyText, object, text } from '../values/primitives.ts';

/** The kind of form input for a parameter. */
export const parameterType = v.picklist(['string', 'percentage', 'list', 'number', 'boolean']);

export const parameterInput = object({
  name: nonEmptyText,
  type: parameterType,
  description: v.exactOptional(v.nullable(lenientText)),
  required: v.exactOptional(boolean),
});

/** The parameters of a strategy type, with unique names: a strategy has one value per name. */
const parameters = v.pipe(
  v.array(parameterInput),
  uniqueBy(
    (parameter) => parameter.name,
    (repeated) => `Two parameters have the name "${repeated}".`,
  ),
);

/** Replacement of a strategy type; an omitted title or description stays. */
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
  /** Shown instead of the name. */
  title: v.nullable(text),
  description: text,
  /** False for built-in types. */
  editable: boolean,
  deprecated: boolean,
  parameters: v.array(object({ name: text, type: parameterType, description: text, required: boolean })),
});
export type StrategyTypeView = v.InferOutput<typeof strategyType>;
