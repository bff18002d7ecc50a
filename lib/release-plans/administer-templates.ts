import { change } from '../entity/change.ts';
import { buildReferrerChecks, inUseError, withoutArchived } from '../entity/references.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadMarkedReferrers } from '../features/uses/uses.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { type Caller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { buildProjectCheck, requireProject } from '../projects/projects.ts';
import { type Request, withAllProjects } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { MilestoneInput, ReleaseTemplateInput } from './template-input-schema.ts';
import { assertUsable, loadReferable, type Referable } from './template-references.ts';
import { buildReleaseTemplate, type ReleaseTemplate, releaseTemplates, reviseReleaseTemplate } from './templates.ts';

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
    const [, referable] = await awaitInOrder([
      requireProject(request, project),
      loadReferable(request, input.milestones),
    ]);
    assertUsable(project, input, referable);
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
    ...input,
    revise: (before, _at, referable) => {
      const after = reviseReleaseTemplate(before, input);
      assertUsable(after.project, input, referable, before);
      return { after, result: after };
    },
  });
}

/**
 * Archives a release template: lists leave it out. An archived one stays as it is.
 * @throws ApiError 403 for a caller without the permission, whether the template exists or not; 404 for an unknown template.
 */
export function archiveReleaseTemplate(request: Request, caller: Caller, id: string) {
  return changeTemplate(request, caller, id, 'RELEASE_PLAN_TEMPLATE_DELETE', {
    revise: (before, at) => {
      const after = { ...before, archivedAt: before.archivedAt ?? at };
      return { after, result: after };
    },
  });
}

/**
 * Revives an archived release template. Another one stays as it is.
 * @throws ApiError 403 for a caller without the permission, whether the template exists or not; 404 for an unknown template.
 */
export function reviveReleaseTemplate(request: Request, caller: Caller, id: string) {
  return changeTemplate(request, caller, id, 'RELEASE_PLAN_TEMPLATE_UPDATE', {
    revise: (before) => {
      const after = { ...before, archivedAt: null };
      return { after, result: after };
    },
  });
}

/**
 * Deletes a release template from which no live feature has a plan.
 * @throws ApiError 403 for a caller without the permission, whether the template exists or not; 404 for an unknown template; 409 with
 * the features that have a plan from it.
 */
export function removeReleaseTemplate(request: Request, caller: Caller, id: string): Promise<void> {
  return change(request, ([{ by }]) => by, {
    items: [releaseTemplates.keyOf(id)],
    read: () =>
      awaitInOrder([
        loadPermittedTemplate(request, caller, 'RELEASE_PLAN_TEMPLATE_DELETE', id),
        loadMarkedReferrers(withAllProjects(request), releaseTemplates, id),
      ]),
    revisionOf: ([{ template }]) => template,
    decide: ([{ template }, referrers]) => {
      const users = withoutArchived(referrers);
      const problem = `The release template "${template.value.name}" is in use, so that it can only be archived`;
      if (users.length > 0) throw inUseError(request, problem, users);
      const { writes, events } = releaseTemplates.buildRemovalEffects(template);
      // The deletion of a project has no such condition: a feature that has moved elsewhere keeps its plan.
      const checks = buildReferrerChecks(releaseTemplates.kind, id, referrers);
      return { writes: [...writes, ...checks], events, result: undefined };
    },
  });
}

/** The change of an existing template. */
export interface TemplateChange<Result extends object> {
  /** The new project, if the request names one. */
  readonly project?: string | null | undefined;
  /** Milestones with the strategies of the request; omitted if it changes no content. */
  readonly milestones?: readonly Pick<MilestoneInput, 'strategies'>[];
  /**
   * Decides about the change.
   * @param referable the things to which the strategies of the request refer.
   * @returns the template after the change, and the result of the request.
   */
  readonly revise: (
    before: ReleaseTemplate,
    at: string,
    referable: Referable,
  ) => { readonly after: ReleaseTemplate; readonly result: Result };
}

/** Changes a template. @returns the result, with the new version of the template. */
export function changeTemplate<Result extends object>(
  request: Request,
  caller: Caller,
  id: string,
  permission: TemplatePermission,
  { project, milestones, revise }: TemplateChange<Result>,
): Promise<Versioned<Result>> {
  return change(request, ([{ by }]) => by, {
    items: [releaseTemplates.keyOf(id)],
    read: () =>
      awaitInOrder([
        loadPermittedTemplate(request, caller, permission, id),
        requireProject(request, project),
        loadReferable(request, milestones ?? []),
      ]),
    revisionOf: ([{ template }]) => template,
    decide: ([{ template: before }, , referable], at) => {
      const { after, result: value } = revise(before.value, at, referable);
      const effects = releaseTemplates.buildUpdateEffects(before, after);
      if (effects.writes.length === 0) return { ...effects, result: { value, version: before.version } };
      const checks = milestones === undefined ? [] : buildProjectCheck(after.project);
      return { ...effects, writes: [...checks, ...effects.writes], result: { value, version: before.version + 1 } };
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
