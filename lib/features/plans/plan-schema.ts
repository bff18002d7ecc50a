import * as v from 'valibot';
import { releaseMilestone, transitionCondition } from '../../release-plans/template-schema.ts';
import { integer, name, nonEmptyText, object, text, timestamp } from '../../values/primitives.ts';
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

/** The template of a new plan (`releasePlanTemplateIdSchema`). */
export const planInput = object({ templateId: nonEmptyText });

/** The time after which the next milestone starts by itself. The source is in the path; clients may send it, too. */
export const progressionInput = object({ targetMilestone: nonEmptyText, transitionCondition });
export type ProgressionInput = v.InferOutput<typeof progressionInput>;
