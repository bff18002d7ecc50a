import * as v from 'valibot';
import { releaseMilestone, transitionCondition } from '../../release-plans/template-schema.ts';
import { integer, moment, name, nonEmptyText, object, text, timestamp } from '../../values/primitives.ts';
import { strategyView } from '../strategies/strategy-schema.ts';
import { planSafeguard } from './safeguard-schema.ts';

/** A milestone of a plan in replies. */
const planMilestone = object({
  ...releaseMilestone.entries,
  /** The time of the last start; missing if it has never started. */
  startedAt: v.exactOptional(timestamp),
  /** Set on the active milestone while the plan is paused. */
  pausedAt: v.exactOptional(timestamp),
  /** The time at which it gave way to the next one by itself. */
  progressionExecutedAt: v.exactOptional(timestamp),
});

/** A release plan in replies (`releasePlanSchema`). */
export const releasePlan = object({
  id: text,
  discriminator: v.literal('plan'),
  name: text,
  description: text,
  featureName: name,
  environment: name,
  createdByUserId: integer,
  createdAt: timestamp,
  releasePlanTemplateId: text,
  /** Null until the feature is switched on in the environment. */
  activeMilestoneId: v.nullable(text),
  /** The time at which the next milestone starts by itself; null if nothing waits for it. */
  nextAt: v.nullable(timestamp),
  milestones: v.array(planMilestone),
  safeguards: v.array(planSafeguard),
});
export type ReleasePlanView = v.InferOutput<typeof releasePlan>;

export const planPreviewQuery = object({ at: v.exactOptional(moment) });

/** The strategies that SDKs get at each milestone of a plan, with its start. */
export const planPreview = object({
  /** The time that the preview is for. */
  at: timestamp,
  /** The milestone that is active then if nobody intervenes; null until the feature is switched on. */
  activeMilestoneId: v.nullable(text),
  milestones: v.array(
    object({
      id: text,
      name: text,
      /** The time at which it has started, or starts if nobody intervenes; null if a person has to start it. */
      startsAt: v.nullable(timestamp),
      /** The enabled strategies, in the order in which SDKs get them; those of the feature itself come last. */
      strategies: v.array(strategyView),
    }),
  ),
});
export type PlanPreview = v.InferOutput<typeof planPreview>;

/** The template of a new plan (`releasePlanTemplateIdSchema`). */
export const planInput = object({ templateId: nonEmptyText });

/** The time after which the next milestone starts by itself. The source is in the path; clients may send it, too. */
export const progressionInput = object({ targetMilestone: nonEmptyText, transitionCondition });
export type ProgressionInput = v.InferOutput<typeof progressionInput>;
