import { change, type Decision } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { runInParts, tooLargeForTransaction } from '../../entity/phases.ts';
import { type ErrorDetail, invalidRequest, notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/event.ts';
import { awaitInOrder } from '../../helpers/await-in-order.ts';
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
import { splitIntoBatches } from '../../store/batch.ts';
import { nextVersion, sameVersion, type Versioned } from '../../store/transactions/versioned.ts';
import { bytesOf, transactionBytesMax, type Write } from '../../store/transactions/write.ts';
import { accountViewWithSignIn } from '../account-views.ts';
import { groupViewOf } from '../groups/administer-groups.ts';
import { viewGroups } from '../groups/groups-in-reply.ts';
import { assertMayGive, type NamedRole, requireRoles } from '../roles/require-roles.ts';
import type { AccessInput, ShownProjectAccess, WholeAccessInput } from './project-access-schema.ts';

/**
 * Loads the holders of roles in a project, and the roles that can be given there. Each change of access raises the version of the
 * project.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadProjectAccess(request: Request, project: string): Promise<Versioned<ShownProjectAccess>> {
  const [{ version }, { users, serviceAccounts, groups: all }, roles] = await Promise.all([
    projects.load(request, project),
    loadMembers(request),
    listRoles(request),
  ]);
  const accounts = [...users, ...serviceAccounts];
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const withRoles = <H extends RoleHolder>(holders: readonly H[]) =>
    holders.flatMap((holder): (H & { shownRoles: ReturnType<typeof rolesViewOf> })[] => {
      const inProject = findProjectRoles(holder, project);
      return inProject === undefined ? [] : [{ ...holder, shownRoles: rolesViewOf(inProject) }];
    });
  const others = {
    users: withRoles(accounts).map((account) => ({ ...accountViewWithSignIn(account), ...account.shownRoles })),
    roles: roles.filter((role) => !isRootRole(role)),
  };
  const shownGroups = viewGroups(
    request,
    withRoles(all),
    byId,
    (group, members) => ({ ...groupViewOf(request, group, members), ...group.shownRoles }),
    others,
  );
  return { value: { ...others, groups: shownGroups }, version, shown: true };
}

function rolesViewOf({ roles, addedAt }: ProjectRoles) {
  const [first] = roles;
  return { addedAt, ...(first !== undefined && { roleId: first }), roles: [...roles] };
}

/**
 * Gives users and groups further roles in a project.
 * @throws ApiError 404 for an unknown project; 400 with all unknown users, groups and roles; 403 for rights that the caller does not
 * have; 412 if `If-Match` does not match the version of the project.
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
      data: { roles: groupByRole(changes.map((accessChange) => ({ ...accessChange, roles: input.roles }))) },
    }),
  });
}

/**
 * Replaces all roles of users and groups in a project.
 * @throws ApiError as `addAccess`.
 */
export function setAccess(request: Request, caller: PermittedCaller, project: string, input: WholeAccessInput) {
  const wanted = { users: new Map<number, Set<number>>(), groups: new Map<number, Set<number>>() };
  for (const { id, ...holders } of input.roles) {
    for (const kind of ['users', 'groups'] as const) {
      for (const holder of holders[kind] ?? []) {
        wanted[kind].set(holder, (wanted[kind].get(holder) ?? new Set()).add(id));
      }
    }
  }
  return changeAccess(request, caller, project, {
    named: input.roles.map(({ id }, index) => ({ id, path: `roles.${index}.id` })),
    load: async () => {
      const members = await loadVersionedMembers(request);
      requireAll({ users: [...wanted.users.keys()], groups: [...wanted.groups.keys()] }, members);
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
      data: { roles: groupByRole(changes.map((accessChange) => ({ ...accessChange, roles: accessChange.wanted }))) },
      preData: {
        roles: groupByRole(
          changes.map((accessChange) => ({ ...accessChange, roles: rolesBefore(accessChange, project) })),
        ),
      },
    }),
  });
}

/**
 * Replaces the roles of a user or a group in a project. Without any, they leave it.
 * @throws ApiError 404 for an unknown project, user or group; otherwise as `addAccess`.
 */
export function setProjectRoles(
  request: Request,
  caller: PermittedCaller,
  project: string,
  kind: Kind,
  id: number,
  roles: readonly number[],
): Promise<Versioned<void>> {
  const noun = kind === 'users' ? 'user' : 'group';
  const holderId = kind === 'users' ? 'userId' : 'groupId';
  return changeAccess(request, caller, project, {
    named: roles.map((role, index) => ({ id: role, path: `roles.${index}` })),
    load: async () => [{ ...(await loadHolder(request, kind, id)), wanted: [...new Set(roles)] }],
    eventOf: (changes) => {
      const preData = { roles: changes.flatMap((accessChange) => rolesBefore(accessChange, project)), [holderId]: id };
      return roles.length === 0
        ? { type: `project-access-${noun}-roles-deleted`, preData }
        : { type: `project-access-${noun}-roles-updated`, data: { roles, [holderId]: id }, preData };
    },
  });
}

type Kind = 'users' | 'groups';

/** A user or group. */
type Holder =
  | { readonly kind: 'users'; readonly before: Versioned<Account> }
  | { readonly kind: 'groups'; readonly before: Versioned<Group> };

/** A user or group and all their future roles in the project. */
type AccessChange = Holder & { readonly wanted: readonly number[] };

/** The room of a transaction for users and groups. It also has the project, the event, and the conditions on the caller's rights. */
const roomForHolders = { count: 60, bytes: transactionBytesMax / 2 };

interface AccessPlan {
  /** The roles that the request names. */
  readonly named: readonly NamedRole[];
  readonly load: () => Promise<readonly AccessChange[]>;
  readonly eventOf: (changes: readonly AccessChange[]) => NewEvent;
}

