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
import { newProjectWrites } from './add-environment.ts';
import { completeDeletion } from './delete-project.ts';

/**
 * Creates a project, of which a user or a service account that creates it is an Owner. Without an id it gets one that is
 * made from its name.
 * @throws ApiError 404 that names every unknown environment; 409 for an id in use; 400 for one project too many.
 */
export async function createProject(
  request: Request,
  actor: Actor,
  { id: given = '', description, environments: named, changeRequestEnvironments: chosen, ...input }: ProjectInput,
): Promise<Versioned<Project>> {
  const created = await change(request, actor, {
    of: [],
    read: async () => {
      const taken = listProjectIds(withAllProjects(request));
      const others = request.hiddenProjects;
      const wanted =
        given === '' ? taken.then((ids) => freeId(input.name, [...ids, ...others])) : Promise.resolve(given);
      const loading = loadEnvironments(request);
      const toProtect = ({ name, enabled, requiredApprovals }: LoadedEnvironments['all'][number]) =>
        (named?.includes(name) ?? enabled) &&
        (requiredApprovals !== undefined || chosen?.some((each) => each.name === name) === true);
      const [ids, id, , ledger, environments, warn, owners] = await Promise.all([
        taken,
        wanted,
        wanted.then((id) => completeDeletion(request, actor, id)),
        wanted.then((id) => loadLedger(request, id)),
        loading,
        loading.then(({ all }) =>
          loadApproverWarning(
            request,
            given,
            all.filter(toProtect).map(({ name }) => name),
          ),
        ),
        // An admin token acts as nobody.
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
        environments: environmentsOf(environments, named, chosen),
      };
      const { writes, events, version } = projects.created(value, at, given === '' ? 'retry' : 'refuse');
      return {
        writes: [
          environments.unchangedCheck,
          ...writes,
          ...newProjectWrites(value, ledger),
          ...(owner === undefined ? [] : ownedBy(owner, id, at)),
        ],
        events,
        result: { value, version },
      };
    },
  });
  forgetUser(request, actor.id);
  if (approvalsIn(created.value).length > 0) await reloadAccessFlags(request);
  return created;
}

function ownedBy(owner: Versioned<Account>, id: string, at: string): readonly Write[] {
  const others = owner.value.projectRoles.filter(({ project }) => project !== id);
  const own = { project: id, roles: [projectRoles.Owner], addedAt: at };
  return buildAccountUpdate(owner, { ...owner.value, projectRoles: [...others, own] }).writes;
}

/** Limit of characters of an id that is derived from a name; it leaves room for a number at the end. */
const idLength = 90;

/** Returns an id that is free, made from a name: with a number behind it where others have that, or it is reserved. */
function freeId(name: string, ids: readonly string[]): string {
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
 * Returns the environments of a new project: those that are named, or all that are enabled.
 * @param chosen those in which changes need approval, whether the environment asks for it or not.
 * @throws ApiError 404 that names every one that does not exist, and those that are chosen for another project.
 */
function environmentsOf(
  { all }: LoadedEnvironments,
  named: ProjectInput['environments'],
  chosen: ProjectInput['changeRequestEnvironments'] = [],
): Project['environments'] {
  const wanted = new Set(named ?? all.flatMap(({ name, enabled }) => (enabled ? [name] : [])));
  const known = new Set(all.map(({ name }) => name));
  const unknown = [
    ...(named ?? []).flatMap((name, index): ErrorDetail[] =>
      known.has(name) ? [] : [{ message: `There is no environment "${name}".`, path: `environments.${index}` }],
    ),
    ...chosen.flatMap(({ name }, index): ErrorDetail[] => {
      const message = `The project is to have no environment "${name}".`;
      return known.has(name) && wanted.has(name) ? [] : [{ message, path: `changeRequestEnvironments.${index}.name` }];
    }),
  ];
  const [first] = unknown;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, unknown);
  const approvals = new Map(chosen.map((each) => [each.name, each]));
  return all
    .filter(({ name }) => wanted.has(name))
    .map((each) => buildProjectEnvironment(each, approvals.get(each.name)));
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
