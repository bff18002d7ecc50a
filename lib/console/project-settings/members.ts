import type { ShownProjectAccess } from '../../people/rights/project-access-schema.ts';
import { accountNamesOf, personNameOf } from '../words/people.ts';

/** Somebody with roles in a project: a person, a service account or a group. */
export interface Member {
  readonly kind: 'person' | 'account' | 'group';
  readonly id: number;
  readonly name: string;
  /** The names of the account, or the number of members of a group. */
  readonly more: string;
  readonly roles: readonly number[];
  readonly addedAt: string;
}

/** Lists the members of a project: people first, then groups and service accounts, each by name. */
export function listMembers({ users, groups }: Pick<ShownProjectAccess, 'users' | 'groups'>): Member[] {
  const order = { person: 0, group: 1, account: 2 };
  const all: Member[] = [
    ...users.map((user) => ({
      ...{ kind: user.accountType === 'User' ? ('person' as const) : ('account' as const), id: user.id },
      ...{ name: personNameOf(user), more: accountNamesOf(user), roles: user.roles, addedAt: user.addedAt },
    })),
    ...groups.map(({ id, name, userCount, roles, addedAt }) => ({
      ...{ kind: 'group' as const, id, name, roles, addedAt },
      more: userCount === 1 ? 'A group of one' : `A group of ${userCount}`,
    })),
  ];
  return all.toSorted((a, b) => order[a.kind] - order[b.kind] || a.name.localeCompare(b.name));
}
