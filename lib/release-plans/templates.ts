import { randomUUID } from 'node:crypto';
import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { Reference, Referrer } from '../entity/references.ts';
import * as featureKeys from '../features/keys.ts';
import type { PlanMilestone } from '../features/plans/release-plan.ts';
import { buildStrategyContent } from '../features/strategies/strategy.ts';
import { buildStrategyReferences } from '../features/strategies/strategy-references.ts';
import type { StrategyView } from '../features/strategies/strategy-schema.ts';
import type { Request } from '../request.ts';
import { keysIn } from '../store/client/definition.ts';
import { isName } from '../values/primitives.ts';
import {
  type MilestoneInput,
  type MilestoneStrategyInput,
  type ReleaseTemplateInput,
  sortByPosition,
} from './template-input-schema.ts';
import {
  featureNamePlaceholder,
  type ListedReleaseTemplate,
  type MilestoneStrategyView,
  type MilestoneView,
  type ReleaseTemplateView,
  templatesMax,
} from './template-schema.ts';

/** A step of a release: the strategies that a feature has while it is active. */
export interface Milestone extends Pick<PlanMilestone, 'id' | 'name' | 'sortOrder' | 'transitionCondition'> {
  readonly strategies: readonly StrategyView[];
}

/** A reusable list of milestones, from which features get release plans. */
export interface ReleaseTemplate extends Omit<ListedReleaseTemplate, 'discriminator'> {
  readonly milestones: readonly Milestone[];
}

/** The parts of a template that a plan copies. */
export type TemplateContent = Pick<ReleaseTemplate, 'name' | 'description' | 'milestones'>;

export function contentOfTemplate({ name, description, milestones }: ReleaseTemplate): TemplateContent {
  return { name, description, milestones };
}

export const releaseTemplates = entity<ReleaseTemplate, string>({
  kind: 'release template',
  idOf: ({ id }) => id,
  partition: featureKeys.releaseTemplates,
  codec: codec<ReleaseTemplate>({ milestones: true }),
  unique: { name: keysIn({ pk: 'RELEASE_TEMPLATES', prefix: 'NAME#' }) },
  max: templatesMax,
  refersTo: referencesOf,
  events: {
    created: 'release-plan-template-created',
    updated: ({ archivedAt }, before) => {
      if (archivedAt === before?.archivedAt) return 'release-plan-template-updated';
      return archivedAt === null ? 'release-plan-template-revived' : 'release-plan-template-archived';
    },
    deleted: 'release-plan-template-deleted',
  },
  eventData: viewReleaseTemplate,
  projectOf: ({ project }) => project,
});

/** Builds the references of a template. Its constraints may compare unknown context fields, so these need not exist. */
function referencesOf({ id, name, project, milestones }: ReleaseTemplate): Reference[] {
  const referrer: Referrer = {
    // The name of a feature has no space, so this cannot be one.
    by: `release template ${id}`,
    name: `the release template "${name}"`,
    details: { project },
  };
  const strategies = milestones.flatMap((milestone) => milestone.strategies);
  const compared = strategies.flatMap(({ constraints }) => constraints.map(({ contextName }) => contextName));
  return [
    ...buildStrategyReferences(strategies, project, () => referrer),
    ...[...new Set(compared)].filter(isName).map((field) => ({ kind: 'context field', id: field, referrer })),
  ];
}

/**
 * Lists the templates that belong to one of some projects, or with null to the whole service, by name.
 * @param archived true for the archived ones alone; otherwise, they are left out.
 */
export async function listReleaseTemplates(request: Request, projects: readonly (string | null)[], archived: boolean) {
  const templates = await releaseTemplates.list(request);
  return templates
    .filter(({ project, archivedAt }) => (archivedAt !== null) === archived && projects.includes(project))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a template for lists, without its milestones. */
export function viewTemplateInList({ milestones: _milestones, ...template }: ReleaseTemplate): ListedReleaseTemplate {
  return { ...template, discriminator: 'template' };
}

/** Returns a template as replies and events show it. */
export function viewReleaseTemplate(template: ReleaseTemplate): ReleaseTemplateView {
  const milestones = template.milestones.map((milestone) => viewMilestone(template.id, milestone));
  return { ...viewTemplateInList(template), milestones };
}

/** Returns a milestone of a template as replies show it. */
export function viewMilestone(templateId: string, { strategies, ...milestone }: Milestone): MilestoneView {
  return {
    ...milestone,
    releasePlanDefinitionId: templateId,
    strategies: strategies.map((strategy) => viewMilestoneStrategy(milestone.id, strategy)),
  };
}

/** Returns a strategy of a milestone as replies show it. */
export function viewMilestoneStrategy(milestoneId: string, strategy: StrategyView): MilestoneStrategyView {
  return { ...strategy, milestoneId, strategyName: strategy.name };
}

/** The origin of a new template. */
interface Origin extends Pick<ReleaseTemplate, 'createdByUserId' | 'createdAt'> {
  readonly id?: string | undefined;
}

export function buildReleaseTemplate(
  input: ReleaseTemplateInput,
  { id = randomUUID(), createdByUserId, createdAt }: Origin,
  keptIds: readonly string[] = [],
): ReleaseTemplate {
  const blank = { id, name: '', description: '', project: null, createdByUserId, createdAt, archivedAt: null };
  return reviseReleaseTemplate({ ...blank, milestones: [] }, input, keptIds);
}

/**
 * Replaces the content of a template. Milestones and strategies keep their ids if they are sent with them; others get new ones.
 * @param keptIds the ids that may be kept, by default those of the template. Each is used once.
 */
export function reviseReleaseTemplate(
  before: ReleaseTemplate,
  { name, description, project = before.project, milestones }: ReleaseTemplateInput,
  keptIds: readonly string[] = idsOfParts(before),
): ReleaseTemplate {
  const unused = new Set(keptIds);
  const takeId = (sent: string | undefined) => (sent !== undefined && unused.delete(sent) ? sent : randomUUID());
  const toStrategy = (input: MilestoneStrategyInput & { readonly sortOrder: number }): StrategyView => ({
    id: takeId(input.id),
    ...buildMilestoneStrategy(input),
    sortOrder: input.sortOrder,
  });
  const toMilestone = (input: MilestoneInput & { readonly sortOrder: number }): Milestone => ({
    id: takeId(input.id),
    name: input.name,
    sortOrder: input.sortOrder,
    ...(input.transitionCondition && { transitionCondition: input.transitionCondition }),
    strategies: sortByPosition(input.strategies ?? []).map(toStrategy),
  });
  const next = { name, description: description ?? '', project };
  return { ...before, ...next, milestones: sortByPosition(milestones).map(toMilestone) };
}

/** Returns the ids of the milestones of a template and of their strategies, as far as they have any. */
export function idsOfParts({ milestones }: Pick<ReleaseTemplateInput, 'milestones'> | ReleaseTemplate): string[] {
  return milestones.flatMap(({ id, strategies = [] }) =>
    [id, ...strategies.map((strategy) => strategy.id)].flatMap((each) => each ?? []),
  );
}

function buildMilestoneStrategy(input: MilestoneStrategyInput) {
  const defaults = { featureName: featureNamePlaceholder, defaultStickiness: 'default' };
  const { featureName: _featureName, ...content } = buildStrategyContent(withType(input), defaults);
  return content;
}

/** Returns a strategy whose `name` is its type. Older clients send `strategyName`; the schema requires one of both. */
export function withType({ strategyName = '', name = strategyName, ...input }: MilestoneStrategyInput) {
  return { ...input, name };
}
