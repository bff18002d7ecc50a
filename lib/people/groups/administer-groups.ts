import { change } from '../../entity/change.ts';
import { mergeEffects } from '../../entity/effects.ts';
import { acceptName, nameTakenError } from '../../entity/names.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { awaitInOrder } from '../../helpers/await-in-order.ts';
import { type Account, loadAccounts, loadMembers } from '../../identity/accounts.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { buildPartialRoleRemoval } from '../../identity/roles.ts';
import { type Request, withoutIdempotencyRecord } from '../../request.ts';
import * as keys from '../../store/keys.ts';
import { raiseCounter } from '../../store/transactions/transact.ts';
import { type Versioned, versionAfter } from '../../store/transactions/versioned.ts';
import { accountViewWithSignIn, memberViewsOf, visibleProjectsOf } from '../account-views.ts';
import { deleteManaged } from '../delete-managed.ts';
import { requireRoles } from '../roles/require-roles.ts';
import { loadScimLocks } from '../scim-locks.ts';
import { buildMemberEffects, changeMembers, type MemberChange, membersAtOnce, withMembers } from './change-members.ts';
import { type GroupInput, groupName, type ListedGroup, type ShownGroup } from './group-schema.ts';
import { viewGroups } from './groups-in-reply.ts';

/** Lists all groups, with their members unless they do not fit into a reply. */
export async function listGroups(request: Request): Promise<ListedGroup[]> {
  const { users, serviceAccounts, groups: all } = await loadMembers(request);
  const byId = new Map([...users, ...serviceAccounts].map((account) => [account.id, account]));
  return viewGroups(request, all, byId, (group, accounts) => groupViewOf(request, group, accounts));
}

/** @throws ApiError 404 for an unknown group. */
export async function loadGroup(request: Request, id: number): Promise<Versioned<ShownGroup>> {
  const before = await groups.load(request, id);
  const accounts = await loadAccounts(request, memberIdsOf(before.value));
  return { value: groupViewOf(request, before.value, valuesOf(accounts)), version: before.version, shown: true };
}

const valuesOf = (accounts: ReadonlyMap<number, Versioned<Account>>) =>
  new Map([...accounts].map(([id, { value }]) => [id, value]));

export function groupViewOf(request: Request, group: Group, accounts: ReadonlyMap<number, Account>): ShownGroup {
  const { id, name, description = null, mappingsSSO, rootRole = null, createdBy, createdAt, scimId = null } = group;
  const users = memberViewsOf(group, accounts, accountViewWithSignIn);
  return {
    ...{ id, name, description, mappingsSSO: [...mappingsSSO], rootRole, createdBy, createdAt, users },
    projects: visibleProjectsOf(request, group),
    userCount: users.length,
    scimId,
  };
}

/**
 * Creates a group. More than 40 members are added in several transactions. If the request is interrupted, the group has some of
 * them, and the next request with its name completes it.
 * @throws ApiError 409 for a name in use; 400 with all unknown users, and for an unknown root role.
 */
export async function createGroup(request: Request, actor: Actor, input: GroupInput): Promise<Versioned<ShownGroup>> {
  const fitsOneTransaction = (listWantedUserIds(input) ?? []).length <= membersAtOnce;
  let id: number;
  try {
    const created = await beginGroup(
      fitsOneTransaction ? request : withoutIdempotencyRecord(request),
      actor,
      input,
      fitsOneTransaction,
    );
    if (fitsOneTransaction) return created;
    ({ id } = created.value);
  } catch (error) {
    id = await requireUnfinishedGroup(request, input, error);
  }
  const all = { description: null, rootRole: null, mappingsSSO: [], users: [], ...input };
  return updateGroup(request, actor, id, all, async () => ({ before }) => {
    // If two requests complete the group, the first to finish has created it.
    if (!before.value.isUnfinished) throw nameTakenError('group', 'name', input.name);
  });
}

