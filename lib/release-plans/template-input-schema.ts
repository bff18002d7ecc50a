import * as v from 'valibot';
import { buildStrategySchema, strategyInputEntries } from '../features/strategies/strategy-input-schema.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';
import { uniqueBy } from '../values/lists.ts';
import {
  integer,
  lenientText,
  name,
  nonEmptyText,
  object,
  pathItem,
  text,
  titleOfLength,
} from '../values/primitives.ts';
import { milestonesMax, transitionCondition } from './template-schema.ts';

/** A strategy of a milestone in requests. */
const milestoneStrategyInput = v.pipe(
  buildStrategySchema({
    ...strategyInputEntries,
    id: v.exactOptional(text),
    name: v.exactOptional(nonEmptyText),
    /** Older clients send it instead of the name. */
    strategyName: v.exactOptional(nonEmptyText),
  }),
  v.forward(
    v.check(({ name, strategyName }) => (name ?? strategyName) !== undefined, 'The type of the strategy is required.'),
    ['name'],
  ),
);
export type MilestoneStrategyInput = v.InferOutput<typeof milestoneStrategyInput>;

/** A milestone in requests. */
const milestoneInput = object({
  id: v.exactOptional(text),
  name: titleOfLength(100),
  sortOrder: v.exactOptional(integer),
  /** Null or omitted for a milestone that a person ends. */
  transitionCondition: v.exactOptional(v.nullable(transitionCondition)),
  strategies: v.exactOptional(
    v.pipe(
      v.array(milestoneStrategyInput),
      v.maxLength(strategiesMax, `A milestone has at most ${strategiesMax} strategies.`),
    ),
  ),
});
export type MilestoneInput = v.InferOutput<typeof milestoneInput>;

/** Sorts things by position. A thing without one has its index in the list. */
export function sortByPosition<T extends { readonly sortOrder?: number | undefined }>(
  things: readonly T[],
): (T & { readonly sortOrder: number })[] {
  return things
    .map((thing, index) => ({ ...thing, sortOrder: thing.sortOrder ?? index }))
    .toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/** The milestones of a template in requests. */
export const milestonesInput = v.pipe(
  v.array(milestoneInput),
  v.maxLength(milestonesMax, `A template has at most ${milestonesMax} milestones.`),
  uniqueBy(
    (milestone) => milestone.name,
    (repeated) => `Two milestones have the name "${repeated}".`,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const indexed = dataset.value.map((milestone, index) => ({ ...milestone, index }));
    const last = sortByPosition(indexed).at(-1);
    if (last?.transitionCondition == null) return;
    addIssue({
      message: 'The last milestone has no transition: no milestone follows it.',
      path: [pathItem(String(last.index)), pathItem('transitionCondition')],
    });
  }),
);

/** A release template in requests, whole. */
export const releaseTemplateInput = object({
  name: titleOfLength(100),
  description: v.exactOptional(v.nullable(lenientText)),
  /** The only project that may use it; null for all. If it is omitted, a new template is for all, and another stays as it is. */
  project: v.exactOptional(v.nullable(name)),
  milestones: v.optional(milestonesInput, () => []),
});
export type ReleaseTemplateInput = v.InferOutput<typeof releaseTemplateInput>;
