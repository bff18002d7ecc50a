import * as v from 'valibot';
import { duplicates } from '../values/duplicates.ts';
import { boolean, name, nonEmptyText, object, text, writtenText } from '../values/primitives.ts';

/** Kind of input that a form shows for a parameter. */
export const parameterType = v.picklist(['string', 'percentage', 'list', 'number', 'boolean']);

export const parameterInput = object({
  name: nonEmptyText,
  type: parameterType,
  description: v.exactOptional(v.nullable(writtenText)),
  required: v.exactOptional(boolean),
});

/** A strategy holds one value for each name. */
const parameters = v.pipe(
  v.array(parameterInput),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const repeated of duplicates(dataset.value.map((parameter) => parameter.name))) {
      addIssue({ message: `Two parameters have the name "${repeated}".` });
    }
  }),
);

/** Replacement of a strategy type; a title or a description that is left out stays. */
export const strategyTypeUpdate = object({
  title: v.exactOptional(v.nullable(text)),
  description: v.exactOptional(v.nullable(writtenText)),
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
  title: v.nullable(text),
  description: text,
  editable: boolean,
  deprecated: boolean,
  parameters: v.array(object({ name: text, type: parameterType, description: text, required: boolean })),
});
export type StrategyTypeView = v.InferOutput<typeof strategyType>;