/** Creates a group with as many members as fit into one transaction. */
function beginGroup(request: Request, actor: Actor, input: GroupInput, fitsOneTransaction: boolean) {
  const members = listWantedUserIds(input) ?? [];
  const chunk = members.slice(0, membersAtOnce);
  return change(request, actor, {
    items: [],
    likelyEvents: 1 + chunk.length,
    read: () =>
      awaitInOrder([
        raiseCounter(request, keys.counter('group'), 1),
        loadNewMembers(request, members),
        requireRootRole(request, input),
      ]),
    revisionOf: () => undefined,
    decide: ([id, accounts], at) => {
      const empty: Group = {
        id,
        name: input.name,
        createdBy: actor.name,
        createdAt: at,
        mappingsSSO: [],
        projectRoles: [],
        members: [],
      };
      const content = { ...withContent(empty, input), ...(!fitsOneTransaction && { isUnfinished: true as const }) };
      const group = withMembers(content, { added: chunk, removed: [] }, actor, at);
      const created = groups.buildCreationEffects(group, at);
      return {
        ...mergeEffects([created, buildMemberEffects(group, { added: chunk, removed: [], accounts })]),
        result: { value: groupViewOf(request, group, valuesOf(accounts)), version: created.version },
      };
    },
  });
}

/**
 * Returns the id of a group whose creation was interrupted. One that a directory is creating is another group, of which the directory
 * chooses the members.
 * @throws the error of the creation if there is none.
 */
async function requireUnfinishedGroup(request: Request, { name }: GroupInput, error: unknown): Promise<number> {
  if (!(error instanceof ApiError && error.name === 'NameExistsError')) throw error;
  const [holder] = (await groups.findHolders(request, 'name', [name])).values();
  const group = holder && (await groups.find(request, holder.id));
  if (!group?.value.isUnfinished || group.value.scimId !== undefined) throw error;
  return group.value.id;
}

/**
 * Changes the given properties of a group; `users` replaces all members. More than 40 changes of members take several transactions.
 * If the request is interrupted and sent again, it completes.
 * @param loadCheck loads a function that throws for a change that must not be made.
 * @throws ApiError 404 for an unknown group; 409 for a name in use; 400 with all unknown users, and for an unknown root role; 412 if
 * `If-Match` does not match.
 */
export function updateGroup(
  request: Request,
  actor: Actor,
  id: number,
  input: GroupInput,
  loadCheck: () => Promise<(memberChange: MemberChange) => void> = async () => () => {},
): Promise<Versioned<ShownGroup>> {
  const wanted = listWantedUserIds(input);
  const accountReader = new AccountReader(request);
  const load = async () => {
    const [memberChange, assertMayChange] = await awaitInOrder([
      loadGroupChange(request, id, wanted, accountReader),
      loadCheck(),
      requireRootRole(request, input),
    ]);
    assertMayChange(memberChange);
    return memberChange;
  };
  return changeMembers(request, actor, id, load, (memberChange, at) => {
    const { before, accounts } = memberChange;
    const group = withMembers(withContent(before.value, input), memberChange, actor, at);
    const effects = mergeEffects([groups.buildUpdateEffects(before, group), buildMemberEffects(group, memberChange)]);
    const { version } = versionAfter(before, effects);
    return { ...effects, result: { value: groupViewOf(request, group, valuesOf(accounts)), version } };
  });
}

/**
 * Changes a group as `updateGroup` does, for somebody other than the directory that may manage it.
 * @throws ApiError 403 if the directory decides about what would change.
 */
export async function editGroup(
  request: Request,
  actor: Actor,
  id: number,
  input: GroupInput,
): Promise<Versioned<ShownGroup>> {
  return updateGroup(request, actor, id, input, async () => {
    const { assertMayUpdateGroup } = await loadScimLocks(request);
    return ({ before: { value: group }, added, removed, accounts }) => {
      const provisioned = new Set(group.members.flatMap((member) => (member.isProvisioned ? [member.userId] : [])));
      // Deleted members are not shown, so that readers leave them out. The directory does not know members whom others have added.
      const isLocked = (userId: number) => accounts.has(userId) && provisioned.has(userId);
      const areMembersKept = added.length === 0 && !removed.some(isLocked);
      assertMayUpdateGroup(group, { name: input.name === group.name, members: areMembersKept });
    };
  });
}

/**
 * Deletes a group. Its members lose its rights.
 * @throws ApiError 404 for an unknown group; 412 if `If-Match` does not match.
 */