/**
 * Carries out a plan. Many changes take several transactions, each with an event. If the request is interrupted and sent again, it
 * completes.
 */
async function changeAccess(request: Request, caller: PermittedCaller, id: string, plan: AccessPlan) {
  const read = async () => {
    const [project, changes] = await awaitInOrder([
      projects.load(request, id),
      plan.load(),
      requireRoles(request, 'project', plan.named),
    ]);
    const pending = changes.filter((accessChange) => !isSameSet(rolesBefore(accessChange, id), accessChange.wanted));
    const added = pending.flatMap((accessChange) => {
      const before = rolesBefore(accessChange, id);
      return accessChange.wanted.filter((role) => !before.includes(role));
    });
    await assertMayGive(request, caller, [...new Set(added)], id);
    return { project, pending };
  };
  const effectsOf = (
    project: Versioned<Project>,
    changes: readonly AccessChange[],
    at: string,
  ): Decision<Versioned<void>> =>
    changes.length === 0
      ? { ...noEffects, result: sameVersion(project) }
      : {
          writes: [
            projects.buildRenewalWrite(project),
            ...changes.flatMap((accessChange) => buildWrites(accessChange, id, at)),
          ],
          events: [{ ...plan.eventOf(changes), project: id }],
          result: nextVersion(project),
        };
  const common = {
    items: [projectKeys.project(id)],
    read,
    revisionOf: ({ project }: Awaited<ReturnType<typeof read>>) => project,
  };
  const changeAll = (step: Request) =>
    change<Awaited<ReturnType<typeof read>>, Versioned<void> | typeof tooLargeForTransaction>(step, caller, {
      ...common,
      decide: ({ project, pending }, at) =>
        takeFirst(pending, id).length < pending.length
          ? { ...noEffects, result: tooLargeForTransaction }
          : effectsOf(project, pending, at),
    });
  const changePart = async (step: Request) => {
    const decide = ({ project, pending }: Awaited<ReturnType<typeof read>>, at: string) =>
      effectsOf(project, takeFirst(pending, id), at);
    return (await change(step, caller, { ...common, decide })).version;
  };
  return runInParts(request, changeAll, changePart);
}

/** Returns the first changes, as many as fit into one transaction. */
function takeFirst(changes: readonly AccessChange[], project: string): readonly AccessChange[] {
  const sizeOf = (accessChange: AccessChange) => {
    const writes = buildWrites(accessChange, project, '');
    return { count: writes.length, bytes: bytesOf(writes) };
  };
  return splitIntoBatches(changes.slice(0, roomForHolders.count), sizeOf, roomForHolders)[0] ?? [];
}

function buildWrites({ wanted, ...holder }: AccessChange, project: string, at: string): readonly Write[] {
  const { projectRoles } = holder.before.value;
  const index = projectRoles.findIndex((roles) => roles.project === project);
  const before = projectRoles[index];
  const after = wanted.length === 0 ? [] : [{ project, roles: wanted, addedAt: before?.addedAt ?? at }];
  const next = before === undefined ? [...projectRoles, ...after] : projectRoles.toSpliced(index, 1, ...after);
  return holder.kind === 'users'
    ? buildAccountUpdate(holder.before, { ...holder.before.value, projectRoles: next }).writes
    : groups.buildUpdateEffects(holder.before, { ...holder.before.value, projectRoles: next }).writes;
}

function rolesBefore({ before }: Holder, project: string): readonly number[] {
  return findProjectRoles(before.value, project)?.roles ?? [];
}

function isSameSet(roles: readonly number[], others: readonly number[]): boolean {
  return roles.length === others.length && roles.every((role) => others.includes(role));
}

/** Groups users and groups by role, as in events. */
function groupByRole(holders: readonly (Holder & { readonly roles: readonly number[] })[]) {
  const roles = [...new Set(holders.flatMap((holder) => holder.roles))];
  const idsWith = (kind: Kind, role: number) =>
    holders.flatMap((holder) => (holder.kind === kind && holder.roles.includes(role) ? [holder.before.value.id] : []));
  return roles.map((roleId) => ({ roleId, groupIds: idsWith('groups', roleId), userIds: idsWith('users', roleId) }));
}

async function loadHolders(
  request: Request,
  ids: { readonly users: readonly number[]; readonly groups: readonly number[] },
): Promise<Holder[]> {
  const [accounts, memberships] = await Promise.all([
    loadAccounts(request, ids.users),
    groups.findSomeVersioned(request, ids.groups),
  ]);
  requireAll(ids, { users: accounts, groups: memberships });
  return [
    ...[...accounts.values()].map((before) => ({ kind: 'users' as const, before })),
    ...[...memberships.values()].map((before) => ({ kind: 'groups' as const, before })),
  ];
}

/** @throws ApiError 404 for an unknown user or group. */
async function loadHolder(request: Request, kind: Kind, id: number): Promise<Holder> {
  if (kind === 'groups') return { kind, before: await groups.load(request, id) };
  const before = (await loadAccounts(request, [id])).get(id);
  if (before === undefined) throw notFound('user', id);
  return { kind, before };
}

/** @throws ApiError 400 with all unknown users and groups. */
function requireAll(
  ids: Readonly<Record<Kind, readonly number[]>>,
  existing: Readonly<Record<Kind, ReadonlyMap<number, unknown>>>,
): void {
  const problems = (['users', 'groups'] as const).flatMap((kind) =>
    ids[kind]
      .filter((id) => !existing[kind].has(id))
      .map((id): ErrorDetail => ({ message: `There is no ${kind.slice(0, -1)} with the id ${id}.`, path: kind })),
  );
  if (problems.length > 0) throw invalidRequest(problems);
}
