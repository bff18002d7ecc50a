import * as v from 'valibot';
import { strategyView } from '../features/strategies/strategy-schema.ts';
import { booleanText } from '../values/filter-schema.ts';
import { integer, name, nonEmptyText, object, text, timestamp } from '../values/primitives.ts';

/** The most templates of a service, archived ones and those of projects included: a list reads all of them. */
export const templatesMax = 100;
/** The most milestones of a template. */
export const milestonesMax = 20;

/** Stands in `groupId` for the name of the feature that gets the plan. */
export const featureNamePlaceholder = '{{featureName}}';

/** Ten thousand days, the longest time that Unleash's admin UI offers. */
const intervalMinutesMax = 14_400_000;

/** The time after its start at which a milestone gives way to the next one. */
export const transitionCondition = object({
  intervalMinutes: v.pipe(integer, v.minValue(1), v.maxValue(intervalMinutesMax)),
});

/** A strategy of a milestone in replies. */
export const milestoneStrategy = object({
  ...strategyView.entries,
  milestoneId: text,
  /** The same as `name`, for older clients. */
  strategyName: nonEmptyText,
});

export type MilestoneStrategyView = v.InferOutput<typeof milestoneStrategy>;

/** A milestone in replies. */
export const releaseMilestone = object({
  id: text,
  name: text,
  sortOrder: integer,
  releasePlanDefinitionId: text,
  transitionCondition: v.exactOptional(transitionCondition),
  strategies: v.array(milestoneStrategy),
});

export type MilestoneView = v.InferOutput<typeof releaseMilestone>;

/** A template in lists, which leave out its milestones. */
export const listedReleaseTemplate = object({
  id: text,
  discriminator: v.literal('template'),
  name: text,
  description: text,
  /** The only project that may use it; null for all. */
  project: v.nullable(name),
  createdByUserId: integer,
  createdAt: timestamp,
  /** Null unless it is archived. */
  archivedAt: v.nullable(timestamp),
});
export type ListedReleaseTemplate = v.InferOutput<typeof listedReleaseTemplate>;

/** A template in replies. */
export const releaseTemplate = object({ ...listedReleaseTemplate.entries, milestones: v.array(releaseMilestone) });
export type ReleaseTemplateView = v.InferOutput<typeof releaseTemplate>;

/** The query of the templates of the whole service. */
export const templatesQuery = object({ archived: v.exactOptional(booleanText) });

/** The query of the templates of a project. */
export const projectTemplatesQuery = object({ ...templatesQuery.entries, include: v.exactOptional(v.literal('root')) });
