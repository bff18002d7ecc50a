import { randomUUID } from 'node:crypto';
import { invalidRequest, notFound } from '../errors.ts';
import { strategiesMax } from '../features/strategies/strategy-schema.ts';
import type { Caller } from '../identity/caller.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeTemplate } from './administer-templates.ts';
import {
  findMilestoneProblems,
  type MilestoneInput,
  type MilestoneStrategyInput,
  tooManyMilestones,
  tooManyStrategies,
} from './template-input-schema.ts';
import { findTemplateProblems } from './template-references.ts';
import { type MilestoneStrategyView, type MilestoneView, milestonesMax } from './template-schema.ts';
import {
  idsOfParts,
  type ReleaseTemplate,
  reviseReleaseTemplate,
  viewMilestone,
  viewMilestoneStrategy,
} from './templates.ts';

/** The path of a milestone of a template. */
interface TemplateMilestonePath {
  readonly templateId: string;
  readonly milestoneId: string;
}

/** The path of a strategy of a milestone. */
interface TemplateStrategyPath extends TemplateMilestonePath {
  readonly strategyId: string;
}

/**
 * Adds a milestone to a template: at its position, behind others with the same one, or without a position as the last one.
 * @throws ApiError as all functions of this module: 403 for a caller without the permission, whether the template exists or not; 404 for
 * an unknown template, milestone or strategy; 400 with everything that is wrong with the request or with the template after it.
 */
export function addMilestone(
  request: Request,
  caller: Caller,
  templateId: string,
  input: MilestoneInput,
): Promise<Versioned<MilestoneView>> {
  return changeMilestones(request, caller, templateId, {
    strategies: input.strategies,
    revise: ({ milestones }) => {
      if (milestones.length === milestonesMax) throw invalidRequest([{ message: tooManyMilestones }]);
      const id = randomUUID();
      return {
        milestones: [...milestones, { ...input, ...positionAmong(milestones, input), id, strategies: asNew(input) }],
        changed: { milestoneId: id },
      };
    },
    show: showMilestone,
  });
}

/**
 * Replaces a milestone. Its strategies keep their ids if they are sent with them, and it keeps its position if none is sent.
 * @throws ApiError as `addMilestone` does.
 */
export function updateMilestone(
  request: Request,
  caller: Caller,
  { templateId, milestoneId }: TemplateMilestonePath,
  input: MilestoneInput,
): Promise<Versioned<MilestoneView>> {
  return changeMilestones(request, caller, templateId, {
    strategies: input.strategies,
    revise: (template) => {
      const { sortOrder, strategies: old } = findMilestone(template, milestoneId);
      const isKept = (id: string | undefined) => old.some((strategy) => strategy.id === id);
      const strategies = input.strategies?.map((strategy) => (isKept(strategy.id) ? strategy : withoutId(strategy)));
      const after: MilestoneInput = { sortOrder, ...input, id: milestoneId, ...(strategies && { strategies }) };
      return {
        milestones: template.milestones.map((milestone) => (milestone.id === milestoneId ? after : milestone)),
        changed: { milestoneId },
      };
    },
    show: showMilestone,
  });
}

/**
 * Removes a milestone with its strategies. The new last one loses its transition, since no milestone follows it.
 * @throws ApiError as `addMilestone` does.
 */
export async function removeMilestone(
  request: Request,
  caller: Caller,
  { templateId, milestoneId }: TemplateMilestonePath,
): Promise<void> {
  await changeMilestones(request, caller, templateId, {
    revise: (template) => {
      findMilestone(template, milestoneId);
      const left = template.milestones.filter(({ id }) => id !== milestoneId);
      const milestones = left.map(({ transitionCondition, ...milestone }, index) => ({
        ...milestone,
        ...(transitionCondition && index < left.length - 1 && { transitionCondition }),
      }));
      return { milestones, changed: {} };
    },
    show: () => ({}),
  });
}

/**
 * Adds a strategy to a milestone, at a position as `addMilestone` does.
 * @returns the milestone.
 * @throws ApiError as `addMilestone` does.
 */
export function addMilestoneStrategy(
  request: Request,
  caller: Caller,
  { templateId, milestoneId }: TemplateMilestonePath,
  input: MilestoneStrategyInput,
): Promise<Versioned<MilestoneView>> {
  return changeMilestones(request, caller, templateId, {
    strategies: [input],
    revise: (template) => {
      const { strategies } = findMilestone(template, milestoneId);
      if (strategies.length === strategiesMax) throw invalidRequest([{ message: tooManyStrategies }]);
      const id = randomUUID();
      const after = [...strategies, { ...input, ...positionAmong(strategies, input), id }];
      return {
        milestones: withStrategies(template, milestoneId, after),
        changed: { milestoneId, strategyId: id },
      };
    },
    show: showMilestone,
  });
}

/**
 * Replaces a strategy of a milestone. It keeps its position if none is sent.
 * @throws ApiError as `addMilestone` does.
 */
