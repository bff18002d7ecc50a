import { change } from '../entity/change.ts';
import { nameTakenError } from '../entity/names.ts';
import { type LoadedEnvironments, loadEnvironments } from '../environments/environments.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import { type Account, buildAccountUpdate, loadAccounts } from '../identity/accounts.ts';
import { forgetUser } from '../identity/caller.ts';
import { projectRoles } from '../identity/permissions.ts';
import { assertRoom } from '../limits.ts';
import { buildProjectEnvironment } from '../projects/approval.ts';
import { loadApproverWarning } from '../projects/change-request-config.ts';
import { loadLedger } from '../projects/ledger.ts';
import { type ProjectInput, reservedIds } from '../projects/project-schema.ts';
import { listProjectIds, newProject, type Project, projects, projectsMax } from '../projects/projects.ts';
import { isHidden, type Request, withAllProjects } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { buildNewProjectWrites } from './add-environment.ts';
import { completeProjectDeletion } from './delete-project.ts';

/**
 * Creates a project, and makes its creator the Owner. Without an id it gets one that is derived from its name.
 * @throws ApiError 404 that names every unknown environment; 409 for an id in use; 400 for more projects than the limit.
 */
export async function createProject(
  request: Request,
  actor: Actor,
  { id: givenId = '', description, environments: environmentNames, changeRequestEnvironments, ...input }: ProjectInput,
): Promise<Versioned<Project>> {
  const created = await change(request, actor, {
    items: [],
    read: async () => {
      const loadingIds = listProjectIds(withAllProjects(request));
      const deriving =
        givenId === ''
          ? loadingIds.then((ids) => deriveId(input.name, [...ids, ...request.hiddenProjects]))
          : Promise.resolve(givenId);
      const loading = loadEnvironments(request);
      const isProtected = ({ name, enabled, requiredApprovals }: LoadedEnvironments['all'][number]) =>
        (environmentNames?.includes(name) ?? enabled) &&
        (requiredApprovals !== undefined ||
          changeRequestEnvironments?.some((setting) => setting.name === name) === true);
      const [ids, id, , ledger, environments, warn, owners] = await Promise.all([
        loadingIds,
        deriving,
        deriving.then((id) => completeProjectDeletion(request, actor, id)),
        deriving.then((id) => loadLedger(request, id)),
        loading,
        loading.then(({ all }) =>
          loadApproverWarning(
            request,
            givenId,
            all.filter(isProtected).map(({ name }) => name),
          ),
        ),
        // An admin token is no account.
        actor.id > 0 ? loadAccounts(request, [actor.id]) : undefined,
      ]);
      return { ids, id, ledger, environments, warn, owner: owners?.get(actor.id) };
    },
    revisionOf: () => undefined,
    decide: ({ ids, id, ledger, environments, warn, owner }, at) => {
      warn();
      assertRoom(ids.length, projectsMax, 'projects');
      if (isHidden(request, id)) throw nameTakenError('project', 'id', id);
      const value: Project = {
        ...newProject,
        ...input,
        id,
        description: description ?? null,
        createdAt: at,
        environments: chooseEnvironments(environments, environmentNames, changeRequestEnvironments),
      };
      const { writes, events, version } = projects.buildCreationEffects(value, at, givenId === '' ? 'retry' : 'refuse');
      return {
        writes: [
          environments.unchangedCheck,
          ...writes,
          ...buildNewProjectWrites(value, ledger),
          ...(owner === undefined ? [] : buildOwnerWrites(owner, id, at)),
        ],
        events,
        result: { value, version },
      };
    },
  });
  forgetUser(request, actor.id);
  // This process remembers which projects are private or protected: without this, others would see it for seconds.
  if (created.value.mode === 'private' || approvalsIn(created.value).length > 0) await reloadAccessFlags(request);
  return created;
}

function buildOwnerWrites(owner: Versioned<Account>, id: string, at: string): readonly Write[] {
  const others = owner.value.projectRoles.filter(({ project }) => project !== id);
  const own = { project: id, roles: [projectRoles.Owner], addedAt: at };
  return buildAccountUpdate(owner, { ...owner.value, projectRoles: [...others, own] }).writes;
}

/** The most characters of an id that is derived from a name, before a number at its end. */
const idLength = 90;

/** Derives an unused id from a name, with a number at its end if the id is taken or reserved. */
function deriveId(name: string, ids: readonly string[]): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug =
    plain
      .replace(/[^a-z0-9_~.]+/g, '-')
      .slice(0, idLength)
      .replace(/^[-.]+|[-.]+$/g, '') || 'project';
  const taken = new Set([...ids, ...reservedIds]);
  let id = slug;
  for (let number = 1; taken.has(id); number += 1) id = `${slug}-${number}`;
  return id;
}

/**
 * Returns the environments of a new project: the given ones, or all enabled ones.
 * @param settings the environments in which changes need approval, even if the environment itself does not require it.
 * @throws ApiError 404 that names every unknown environment, and every setting of an environment that the project lacks.
 */
function chooseEnvironments(
  { all }: LoadedEnvironments,
  names: ProjectInput['environments'],
  settings: ProjectInput['changeRequestEnvironments'] = [],
): Project['environments'] {
  const wanted = new Set(names ?? all.flatMap(({ name, enabled }) => (enabled ? [name] : [])));
  const existing = new Set(all.map(({ name }) => name));
  const unknown = [
    ...(names ?? []).flatMap((name, index): ErrorDetail[] =>
      existing.has(name) ? [] : [{ message: `There is no environment "${name}".`, path: `environments.${index}` }],
    ),
    ...settings.flatMap(({ name }, index): ErrorDetail[] => {
      const message = `The project does not get the environment "${name}".`;
      return existing.has(name) && wanted.has(name)
        ? []
        : [{ message, path: `changeRequestEnvironments.${index}.name` }];
    }),
  ];
  const [first] = unknown;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, unknown);
  const approvals = new Map(settings.map((setting) => [setting.name, setting]));
  return all
    .filter(({ name }) => wanted.has(name))
    .map((environment) => buildProjectEnvironment(environment, approvals.get(environment.name)));
}

/** Returns the environments of a project in which changes need approval, as replies show them. */
function approvalsIn({ environments }: Project) {
  return environments.flatMap(({ name, approval }) =>
    approval === undefined ? [] : [{ name, requiredApprovals: approval.required }],
  );
}

/** Returns a new project as replies show it. */
export function toCreatedView(project: Project) {
  const { id, name, description, mode, defaultStickiness, featureLimit, environments } = project;
  return {
    id,
    name,
    ...(description !== null && { description }),
    mode,
    defaultStickiness,
    featureLimit,
    environments: environments.map((environment) => environment.name),
    changeRequestEnvironments: approvalsIn(project),
  };
}
