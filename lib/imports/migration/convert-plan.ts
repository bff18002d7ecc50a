import * as v from 'valibot';
import { invalid, toDetail } from '../../errors.ts';
import type { PlanMilestone, ReleasePlan } from '../../features/plans/release-plan.ts';
import type { Strategy } from '../../features/strategies/strategy-schema.ts';
import { findReferenceLimitProblems } from '../../release-plans/add-plan.ts';
import { milestonesMax, transitionCondition } from '../../release-plans/template-schema.ts';
import { isJsonObject, type JsonObject } from '../../values/json.ts';
import { integer, nonEmptyText, object, text } from '../../values/primitives.ts';
import type { ServerMigration } from './plan.ts';
import { ignoreInvalid, joinMessages, time, withoutNulls } from './server-values.ts';

const sentMilestone = object({
  id: nonEmptyText,
  name: text,
  sortOrder: v.optional(integer, 0),
  startedAt: time,
  pausedAt: time,
  progressionExecutedAt: time,
  transitionCondition: ignoreInvalid(transitionCondition),
  strategies: v.array(v.unknown()),
});
type SentMilestone = v.InferOutput<typeof sentMilestone>;

type ConvertStrategies = (strategies: readonly unknown[]) => readonly Strategy[];

const sentPlan = object({
  id: nonEmptyText,
  name: text,
  description: ignoreInvalid(text),
  releasePlanTemplateId: ignoreInvalid(text),
  createdByUserId: ignoreInvalid(integer),
  createdAt: time,
  activeMilestoneId: ignoreInvalid(text),
  milestones: v.pipe(
    v.array(sentMilestone),
    v.minLength(1, 'A release plan has at least one milestone.'),
    v.maxLength(milestonesMax, `A release plan has at most ${milestonesMax} milestones.`),
  ),
});

/**
 * Converts the release plan of a flag, with its ids and times. Its safeguards are left out: they measure what only the server knows.
 * @param templates the ids of the release templates here.
 * @param convertStrategies converts the strategies of a milestone.
 * @throws ApiError 400 for a plan that a flag cannot have here.
 */
export function convertPlan(
  sent: JsonObject,
  { target }: ServerMigration,
  {
    templates,
    convertStrategies,
  }: { readonly templates: ReadonlySet<string>; readonly convertStrategies: ConvertStrategies },
): ReleasePlan {
  const { success, output, issues = [] } = v.safeParse(sentPlan, withoutNulls(sent));
  if (!success) throw invalid(`Its release plan: ${joinMessages({ details: issues.map(toDetail) })}`);
  const {
    activeMilestoneId,
    createdByUserId: user,
    createdAt,
    milestones: sentMilestones,
    releasePlanTemplateId: templateId = '',
    ...fields
  } = output;
  const milestones = sentMilestones
    .toSorted((a, b) => a.sortOrder - b.sortOrder)
    .map((milestone, index, all) => convertMilestone(milestone, index === all.length - 1, convertStrategies));
  const [problem] = findReferenceLimitProblems(milestones);
  if (problem !== undefined) throw invalid(problem.message);
  const pausedAt = sentMilestones.find((milestone) => milestone.pausedAt)?.pausedAt;
  return {
    ...fields,
    description: fields.description ?? '',
    releasePlanTemplateId: templates.has(templateId) ? templateId : '',
    // As that of a flag, a deleted author keeps the id of the server.
    createdByUserId: (user === undefined ? undefined : target.idOf('user', user)) ?? user ?? 0,
    createdAt: createdAt ?? new Date(0).toISOString(),
    milestones,
    ...(milestones.some(({ id }) => id === activeMilestoneId) && { activeMilestoneId: activeMilestoneId as string }),
    ...(pausedAt && { pausedAt }),
  };
}

function convertMilestone(
  { id, name, sortOrder, startedAt, progressionExecutedAt, transitionCondition: condition, strategies }: SentMilestone,
  isLast: boolean,
  convertStrategies: ConvertStrategies,
): PlanMilestone {
  return {
    ...{ id, name, sortOrder },
    ...(condition && !isLast && { transitionCondition: condition }),
    strategies: convertStrategies(strategies.map(withType)),
    ...(startedAt && { startedAt }),
    ...(progressionExecutedAt && { progressionExecutedAt }),
  };
}

/** Older servers only send `strategyName`. */
function withType(strategy: unknown): unknown {
  return isJsonObject(strategy) ? { name: strategy.strategyName, ...strategy } : strategy;
}
