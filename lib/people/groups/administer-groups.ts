import { allInOrder } from '../../entity/all-in-order.ts';
import { change, type Decision } from '../../entity/change.ts';
import { nameTaken } from '../../entity/entity.ts';
import { rename } from '../../entity/rename.ts';
import { type Effects, noEffects, together } from '../../entity/step.ts';
import { inParts, tooMuch } from '../../entity/steps.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { type Account, buildAccountUpdate, loadAccounts, loadMembers } from '../../identity/accounts.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { buildPartialRoleRemoval } from '../../identity/roles.ts';
import { type Request, withoutReceipt } from '../../request.ts';
import * as keys from '../../store/keys.ts';
import { raiseCounter } from '../../store/transactions/transact.ts';
import { type Versioned, versionAfter } from '../../store/transactions/versioned.ts';
import { accountWithSignIn, memberViews, projectsOf } from '../access-list.ts';
import { requireRoles } from '../roles/require-roles.ts';
import { type GroupInput, groupName, type ShownGroup } from './group-schema.ts';

/** Number of members added or removed per transaction, which writes an item for each and takes 100. */
const membersAtOnce = 40;

/** Lists all groups, with their members. */
export async function listGroups(request: Request): Promise<ShownGroup[]> {
  const { users, serviceAccounts, groups: all } = await loadMembers(request);
  const known = new Map([...users, ...serviceAccounts].map((account) => [account.id, account]));
  return all.map((group) => groupView(request, group, known));
}

/** @throws ApiError 404 for an unknown group. */
export async function findGroup(request: Request, id: number): Promise<Versioned<ShownGroup>> {
  const { before, accounts } = await loadForMembers(request, id, undefined);
  return { value: groupView(request, before.value, valuesOf(accounts)), version: before.version, shown: true };
}

const valuesOf = (accounts: ReadonlyMap<number, Versioned<Account>>) =>
  new Map([...accounts].map(([id, { value }]) => [id, value]));

export function groupView(request: Request, group: Group, known: ReadonlyMap<number, Account>): ShownGroup {
  const { id, name, description = null, mappingsSSO, rootRole = null, createdBy, createdAt } = group;
  const users = memberViews(group, known, accountWithSignIn);
  return {
    ...{ id, name, description, mappingsSSO: [...mappingsSSO], rootRole, createdBy, createdAt, users },
    projects: projectsOf(request, group),
    userCount: users.length,
    scimId: null,
  };
}

/**
 * Creates a group. Of many members the last ones are added in further transactions; cut off between these, the group is
 * there with some of them, and the next creation under its name completes it.
 * @throws ApiError 409 for a name in use; 400 with all users that do not exist, and for what is no root role.
 */
export async function createGroup(request: Request, actor: Actor, input: GroupInput): Promise<Versioned<ShownGroup>> {
  const isWhole = (wantedMembers(input) ?? []).length <= membersAtOnce;
  let id: number;
  try {
    const begun = await beginGroup(isWhole ? request : withoutReceipt(request), actor, input, isWhole);
    if (isWhole) return begun;
    ({ id } = begun.value);
  } catch (error) {
    id = await unfinishedGroup(request, input, error);
  }
  const all = { description: null, rootRole: null, mappingsSSO: [], users: [], ...input };
  return updateGroup(request, actor, id, all, ({ isUnfinished }) => {
    // Of two creations that go on with it, the first one to complete it has created it.
    if (!isUnfinished) throw nameTaken('group', 'name', input.name);
  });
}

