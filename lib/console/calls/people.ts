import type { GroupInput, ListedGroup, ShownGroup } from '../../people/groups/group-schema.ts';
import type { AccessOverview, PermissionOverview } from '../../people/rights/access-overview-schema.ts';
import type { ShownAccount, UserGroup } from '../../people/rights/access-schema.ts';
import type { PermissionInput, Role, RoleAccess, ShownPermission } from '../../people/roles/role-schema.ts';
import type { ShownUser } from '../../people/user-schema.ts';
import type { LoginEvent, SignupToken } from '../../sign-in/sign-in-schema.ts';
import { change, read } from '../data/declare-call.ts';

export interface PersonBody {
  readonly name?: string;
  readonly email?: string;
  readonly rootRole: number;
}
interface CreatedPerson {
  readonly id: number;
  readonly inviteLink?: string;
  readonly emailSent?: boolean;
}
const users = '/api/admin/user-admin';
export const getUsers = read<{
  readonly users: readonly (ShownUser & { readonly inviteLink: string })[];
  readonly rootRoles: readonly Role[];
}>()('getUsers', users);
export const getUser = read<ShownUser>()('getUser', `${users}/{id}`);
export const createUser = change<CreatedPerson, PersonBody & { readonly username?: string }>()(
  'createUser',
  'POST',
  users,
);
export const updateUser = change<unknown, PersonBody>()('updateUser', 'PUT', `${users}/{id}`);
export const deleteUser = change()('deleteUser', 'DELETE', `${users}/{id}`);
export const deleteScimUsers = change()('deleteScimUsers', 'DELETE', `${users}/scim-users`);
export const resetUserPassword = change<{ readonly resetPasswordUrl: string }, { readonly id: string }>()(
  'resetUserPassword',
  'POST',
  `${users}/reset-password`,
);
export const getUserPermissions = read<PermissionOverview>()('getUserPermissions', `${users}/{id}/permissions`);
/** Everybody who can have rights, with the fields that every reader may see. */
export const getBaseUsersAndGroups = read<{
  readonly users: readonly ShownAccount[];
  readonly groups: readonly UserGroup[];
}>()('getBaseUsersAndGroups', `${users}/access`);
export const getAccessOverview = read<{ readonly overview: readonly AccessOverview[] }>()(
  'getAccessOverview',
  '/api/admin/access/overview',
);
export const getLogins = read<{ readonly events: readonly LoginEvent[] }>()('getLogins', '/api/admin/logins');

const waiting = '/api/admin/user-access-requests';
export const getUserAccessRequests = read<{
  readonly userAccessRequests: readonly { readonly id: number; readonly email: string; readonly requestedAt: string }[];
}>()('getUserAccessRequests', waiting);
export const approveUserAccessRequest = change<unknown, { readonly rootRole: number }>()(
  'approveUserAccessRequest',
  'POST',
  `${waiting}/{id}/approve`,
);
export const rejectUserAccessRequest = change()('rejectUserAccessRequest', 'DELETE', `${waiting}/{id}`);

const invitations = '/api/admin/invite-link/tokens';
export const getAllPublicSignupTokens = read<{ readonly tokens: readonly SignupToken[] }>()(
  'getAllPublicSignupTokens',
  invitations,
);
export const createPublicSignupToken = change<SignupToken, { readonly name: string; readonly expiresAt: string }>()(
  'createPublicSignupToken',
  'POST',
  invitations,
);
export const updatePublicSignupToken = change<unknown, { readonly enabled: boolean }>()(
  'updatePublicSignupToken',
  'PUT',
  `${invitations}/{token}`,
);

const groups = '/api/admin/groups';
export const getGroups = read<{ readonly groups: readonly ListedGroup[] }>()('getGroups', groups);
export const getGroup = read<ShownGroup>()('getGroup', `${groups}/{id}`);
export const createGroup = change<ShownGroup, GroupInput>()('createGroup', 'POST', groups);
export const updateGroup = change<unknown, GroupInput>()('updateGroup', 'PUT', `${groups}/{id}`);
export const deleteGroup = change()('deleteGroup', 'DELETE', `${groups}/{id}`);
export const deleteScimGroups = change()('deleteScimGroups', 'DELETE', `${groups}/scim-groups`);

export interface RoleBody {
  readonly name: string;
  readonly description: string;
  readonly type: 'root-custom' | 'custom';
  readonly permissions: readonly PermissionInput[];
}
/** All permissions, by the places in which they hold. */
export interface PermissionList {
  readonly root: readonly ShownPermission[];
  readonly project: readonly ShownPermission[];
  readonly environments: readonly { readonly name: string; readonly permissions: readonly ShownPermission[] }[];
}
export type RoleWithPermissions = Role & { readonly permissions: readonly ShownPermission[] };
const roles = '/api/admin/roles';
export const getPermissions = read<{ readonly permissions: PermissionList }>()(
  'getPermissions',
  '/api/admin/permissions',
);
export const getRoles = read<{ readonly roles: readonly Role[] }>()('getRoles', roles);
export const getRoleById = read<RoleWithPermissions>()('getRoleById', `${roles}/{id}`);
export const createRole = change<unknown, RoleBody>()('createRole', 'POST', roles);
export const updateRole = change<unknown, RoleBody>()('updateRole', 'PUT', `${roles}/{id}`);
export const deleteRole = change()('deleteRole', 'DELETE', `${roles}/{id}`);
export const getRoleProjectAccess = read<{ readonly projects: readonly RoleAccess[] }>()(
  'getRoleProjectAccess',
  '/api/admin/projects/roles/{id}/access',
);