export async function deleteGroup(request: Request, actor: Actor, id: number): Promise<void> {
  const accountReader = new AccountReader(request);
  const load = async () => {
    const memberChange = await loadGroupChange(request, id, [], accountReader);
    return { ...memberChange, partialRemoval: buildPartialRoleRemoval(groups, memberChange.before) };
  };
  await changeMembers(request, actor, id, load, (memberChange) => {
    const { writes } = buildMemberEffects(memberChange.before.value, memberChange);
    return {
      ...mergeEffects([groups.buildRemovalEffects(memberChange.before), { writes, events: [] }]),
      result: undefined,
    };
  });
}

/**
 * Deletes the groups that a directory manages.
 * @throws ApiError 503 if some remain, so that the same request goes on.
 */
export async function deleteManagedGroups(request: Request, actor: Actor): Promise<void> {
  const managed = (await groups.list(request)).filter(({ scimId }) => scimId !== undefined);
  await deleteManaged(request, actor, {
    ids: managed.map(({ id }) => id),
    remove: (step, id) => deleteGroup(step, actor, id),
    event: 'scim-groups-deleted',
  });
}

/** Applies an input to a group. Omitted properties stay, and null removes them. */
function withContent({ description, rootRole, isUnfinished: _, ...group }: Group, input: GroupInput): Group {
  const next = {
    description: input.description === undefined ? description : (input.description ?? undefined),
    rootRole: input.rootRole === undefined ? rootRole : (input.rootRole ?? undefined),
  };
  return {
    ...group,
    name: acceptName(group.name, input.name, groupName),
    mappingsSSO: input.mappingsSSO ?? group.mappingsSSO,
    ...(next.description !== undefined && { description: next.description }),
    ...(next.rootRole !== undefined && { rootRole: next.rootRole }),
  };
}

function listWantedUserIds({ users }: GroupInput): number[] | undefined {
  return users && [...new Set(users.map(({ user }) => user.id))];
}

function memberIdsOf({ members }: Group): number[] {
  return members.map(({ userId }) => userId);
}

async function requireRootRole(request: Request, { rootRole }: GroupInput): Promise<void> {
  if (rootRole != null) await requireRoles(request, 'root', [{ id: rootRole, path: 'rootRole' }]);
}

/** @throws ApiError 400 with all unknown users. */
async function loadNewMembers(request: Request, ids: readonly number[]): Promise<Map<number, Versioned<Account>>> {
  const accounts = await loadAccounts(request, ids);
  requireAll(ids, accounts);
  return accounts;
}

function requireAll(ids: readonly number[], accounts: ReadonlyMap<number, Versioned<Account>>): void {
  const problems = ids
    .filter((id) => !accounts.has(id))
    .map((id): ErrorDetail => ({ message: `There is no user with the id ${id}.`, path: 'users' }));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Reads the accounts of a change that takes several transactions. */
class AccountReader {
  readonly #request: Request;
  readonly #ids = new Set<number>();
  #known = new Map<number, Versioned<Account>>();

  constructor(request: Request) {
    this.#request = request;
  }

  /**
   * Loads accounts; unknown ids are left out.
   * @param next those that the next transaction changes, which are read each time. Others are read once.
   */
  async load(ids: Iterable<number>, next: readonly number[]): Promise<ReadonlyMap<number, Versioned<Account>>> {
    const read = new Set([...next, ...[...ids].filter((id) => !this.#ids.has(id))]);
    const accounts = await loadAccounts(this.#request, [...read]);
    this.#known = new Map([...[...this.#known].filter(([id]) => !read.has(id)), ...accounts]);
    for (const id of read) this.#ids.add(id);
    return this.#known;
  }
}

/**
 * Loads a group and the changes that give it the wanted members; by default it keeps its members.
 * @throws ApiError 400 with all unknown users among the wanted ones.
 */
async function loadGroupChange(
  request: Request,
  id: number,
  wanted: readonly number[] | undefined,
  accountReader: AccountReader,
) {
  const before = await groups.load(request, id);
  const present = new Set(memberIdsOf(before.value));
  const kept = new Set(wanted ?? present);
  const added = [...kept].filter((userId) => !present.has(userId));
  const removed = [...present].filter((userId) => !kept.has(userId));
  const next = [...removed.slice(0, membersAtOnce), ...added.slice(0, membersAtOnce)];
  const accounts = await accountReader.load([...present, ...added], next);
  requireAll(wanted ?? [], accounts);
  return { before, added, removed, accounts };
}
