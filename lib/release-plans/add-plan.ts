import { randomUUID } from 'node:crypto';
import { ApiError, type ErrorDetail, invalidRequest, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type EnvironmentPath, planEnvironmentChange } from '../features/environments/change-environment.ts';
import { switchOffWithoutStrategy } from '../features/environments/switch-feature.ts';
import { milestoneStarted, planAdded, planRemoved } from '../features/plans/plan-events.ts';
import { findNextAt } from '../features/plans/plan-summary.ts';
import { type PlanMilestone, type ReleasePlan, startMilestone } from '../features/plans/release-plan.ts';
import { viewPlan } from '../features/plans/view-plan.ts';
import type { Strategy, StrategyView } from '../features/strategies/strategy-schema.ts';
import type { Request } from '../request.ts';
import { isBuiltIn } from '../strategy-types/strategy-types.ts';
import { findTemplateProblems, loadReferable, type Referable } from './template-references.ts';
import { featureNamePlaceholder } from './template-schema.ts';
import { type ReleaseTemplate, releaseTemplates, type TemplateContent } from './templates.ts';

/**
 * The most segments and custom strategy types that a plan refers to. Each of them takes three writes of the transaction that adds a
 * plan, and two more in that which replaces the plan.
 */
const referencesMax = 14;

/**
 * Plans to give a feature a release plan in an environment: a copy of a template. It replaces a plan that was made from another template.
 * Where the feature is on, the first milestone starts at once, otherwise when it is switched on. The result is the plan.
 * @param actor the person who gets named as the creator of the plan.
 * @param approved the content that was approved, instead of the present content of the template.
 * @throws ApiError 404 for an unknown project, environment, feature or template; 409 for a plan from the same template; 400 for an
 * archived or incomplete template, and with all strategies that the project cannot use.
 */
export function planAddPlan(
  request: Request,
  actor: Pick<Actor, 'id'>,
  path: EnvironmentPath,
  templateId: string,
  approved?: TemplateContent,
) {
  const { environment } = path;
  return planEnvironmentChange(request, path, {
    likelyEvents: 3,
    read: async () => {
      const template = { ...(await releaseTemplates.load(request, templateId)).value, ...approved };
      return { template, referable: await loadReferable(request, template.milestones) };
    },
    decide: ({ project, feature, state, facts: { template, referable } }, at) => {
      // Other projects' templates are treated like unknown ones, which hides them.
      if ((template.project ?? project.id) !== project.id) throw notFound('release template', templateId);
      const { plan: old } = state;
      if (old?.releasePlanTemplateId === templateId) {
        const message = `The feature "${feature.name}" has a plan from this template in "${environment}" already. To begin again, start its first milestone, or remove the plan first.`;
        throw new ApiError('NameExistsError', message);
      }
      assertUsableTemplate(template, project.id, referable);
      const waiting = buildPlan(template, { createdByUserId: actor.id, createdAt: at, featureName: feature.name });
      const [first] = waiting.milestones;
      const isStarted = state.enabled && first !== undefined;
      const plan = isStarted ? startMilestone(waiting, first.id, at) : waiting;
      const switched = switchOffWithoutStrategy(feature, environment, state, { ...state, plan });
      return {
        state: switched.state,
        events: [
          ...(old === undefined ? [] : [planRemoved(feature, environment, old)]),
          planAdded(feature, environment, waiting),
          ...(isStarted ? [milestoneStarted(feature, environment, plan, { milestone: first, before: undefined })] : []),
          ...switched.events,
        ],
        value: viewPlan(plan, { feature: feature.name, environment }, findNextAt(plan, {}, state.enabled, at)),
      };
    },
  });
}

/** @throws ApiError 400 with everything that prevents a plan from this template in a project. */
function assertUsableTemplate(template: ReleaseTemplate, project: string, referable: Referable): void {
  const { name, milestones, archivedAt } = template;
  const problems: ErrorDetail[] = [];
  const add = (message: string) => problems.push({ message, path: 'templateId' });
  if (archivedAt !== null) add(`The release template "${name}" is archived: revive it first.`);
  if (milestones.length === 0) add(`The release template "${name}" has no milestones: add them first.`);
  for (const milestone of milestones) {
    if (milestone.strategies.length === 0)
      add(`The milestone "${milestone.name}" has no strategies: add one to the template first.`);
    for (const { message } of findTemplateProblems(project, { milestones: [milestone] }, referable))
      add(`${message} The milestone "${milestone.name}" uses it.`);
  }
  problems.push(...findReferenceLimitProblems(milestones));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Finds the problem of a plan that refers to more things than the limit. */
export function findReferenceLimitProblems(
  milestones: readonly { readonly strategies: readonly Pick<StrategyView, 'name' | 'segments'>[] }[],
): ErrorDetail[] {
  const strategies = milestones.flatMap((milestone) => milestone.strategies);
  const { size } = new Set<string | number>([
    ...strategies.flatMap((strategy) => strategy.segments),
    ...strategies.map((strategy) => strategy.name).filter((type) => !isBuiltIn(type)),
  ]);
  if (size <= referencesMax) return [];
  const message = `A plan uses at most ${referencesMax} segments and custom strategy types; this one would use ${size}.`;
  return [{ message }];
}

interface PlanOrigin extends Pick<ReleasePlan, 'createdByUserId' | 'createdAt'> {
  readonly featureName: string;
}

/** Copies a template as a plan that has not started, with new ids. */
function buildPlan(template: ReleaseTemplate, { featureName, ...origin }: PlanOrigin): ReleasePlan {
  return {
    id: randomUUID(),
    name: template.name,
    description: template.description,
    releasePlanTemplateId: template.id,
    ...origin,
    milestones: template.milestones.map(
      (milestone): PlanMilestone => ({
        ...milestone,
        id: randomUUID(),
        strategies: milestone.strategies.map((strategy) => copyStrategy(strategy, featureName)),
      }),
    ),
  };
}

function copyStrategy(strategy: StrategyView, featureName: string): Strategy {
  const { groupId } = strategy.parameters;
  const group = groupId === undefined ? {} : { groupId: groupId.replaceAll(featureNamePlaceholder, featureName) };
  return { ...strategy, id: randomUUID(), featureName, parameters: { ...strategy.parameters, ...group } };
}