/** Creates a group with as many of its members as one transaction takes. */
function beginGroup(request: Request, actor: Actor, input: GroupInput, isWhole: boolean) {
  const wanted = wantedMembers(input) ?? [];
  const first = wanted.slice(0, membersAtOnce);
  return change(request, actor, {
    of: [],
    likelyEvents: 1 + first.length,
    read: () =>
      allInOrder([
        raiseCounter(request, keys.counter('group'), 1),
        loadWanted(request, wanted),
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
      const content = { ...withContent(empty, input), ...(!isWhole && { isUnfinished: true as const }) };
      const group = withMembers(content, { added: first, removed: [] }, actor, at);
      const created = groups.created(group, at);
      return {
        ...together([created, memberEffects(group, { added: first, removed: [], accounts })]),
        result: { value: groupView(request, group, valuesOf(accounts)), version: created.version },
      };
    },
  });
}

/** @throws the error why it could not be created, unless a creation under its name was cut off. */
async function unfinishedGroup(request: Request, { name }: GroupInput, error: unknown): Promise<number> {
  if (!(error instanceof ApiError && error.name === 'NameExistsError')) throw error;
  const [bearer] = (await groups.bearers(request, 'name', [name])).values();
  const group = bearer && (await groups.find(request, bearer.id));
  if (!group?.value.isUnfinished) throw error;
  return group.value.id;
}

/**
 * Changes a group; what is left out stays, and `users` replaces all members. Of many changes among them, the first ones
 * are made in transactions of their own; cut off between these and sent again, it completes.
 * @param assertAsExpected throws for a group that is not to be changed.
 * @throws ApiError 404 for an unknown group; 409 for a name in use; 400 with all users that do not exist, and for what
 * is no root role; 412 by `If-Match`.
 */
export function updateGroup(
  request: Request,
  actor: Actor,
  id: number,
  input: GroupInput,
  assertAsExpected: (group: Group) => void = () => {},
): Promise<Versioned<ShownGroup>> {
  const wanted = wantedMembers(input);
  const load = async () => {
    const [found] = await allInOrder([
      loadForMembers(request, id, wanted),
      loadWanted(request, wanted ?? []),
      requireRootRole(request, input),
    ]);
    assertAsExpected(found.before.value);
    return found;
  };
  return changeMembers(request, actor, id, load, (found, at) => {
    const group = withMembers(withContent(found.before.value, input), found, actor, at);
    const effects = together([groups.updated(found.before, group), memberEffects(group, found)]);
    const { version } = versionAfter(found.before, effects);
    return { ...effects, result: { value: groupView(request, group, valuesOf(found.accounts)), version } };
  });
}

/**
 * Deletes a group: its members lose the rights that they had by it.
 * @throws ApiError 404 for an unknown group; 412 by `If-Match`.
 */
export async function deleteGroup(request: Request, actor: Actor, id: number): Promise<void> {
  const load = async () => {
    const found = await loadForMembers(request, id, []);
    return { ...found, lessened: buildPartialRoleRemoval(groups, found.before) };
  };
  await changeMembers(request, actor, id, load, (found) => {
    const { writes } = memberEffects(found.before.value, found);
    return { ...together([groups.removed(found.before), { writes, events: [] }]), result: undefined };
  });
}

/** Applies an input to a group; omitted properties stay, and null removes them. */
function withContent({ description, rootRole, isUnfinished: _, ...group }: Group, input: GroupInput): Group {
  const next = {
    description: input.description === undefined ? description : (input.description ?? undefined),
    rootRole: input.rootRole === undefined ? rootRole : (input.rootRole ?? undefined),
  };
  return {
    ...group,
    name: rename(group.name, input.name, groupName),
    mappingsSSO: input.mappingsSSO ?? group.mappingsSSO,
    ...(next.description !== undefined && { description: next.description }),
    ...(next.rootRole !== undefined && { rootRole: next.rootRole }),
  };
}

function wantedMembers({ users }: GroupInput): number[] | undefined {
  return users && [...new Set(users.map(({ user }) => user.id))];
}

async function requireRootRole(request: Request, { rootRole }: GroupInput): Promise<void> {
  if (rootRole != null) await requireRoles(request, 'root', [{ id: rootRole, path: 'rootRole' }]);
}

/** @throws ApiError 400 with all that do not exist. */
async function loadWanted(request: Request, wanted: readonly number[]): Promise<Map<number, Versioned<Account>>> {
  const accounts = await loadAccounts(request, wanted);
  const problems = wanted
    .filter((id) => !accounts.has(id))
    .map((id): ErrorDetail => ({ message: `There is no user with the id ${id}.`, path: 'users' }));
  if (problems.length > 0) throw invalidRequest(problems);
  return accounts;
}

/** Group, and the changes among its members. */
interface MemberChange {
  readonly before: Versioned<Group>;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Removal of roles that do not fit into one transaction with the group. */
  readonly lessened?: Effects | undefined;
  /** All members, and those who are added. */
  readonly accounts: ReadonlyMap<number, Versioned<Account>>;
}

/**
 * Changes a group and its members, after as many transactions as it takes until no more members change than one holds.
 */
function changeMembers<Result>(
  request: Request,
  actor: Actor,
  id: number,
  load: () => Promise<MemberChange>,
  decide: (found: MemberChange, at: string) => Decision<Result>,
): Promise<Result> {
  const changing = { of: [groups.keyOf(id)], read: load, revisionOf: ({ before }: MemberChange) => before };
  const whole = (ours: Request) =>
    change<MemberChange, Result | typeof tooMuch>(ours, actor, {
      ...changing,
      likelyEvents: 4,
      decide: (found, at) => {
        const isTooMuch = found.lessened !== undefined || found.added.length + found.removed.length > membersAtOnce;
        return isTooMuch ? { ...noEffects, result: tooMuch } : decide(found, at);
      },
    });
  const part = (ours: Request) =>
    change(ours, actor, {
      ...changing,
      likelyEvents: membersAtOnce + 1,
      decide: (found, at) => {
        if (found.lessened !== undefined) return { ...found.lessened, result: found.before.version + 1 };
        const removed = found.removed.slice(0, membersAtOnce);
        const some = { ...found, removed, added: found.added.slice(0, membersAtOnce - removed.length) };
        const group = withMembers(found.before.value, some, actor, at);
        return {
          ...together([groups.updated(found.before, group), memberEffects(group, some)]),
          result: found.before.version + 1,
        };
      },
    });
  return inParts(request, whole, part);
}

async function loadForMembers(request: Request, id: number, wanted: readonly number[] | undefined) {
  const before = await groups.load(request, id);
  const present = before.value.members.map(({ userId }) => userId);
  const added = (wanted ?? []).filter((each) => !present.includes(each));
  const removed = wanted === undefined ? [] : present.filter((each) => !wanted.includes(each));
  return { before, added, removed, accounts: await loadAccounts(request, [...present, ...added]) };
}

type Change = Pick<MemberChange, 'added' | 'removed'>;

function withMembers(group: Group, { added, removed }: Change, actor: Actor, at: string): Group {
  if (added.length + removed.length === 0) return group;
  const others = group.members.filter(({ userId }) => !removed.includes(userId));
  return {
    ...group,
    members: [...others, ...added.map((userId) => ({ userId, joinedAt: at, createdBy: actor.name }))],
  };
}

/** Members know their groups, which is what their rights follow from. */
function memberEffects({ id, name }: Group, { added, removed, accounts }: Omit<MemberChange, 'before'>): Effects {
  const writes = [...added, ...removed].flatMap((userId) => {
    const account = accounts.get(userId);
    if (account === undefined) return [];
    const others = account.value.groups.filter((each) => each !== id);
    return buildAccountUpdate(account, { ...account.value, groups: added.includes(userId) ? [...others, id] : others })
      .writes;
  });
  const data = (userId: number) => ({ groupId: id, groupName: name, userId });
  return {
    writes,
    events: [
      ...added.map((userId): NewEvent => ({ type: 'group-user-added', data: data(userId) })),
      ...removed.map((userId): NewEvent => ({ type: 'group-user-removed', preData: data(userId) })),
    ],
  };
}
