import { isDeepStrictEqual } from 'node:util';
import type { LegalValues } from '../context-fields/legal-values.ts';
import { change } from '../entity/change.ts';
import type { Effects } from '../entity/effects.ts';
import { type ErrorDetail, invalidRequest, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import {
  findReferenceProblems,
  loadStrategyReferences,
  noReferences,
  type StrategyReferences,
} from '../features/strategies/strategy-references.ts';
import type { StrategyView } from '../features/strategies/strategy-schema.ts';
import { awaitInOrder } from '../helpers/run-all.ts';
import { type Caller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { buildProjectCheck, requireProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { countExpressionSteps } from '../segments/expression-limit.ts';
import type { Segment } from '../segments/segments.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../values/expression-steps.ts';
import type { ReleaseTemplateInput } from './template-input-schema.ts';
import {
  buildReleaseTemplate,
  type ReleaseTemplate,
  releaseTemplates,
  reviseReleaseTemplate,
  withType,
} from './templates.ts';

/**
 * Creates a release template.
 * @throws ApiError 404 for an unknown project; 409 for a name in use; 400 with every segment, strategy type and value that its
 * strategies cannot use, and for more templates than the limit.
 */
export function createReleaseTemplate(
  request: Request,
  actor: Actor,
  input: ReleaseTemplateInput,
): Promise<Versioned<ReleaseTemplate>> {
  const { project = null } = input;
  const build = (createdAt: string) => buildReleaseTemplate(input, { createdByUserId: actor.id, createdAt });
  return releaseTemplates.create(request, actor, build, buildProjectCheck(project), async () => {
    const [, references] = await awaitInOrder([
      requireProject(request, project),
      loadTemplateReferences(request, input),
    ]);
    assertUsable(project, input, references);
  });
}

/**
 * Replaces the content of a release template. Plans are copies, so it does not change them.
 * @throws ApiError 403 for a caller without the permission for the template, or for its new project, whether these exist or not; 404
 * for an unknown template or project; 409 for a name in use; 400 as `createReleaseTemplate` does.
 */
export function updateReleaseTemplate(request: Request, caller: Caller, id: string, input: ReleaseTemplateInput) {
  if (input.project !== undefined) requireTemplatePermission(caller, 'RELEASE_PLAN_TEMPLATE_UPDATE', input.project);
  return changeTemplate(request, caller, id, 'RELEASE_PLAN_TEMPLATE_UPDATE', {
    input,
    buildEffects: (before, _at, references) => {
      const after = reviseReleaseTemplate(before.value, input);
      assertUsable(after.project, input, references, before.value);
      const effects = releaseTemplates.updateEffects(before, after);
      if (effects.writes.length === 0) return { effects, after: before.value };
      return { effects: { ...effects, writes: [...buildProjectCheck(after.project), ...effects.writes] }, after };
    },
  });
}

/**
 * Archives a release template: lists leave it out. An archived one stays as it is.
 * @throws ApiError 403 for a caller without the permission, whether the template exists or not; 404 for an unknown template.
 */
export function archiveReleaseTemplate(request: Request, caller: Caller, id: string) {
  return changeTemplate(request, caller, id, 'RELEASE_PLAN_TEMPLATE_DELETE', {
    buildEffects: (before, at) => {
      const after = { ...before.value, archivedAt: before.value.archivedAt ?? at };
      return { effects: releaseTemplates.updateEffects(before, after), after };
    },
  });
}

/**
 * Deletes a release template.
 * @throws ApiError 403 for a caller without the permission, whether the template exists or not; 404 for an unknown template.
 */
export async function removeReleaseTemplate(request: Request, caller: Caller, id: string): Promise<void> {
  await changeTemplate(request, caller, id, 'RELEASE_PLAN_TEMPLATE_DELETE', {
    buildEffects: (before) => ({ effects: releaseTemplates.removalEffects(before), after: before.value }),
  });
}

/** The change of an existing template. */
interface TemplateChange {
  /** The new content, if it has one. */
  readonly input?: ReleaseTemplateInput;
  readonly buildEffects: (
    before: Versioned<ReleaseTemplate>,
    at: string,
    references: readonly (readonly StrategyReferences[])[],
  ) => { readonly effects: Effects; readonly after: ReleaseTemplate };
}

function changeTemplate(
  request: Request,
  caller: Caller,
  id: string,
  permission: TemplatePermission,
  { input, buildEffects }: TemplateChange,
): Promise<Versioned<ReleaseTemplate>> {
  return change(request, ([{ by }]) => by, {
    of: [releaseTemplates.keyOf(id)],
    read: () =>
      awaitInOrder([
        loadPermittedTemplate(request, caller, permission, id),
        requireProject(request, input?.project),
        input === undefined ? Promise.resolve([]) : loadTemplateReferences(request, input),
      ]),
    revisionOf: ([{ template }]) => template,
    decide: ([{ template: before }, , references], at) => {
      const { effects, after } = buildEffects(before, at, references);
      const version = effects.writes.length === 0 ? before.version : before.version + 1;
      return { ...effects, result: { value: after, version } };
    },
  });
}

/** A permission for all templates. For a template of a project, UPDATE_PROJECT is enough. */
type TemplatePermission = Permission & `RELEASE_PLAN_TEMPLATE_${string}`;

function requireTemplatePermission(caller: Caller, permission: TemplatePermission, project: string | null | undefined) {
  return requirePermission(caller, [permission, 'UPDATE_PROJECT'], project ?? undefined);
}

async function loadPermittedTemplate(request: Request, caller: Caller, permission: TemplatePermission, id: string) {
  const template = await releaseTemplates.find(request, id);
  const by = requireTemplatePermission(caller, permission, template?.value.project);
  if (template === undefined) throw notFound('release template', id);
  return { template, by };
}

/** Loads facts about the things that each strategy of a template refers to, by milestone. */
function loadTemplateReferences(request: Request, { milestones }: ReleaseTemplateInput) {
  return Promise.all(
    milestones.map(({ strategies = [] }) =>
      Promise.all(strategies.map((strategy) => loadStrategyReferences(request, withType(strategy)))),
    ),
  );
}

/** Things that strategies can refer to. */
interface Referable {
  readonly types: { has(type: string): boolean };
  readonly segments: Iterable<Segment>;
  readonly legalValues: LegalValues;
}

/** Collects the same facts as `loadTemplateReferences` from things that were read already. */
export function collectTemplateReferences(
  { milestones }: Pick<ReleaseTemplateInput, 'milestones'>,
  { types, segments, legalValues }: Referable,
): StrategyReferences[][] {
  const byId = new Map([...segments].map((segment) => [segment.id, segment]));
  return milestones.map(({ strategies = [] }) =>
    strategies.map((strategy) => ({ typeExists: types.has(withType(strategy).name), segments: byId, legalValues })),
  );
}

/** @throws ApiError 400 with every problem of the things to which the strategies of a template refer. */
export function assertUsable(...template: Parameters<typeof findTemplateProblems>): void {
  const problems = findTemplateProblems(...template);
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Finds the problems of the things to which the strategies of a template refer. A strategy that refers to the same things as before has
 * none, even if a value of it has become illegal.
 * @param references those of each strategy, by milestone.
 */
export function findTemplateProblems(
  project: string | null,
  { milestones }: Pick<ReleaseTemplateInput, 'milestones'>,
  references: readonly (readonly StrategyReferences[])[],
  before?: ReleaseTemplate,
): ErrorDetail[] {
  const stored = before?.project === project ? before.milestones.flatMap(({ strategies }) => strategies) : [];
  return milestones.flatMap(({ strategies = [] }, index): ErrorDetail[] => {
    const path = `milestones.${index}`;
    const changed = strategies
      .map((input, position) => ({ input: withType(input), position }))
      .filter(({ input }) => !stored.some((old) => old.id === input.id && isReferringAlike(old, input)));
    const steps = changed.length === 0 ? 0 : countExpressionSteps(strategies);
    return [
      ...changed.flatMap(({ input, position }) => {
        const facts = references[index]?.[position] ?? noReferences;
        const { unknown, others } = findReferenceProblems(input, facts, project, `${path}.strategies.${position}`);
        return [...unknown, ...others];
      }),
      ...(steps > expressionStepsMax ? [{ message: tooManyStepsMessage('a milestone', steps), path }] : []),
    ];
  });
}

function isReferringAlike(old: StrategyView, { name, segments = [], constraints = [] }: StrategyInput): boolean {
  const sent = [name, [...new Set(segments)], constraints];
  return isDeepStrictEqual([old.name, old.segments, old.constraints], sent);
}
