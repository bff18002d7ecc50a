import type { Role, ShownUser } from '../schemas/user.ts';
import { type ProjectRole, projectRoles, type RootRole, rootRoles } from './permissions.ts';
import type { User } from './users.ts';

/** What the roles are, for people. */
const roleDescriptions: Readonly<Record<RootRole | ProjectRole, string>> = {
  Admin: 'May do everything.',
  Editor: 'May change everything in all projects, and what projects share; not users, roles and settings.',
  Viewer: 'May read.',
  Owner: 'May change everything in the project, and the project itself.',
  Member: 'May change the features of the project.',
};

/** A user as administrators see them; what is not known of them is left out. */
export function userView({ id, name, username, email, createdAt, rootRole }: User): ShownUser {
  return {
    id,
    accountType: 'User',
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    // Nobody signs in yet.
    seenAt: null,
    loginAttempts: 0,
    createdAt,
    rootRole,
  };
}

export function rootRoleView(name: RootRole): Role {
  return { id: rootRoles[name], name, type: 'root', description: roleDescriptions[name] };
}

export function projectRoleView(name: ProjectRole, project: string): Role {
  return { id: projectRoles[name], name, type: 'project', description: roleDescriptions[name], project };
}

export const rootRoleViews: readonly Role[] = (Object.keys(rootRoles) as RootRole[]).map(rootRoleView);
