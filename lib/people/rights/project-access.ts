import { allInOrder } from '../../entity/all-in-order.ts';
import { change, type Decision } from '../../entity/change.ts';
import { noEffects } from '../../entity/step.ts';
import { inParts, tooMuch } from '../../entity/steps.ts';
import { type ErrorDetail, invalidRequest, notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import {
  type Account,
  buildAccountUpdate,
  loadAccounts,
  loadMembers,
  loadVersionedMembers,
} from '../../identity/accounts.ts';
import type { PermittedCaller } from '../../identity/caller.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { findProjectRoles, isRootRole, listRoles, type ProjectRoles, type RoleHolder } from '../../identity/roles.ts';
import * as projectKeys from '../../projects/keys.ts';
import { type Project, projects } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { pack } from '../../store/pack.ts';
import { nextVersion, sameVersion, type Versioned } from '../../store/transactions/versioned.ts';
import { bytesOf, transactionBytesMax, type Write } from '../../store/transactions/write.ts';
import { accountWithSignIn } from '../access-list.ts';
import { groupView } from '../groups/administer-groups.ts';
import { assertMayGive, type NamedRole, requireRoles } from '../roles/require-roles.ts';
import type { AccessInput, ShownProjectAccess, WholeAccessInput } from './project-access-schema.ts';

/**
 * Reads the holders of roles in a project, and the roles that can be given there.
 * @returns the version of the project, too, which every change of its access raises.
 * @throws ApiError 404 for an unknown project.
 */
export async function accessOfProject(request: Request, project: string): Promise<Versioned<ShownProjectAccess>> {
  const [{ version }, { users, serviceAccounts, groups: all }, roles] = await Promise.all([
    projects.load(request, project),
    loadMembers(request),
    listRoles(request),
  ]);
  const accounts = [...users, ...serviceAccounts];
  const known = new Map(accounts.map((account) => [account.id, account]));
  const among = <H extends RoleHolder>(holders: readonly H[]) =>
    holders.flatMap((holder): { holder: H; rest: ReturnType<typeof rolesView> }[] => {
      const own = findProjectRoles(holder, project);
      return own === undefined ? [] : [{ holder, rest: rolesView(own) }];
    });
  const value = {
    users: among(accounts).map(({ holder, rest }) => ({ ...accountWithSignIn(holder), ...rest })),
    groups: among(all).map(({ holder, rest }) => ({ ...groupView(request, holder, known), ...rest })),
    roles: roles.filter((role) => !isRootRole(role)),
  };
  return { value, version, shown: true };
}

function rolesView({ roles, addedAt }: ProjectRoles) {
  const [first] = roles;
  return { addedAt, ...(first !== undefined && { roleId: first }), roles: [...roles] };
}

/**
 * Gives users and groups roles in a project besides those that they have there.
 * @throws ApiError 404 for an unknown project; 400 with all users, groups and roles that do not exist; 403 for rights
 * that the caller does not have; 412 if `If-Match` names other versions of the project.
 */
export function addAccess(request: Request, caller: PermittedCaller, project: string, input: AccessInput) {
  return changeAccess(request, caller, project, {
    named: input.roles.map((id, index) => ({ id, path: `roles.${index}` })),
    load: async () => {
      const holders = await loadHolders(request, input);
      return holders.map((holder) => {
        const before = findProjectRoles(holder.before.value, project)?.roles ?? [];
        return { ...holder, wanted: [...new Set([...before, ...input.roles])] };
      });
    },
    eventOf: (changes) => ({
      type: 'project-access-added',
      data: { roles: byRole(changes.map((each) => ({ ...each, roles: input.roles }))) },
    }),
  });
}

/**
 * Gives users and groups roles in a project, and takes all others there from everybody.
 * @throws ApiError as `addAccess`.
 */
export function setAccess(request: Request, caller: PermittedCaller, project: string, input: WholeAccessInput) {
  const wanted = { users: new Map<number, Set<number>>(), groups: new Map<number, Set<number>>() };
  for (const { id, ...of } of input.roles) {
    for (const kind of ['users', 'groups'] as const) {
      for (const holder of of[kind] ?? []) {
        wanted[kind].set(holder, (wanted[kind].get(holder) ?? new Set()).add(id));
      }
    }
  }
  return changeAccess(request, caller, project, {
    named: input.roles.map(({ id }, index) => ({ id, path: `roles.${index}.id` })),
    load: async () => {
      const members = await loadVersionedMembers(request);
      const named = { users: [...wanted.users.keys()], groups: [...wanted.groups.keys()] };
      requireAll(named, members);
      const all: Holder[] = [
        ...[...members.users.values()].map((before) => ({ kind: 'users' as const, before })),
        ...[...members.groups.values()].map((before) => ({ kind: 'groups' as const, before })),
      ];
      return all.map((holder) => ({
        ...holder,
        wanted: [...(wanted[holder.kind].get(holder.before.value.id) ?? [])],
      }));
    },
    eventOf: (changes) => ({
      type: 'project-access-updated',
      data: { roles: byRole(changes.map((each) => ({ ...each, roles: each.wanted }))) },
      preData: { roles: byRole(changes.map((each) => ({ ...each, roles: rolesBefore(each, project) }))) },
    }),
  });
}

/**
 * Replaces the roles of a user or a group in a project; with none, they leave it.
 * @throws ApiError 404 for an unknown project, user or group; otherwise as `addAccess`.
 */
export function setRolesOf(
  request: Request,
  caller: PermittedCaller,
  project: string,
  kind: Kind,
  id: number,
  roles: readonly number[],
): Promise<Versioned<void>> {
  const of = kind === 'users' ? 'user' : 'group';
  const holderId = kind === 'users' ? 'userId' : 'groupId';
  return changeAccess(request, caller, project, {
    named: roles.map((role, index) => ({ id: role, path: `roles.${index}` })),
    load: async () => [{ ...(await loadHolder(request, kind, id)), wanted: [...new Set(roles)] }],
    eventOf: (changes) => {
      const preData = { roles: changes.flatMap((each) => rolesBefore(each, project)), [holderId]: id };
      return roles.length === 0
        ? { type: `project-access-${of}-roles-deleted`, preData }
        : { type: `project-access-${of}-roles-updated`, data: { roles, [holderId]: id }, preData };
    },
  });
}

type Kind = 'users' | 'groups';

/** Possible holder of roles in a project. */
type Holder =
  | { readonly kind: 'users'; readonly before: Versioned<Account> }
  | { readonly kind: 'groups'; readonly before: Versioned<Group> };

/** A user or group and the roles they are to have; no roles remove them from the project. */
type AccessChange = Holder & { readonly wanted: readonly number[] };

/**
 * Room in a transaction, besides the project, the event, and the conditions under which the caller has the rights that they
 * give. Each use of a role of the team's own is written, too.
 */
const roomForHolders = { count: 60, bytes: transactionBytesMax / 2 };

interface Plan {
  readonly named: readonly NamedRole[];
  readonly load: () => Promise<readonly AccessChange[]>;
  readonly eventOf: (changes: readonly AccessChange[]) => NewEvent;
}

/**
 * Carries a plan out; of many changes the first ones in transactions of their own, each with its event. Cut off between
 * these and sent again, it completes.
 */
async function changeAccess(request: Request, caller: PermittedCaller, id: string, plan: Plan) {
  const read = async () => {
    const [project, changes] = await allInOrder([
      projects.load(request, id),
      plan.load(),
      requireRoles(request, 'project', plan.named),
    ]);
    const open = changes.filter((each) => !hasSame(rolesBefore(each, id), each.wanted));
    const given = open.flatMap((each) => {
      const before = rolesBefore(each, id);
      return each.wanted.filter((role) => !before.includes(role));
    });
    await assertMayGive(request, caller, [...new Set(given)], id);
    return { project, open };
  };
  const effectsOf = (
    project: Versioned<Project>,
    changes: readonly AccessChange[],
    at: string,
  ): Decision<Versioned<void>> =>
    changes.length === 0
      ? { ...noEffects, result: sameVersion(project) }
      : {
          writes: [projects.renewed(project), ...changes.flatMap((each) => writesOf(each, id, at))],
          events: [{ ...plan.eventOf(changes), project: id }],
          result: nextVersion(project),
        };
  const changing = {
    of: [projectKeys.project(id)],
    read,
    revisionOf: ({ project }: Awaited<ReturnType<typeof read>>) => project,
  };
  const whole = (ours: Request) =>
    change<Awaited<ReturnType<typeof read>>, Versioned<void> | typeof tooMuch>(ours, caller, {
      ...changing,
      decide: ({ project, open }, at) =>
        firstOf(open, id).length < open.length ? { ...noEffects, result: tooMuch } : effectsOf(project, open, at),
    });
  const part = async (ours: Request) => {
    const decide = ({ project, open }: Awaited<ReturnType<typeof read>>, at: string) =>
      effectsOf(project, firstOf(open, id), at);
    return (await change(ours, caller, { ...changing, decide })).version;
  };
  return inParts(request, whole, part);
}

/** Returns the first changes, as many as there is room for in one transaction. */
function firstOf(open: readonly AccessChange[], project: string): readonly AccessChange[] {
  const sizeOf = (each: AccessChange) => {
    const writes = writesOf(each, project, '');
    return { count: writes.length, bytes: bytesOf(writes) };
  };
  return pack(open.slice(0, roomForHolders.count), sizeOf, roomForHolders)[0] ?? [];
}

function writesOf({ wanted, ...holder }: AccessChange, project: string, at: string): readonly Write[] {
  const { projectRoles } = holder.before.value;
  const index = projectRoles.findIndex((each) => each.project === project);
  const before = projectRoles[index];
  const own = wanted.length === 0 ? [] : [{ project, roles: wanted, addedAt: before?.addedAt ?? at }];
  const next = before === undefined ? [...projectRoles, ...own] : projectRoles.toSpliced(index, 1, ...own);
  return holder.kind === 'users'
    ? buildAccountUpdate(holder.before, { ...holder.before.value, projectRoles: next }).writes
    : groups.updated(holder.before, { ...holder.before.value, projectRoles: next }).writes;
}

function rolesBefore({ before }: Holder, project: string): readonly number[] {
  return findProjectRoles(before.value, project)?.roles ?? [];
}

function hasSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

/** Groups the holders by role, as events show them. */
function byRole(holders: readonly (Holder & { readonly roles: readonly number[] })[]) {
  const roles = [...new Set(holders.flatMap((each) => each.roles))];
  const idsWith = (kind: Kind, role: number) =>
    holders.flatMap((each) => (each.kind === kind && each.roles.includes(role) ? [each.before.value.id] : []));
  return roles.map((roleId) => ({ roleId, groupIds: idsWith('groups', roleId), userIds: idsWith('users', roleId) }));
}

async function loadHolders(
  request: Request,
  ids: { readonly users: readonly number[]; readonly groups: readonly number[] },
): Promise<Holder[]> {
  const [users, found] = await Promise.all([
    loadAccounts(request, ids.users),
    groups.someVersioned(request, ids.groups),
  ]);
  requireAll(ids, { users, groups: found });
  return [
    ...[...users.values()].map((before) => ({ kind: 'users' as const, before })),
    ...[...found.values()].map((before) => ({ kind: 'groups' as const, before })),
  ];
}

/** @throws ApiError 404 for an unknown user or group. */
async function loadHolder(request: Request, kind: Kind, id: number): Promise<Holder> {
  if (kind === 'groups') return { kind, before: await groups.load(request, id) };
  const before = (await loadAccounts(request, [id])).get(id);
  if (before === undefined) throw notFound('user', id);
  return { kind, before };
}

/** @throws ApiError 400 with all that do not exist. */
function requireAll(
  ids: Readonly<Record<Kind, readonly number[]>>,
  known: Readonly<Record<Kind, ReadonlyMap<number, unknown>>>,
): void {
  const problems = (['users', 'groups'] as const).flatMap((kind) =>
    ids[kind]
      .filter((id) => !known[kind].has(id))
      .map((id): ErrorDetail => ({ message: `There is no ${kind.slice(0, -1)} with the id ${id}.`, path: kind })),
  );
  if (problems.length > 0) throw invalidRequest(problems);
}
