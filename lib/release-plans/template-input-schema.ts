import * as v from 'valibot';
import { buildStrategySchema, strategyInputEntries } from '../features/strategies/strategy-input-schema.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';
import {
  integer,
  lenientText,
  name,
  nonEmptyText,
  object,
  pathItem,
  text,
  titleOfLength,
  withoutProperty,
} from '../values/primitives.ts';
import { milestonesMax, transitionCondition } from './template-schema.ts';

/** A strategy of a milestone in requests. */
export const milestoneStrategyInput = v.pipe(
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

/** The message about more strategies than the limit. */
export const tooManyStrategies = `A milestone has at most ${strategiesMax} strategies.`;

/** A milestone in requests. */
export const milestoneInput = object({
  id: v.exactOptional(text),
  name: titleOfLength(100),
  sortOrder: v.exactOptional(integer),
  /** Null or omitted if a person starts the next milestone. */
  transitionCondition: v.exactOptional(v.nullable(transitionCondition)),
  strategies: v.exactOptional(v.pipe(v.array(milestoneStrategyInput), v.maxLength(strategiesMax, tooManyStrategies))),
});
export interface MilestoneInput extends Omit<v.InferOutput<typeof milestoneInput>, 'strategies'> {
  readonly strategies?: readonly MilestoneStrategyInput[];
}

const { transitionCondition: _transitionCondition, ...newMilestoneEntries } = milestoneInput.entries;

/** A single milestone that is added to a template. As on Unleash, it gets its transition later. */
export const newMilestoneInput = withoutProperty(
  object(newMilestoneEntries),
  'transitionCondition',
  'A single milestone is added without a transition. Update it, or the whole template, to add one.',
);

/** Sorts things by position. A thing without one has its index in the list. */
export function sortByPosition<T extends { readonly sortOrder?: number | undefined }>(
  things: readonly T[],
): (T & { readonly sortOrder: number })[] {
  return things
    .map((thing, index) => ({ ...thing, sortOrder: thing.sortOrder ?? index }))
    .toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/** A problem that a milestone has among the others of its template. */
interface MilestoneProblem {
  readonly index: number;
  readonly field: 'name' | 'transitionCondition';
  readonly message: string;
}

/** Finds the milestones with a name of an earlier one, and a transition of the last one. */
export function findMilestoneProblems(
  milestones: readonly Pick<MilestoneInput, 'name' | 'sortOrder' | 'transitionCondition'>[],
): MilestoneProblem[] {
  const indexed = milestones.map((milestone, index) => ({ ...milestone, index }));
  const last = sortByPosition(indexed).at(-1);
  return [
    ...indexed
      .filter(({ name, index }) => milestones.findIndex((other) => other.name === name) < index)
      .map(({ name, index }) => ({
        index,
        field: 'name' as const,
        message: `Two milestones have the name "${name}".`,
      })),
    ...(last?.transitionCondition == null
      ? []
      : [
          {
            index: last.index,
            field: 'transitionCondition' as const,
            message: `The last milestone, "${last.name}", can have no transition: no milestone follows it.`,
          },
        ]),
  ];
}

/** The message about more milestones than the limit. */
export const tooManyMilestones = `A template has at most ${milestonesMax} milestones.`;

/** The milestones of a template in requests. */
export const milestonesInput = v.pipe(
  v.array(milestoneInput),
  v.maxLength(milestonesMax, tooManyMilestones),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { index, field, message } of findMilestoneProblems(dataset.value)) {
      addIssue({ message, path: [pathItem(String(index)), pathItem(field)] });
    }
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
export interface ReleaseTemplateInput extends Omit<v.InferOutput<typeof releaseTemplateInput>, 'milestones'> {
  readonly milestones: readonly MilestoneInput[];
}
