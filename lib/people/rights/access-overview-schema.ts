import * as v from 'valibot';
import { boolean, id, idText, name, object, text, timestamp } from '../../values/primitives.ts';
import { permission, role } from '../roles/role-schema.ts';
import { account } from './access-schema.ts';

/** The access of a user. */
export const accessOverviewEntry = object({
  userId: id,
  userName: v.nullable(text),
  userEmail: text,
  createdAt: timestamp,
  lastSeen: v.nullable(timestamp),
  rootRole: text,
  accessibleProjects: v.array(name),
  groups: v.array(text),
});
export type AccessOverview = v.InferOutput<typeof accessOverviewEntry>;

const permissions = v.array(object({ ...permission.entries, hasPermission: boolean }));

/** All permissions, and whether a user has them. */
export const permissionOverview = object({
  overview: object({ root: permissions, project: permissions, environment: permissions }),
  user: account,
  rootRole: role,
  projectRoles: v.array(role),
});
export type PermissionOverview = v.InferOutput<typeof permissionOverview>;

/** The path of the account, and the place in the query. */
export const accountPath = object({ id: idText });
export const permissionPlace = object({ project: v.exactOptional(text), environment: v.exactOptional(text) });
export type PermissionPlace = v.InferOutput<typeof permissionPlace>;