export function updateMilestoneStrategy(
  request: Request,
  caller: Caller,
  { templateId, milestoneId, strategyId }: TemplateStrategyPath,
  input: MilestoneStrategyInput,
): Promise<Versioned<MilestoneStrategyView>> {
  return changeMilestones(request, caller, templateId, {
    strategies: [input],
    revise: (template) => {
      const { strategies } = findMilestone(template, milestoneId);
      const { sortOrder } = findStrategy(template, milestoneId, strategyId);
      const after = { sortOrder, ...input, id: strategyId };
      return {
        milestones: withStrategies(
          template,
          milestoneId,
          strategies.map((strategy) => (strategy.id === strategyId ? after : strategy)),
        ),
        changed: { milestoneId, strategyId },
      };
    },
    show: (template) => viewMilestoneStrategy(milestoneId, findStrategy(template, milestoneId, strategyId)),
  });
}

/**
 * Removes a strategy from a milestone.
 * @throws ApiError as `addMilestone` does.
 */
export async function removeMilestoneStrategy(
  request: Request,
  caller: Caller,
  { templateId, milestoneId, strategyId }: TemplateStrategyPath,
): Promise<void> {
  await changeMilestones(request, caller, templateId, {
    revise: (template) => {
      const { strategies } = findMilestone(template, milestoneId);
      findStrategy(template, milestoneId, strategyId);
      const after = strategies.filter(({ id }) => id !== strategyId);
      return { milestones: withStrategies(template, milestoneId, after), changed: {} };
    },
    show: () => ({}),
  });
}

/** The changed part of a template: a milestone, or a strategy of one. */
interface Changed {
  readonly milestoneId?: string;
  readonly strategyId?: string;
}

/** A change of a part of a template. */
interface MilestoneChange<Result extends object> {
  /** The strategies of the request. */
  readonly strategies?: readonly MilestoneStrategyInput[] | undefined;
  /** Returns all milestones after the change, as the content of a whole template, and the part that the request sends. */
  readonly revise: (before: ReleaseTemplate) => {
    readonly milestones: readonly MilestoneInput[];
    readonly changed: Changed;
  };
  readonly show: (after: ReleaseTemplate, changed: Changed) => Result;
}

/** Changes a part of a template as a replacement of the whole one, by the same rules; errors have paths in the part. */
function changeMilestones<Result extends object>(
  request: Request,
  caller: Caller,
  templateId: string,
  { strategies = [], revise, show }: MilestoneChange<Result>,
): Promise<Versioned<Result>> {
  return changeTemplate(request, caller, templateId, 'RELEASE_PLAN_TEMPLATE_UPDATE', {
    milestones: [{ strategies }],
    revise: (before, _at, referable) => {
      const { milestones, changed } = revise(before);
      const { name, description } = before;
      const content = { name, description, milestones };
      const index = milestones.findIndex(({ id }) => id === changed.milestoneId);
      const problems = [
        ...findMilestoneProblems(milestones).map(({ index: other, field, message }) => ({
          message,
          // Where it moves a milestone, another one can become the last.
          path: other === index || field === 'name' ? field : 'sortOrder',
        })),
        ...findTemplateProblems(before.project, content, referable, before).map(({ path = '', ...problem }) => {
          const position = milestones[index]?.strategies?.findIndex(({ id }) => id === changed.strategyId);
          const parent = `milestones.${index}.${changed.strategyId === undefined ? '' : `strategies.${position}.`}`;
          return path.startsWith(parent) ? { ...problem, path: path.slice(parent.length) } : problem;
        }),
      ];
      if (problems.length > 0) throw invalidRequest(problems);
      const newIds = [changed.milestoneId, changed.strategyId].filter((id) => id !== undefined);
      const after = reviseReleaseTemplate(before, content, [...new Set([...idsOfParts(before), ...newIds])]);
      return { after, result: show(after, changed) };
    },
  });
}

function showMilestone(after: ReleaseTemplate, { milestoneId = '' }: Changed): MilestoneView {
  return viewMilestone(after.id, findMilestone(after, milestoneId));
}

function findMilestone({ milestones }: ReleaseTemplate, milestoneId: string) {
  const milestone = milestones.find(({ id }) => id === milestoneId);
  if (milestone === undefined) throw notFound('milestone', milestoneId);
  return milestone;
}

function findStrategy(template: ReleaseTemplate, milestoneId: string, strategyId: string) {
  const strategy = findMilestone(template, milestoneId).strategies.find(({ id }) => id === strategyId);
  if (strategy === undefined) throw notFound('strategy', strategyId);
  return strategy;
}

function withStrategies(
  { milestones }: ReleaseTemplate,
  milestoneId: string,
  strategies: readonly MilestoneStrategyInput[],
): MilestoneInput[] {
  return milestones.map((milestone) => (milestone.id === milestoneId ? { ...milestone, strategies } : milestone));
}

/** Returns the position of a new part: the one that is sent, or behind all others. */
function positionAmong(
  others: readonly { readonly sortOrder: number }[],
  { sortOrder = (others.at(-1)?.sortOrder ?? -1) + 1 }: { readonly sortOrder?: number | undefined },
) {
  return { sortOrder };
}

/** Returns the strategies of a new milestone. Their ids could be those of others. */
function asNew({ strategies = [] }: MilestoneInput): MilestoneStrategyInput[] {
  return strategies.map(withoutId);
}

function withoutId({ id: _id, ...strategy }: MilestoneStrategyInput): MilestoneStrategyInput {
  return strategy;
}
