import type { Members } from '../../people/accounts.ts';
import { projectRoles as builtIn } from '../../people/rights/permissions.ts';
import { signatureOf } from '../../people/users.ts';

/** Who owns a project: the users that are its Owners, or the service where there are none. */
export type ProjectOwner =
  | { readonly ownerType: 'system' }
  | { readonly ownerType: 'user'; readonly name: string; readonly email: string | null };

/** How many users have a role in a project, of their own or by a group. */
export function memberCount(members: Members, project: string): number {
  const direct = members.users.filter(({ projectRoles }) => projectRoles.some((each) => each.project === project));
  const byGroup = members.groups.filter(({ projectRoles }) => projectRoles.some((each) => each.project === project));
  return new Set([
    ...direct.map(({ id }) => id),
    ...byGroup.flatMap((group) => group.members.map(({ userId }) => userId)),
  ]).size;
}

export function ownersOf({ users: all }: Members, project: string): ProjectOwner[] {
  const owners = all.filter(({ projectRoles }) =>
    projectRoles.some((each) => each.project === project && each.roles.includes(builtIn.Owner)),
  );
  if (owners.length === 0) return [{ ownerType: 'system' }];
  return owners.map((user) => ({ ownerType: 'user', name: user.name ?? signatureOf(user), email: user.email ?? null }));
}
