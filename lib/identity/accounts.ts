import type { Effects } from '../entity/effects.ts';
import { isHidden, type Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { type Group, groups } from './groups.ts';
import * as peopleKeys from './keys.ts';
import { type ServiceAccount, serviceAccounts, type User, users } from './users.ts';

/** A person or a program with rights. No two of them share an id. */
export type Account = User | ServiceAccount;

export function isServiceAccount(account: Account): account is ServiceAccount {
  return 'accountType' in account;
}

/** The most ids that are read as both kinds at the same time: one request to the store has room for these items. */
const idsAtOnce = 50;

/** Loads accounts by id; unknown ids are left out. Of many, most are people, and only the others are read as service accounts. */
export async function loadAccounts(request: Request, ids: readonly number[]): Promise<Map<number, Versioned<Account>>> {
  const reading = users.findSomeVersioned(request, ids);
  const people = ids.length > idsAtOnce ? await reading : undefined;
  const [persons, programs] = await Promise.all([
    reading,
    serviceAccounts.findSomeVersioned(
      request,
      ids.filter((id) => !people?.has(id)),
    ),
  ]);
  return new Map<number, Versioned<Account>>([...persons, ...programs]);
}

/** Builds the writes and events that turn an account into `after`. */
export function buildAccountUpdate(before: Versioned<Account>, after: Account): Effects {
  return isServiceAccount(after)
    ? serviceAccounts.buildUpdateEffects(before as Versioned<ServiceAccount>, after)
    : users.buildUpdateEffects(before, after);
}

/** Everybody who can have rights. */
export interface Members {
  readonly users: readonly User[];
  readonly serviceAccounts: readonly ServiceAccount[];
  readonly groups: readonly Group[];
}

/** Loads all accounts and groups by their ids, with their versions, in one consistent read. */
export async function loadVersionedMembers(request: Request): Promise<{
  readonly users: ReadonlyMap<number, Versioned<Account>>;
  readonly groups: ReadonlyMap<number, Versioned<Group>>;
}> {
  const items = await queryAll<Key>(request, peopleKeys.access());
  const byId = <T extends { readonly id: number }>(all: readonly Versioned<T>[]) =>
    new Map(all.map((versioned) => [versioned.value.id, versioned]));
  const accounts: Versioned<Account>[] = [
    ...users.decodeVersionedAmong(request, items),
    ...serviceAccounts.decodeVersionedAmong(request, items),
  ];
  return { users: byId(accounts), groups: byId(groups.decodeVersionedAmong(request, items)) };
}

/** Loads all users, service accounts and groups, with their roles in projects that the caller sees, in one consistent read. */
export async function loadMembers(request: Request): Promise<Members> {
  const items = await queryAll<Key>(request, peopleKeys.access());
  const withVisibleProjects = <T extends Pick<Group, 'projectRoles'>>(holder: T): T => ({
    ...holder,
    projectRoles: holder.projectRoles.filter(({ project }) => !isHidden(request, project)),
  });
  return {
    users: users.decodeAmong(request, items).map(withVisibleProjects),
    serviceAccounts: serviceAccounts.decodeAmong(request, items).map(withVisibleProjects),
    groups: groups.decodeAmong(request, items).map(withVisibleProjects),
  };
}
