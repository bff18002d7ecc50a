import * as v from 'valibot';
import { boolean, id, idText, name, object, text, timestamp } from '../../values/primitives.ts';
import { permission, role } from '../roles/role-schema.ts';
import { account } from './access-schema.ts';

/** Access of a user. */
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

const decided = v.array(object({ ...permission.entries, hasPermission: boolean }));

/** Permissions of a user, each with whether they have it. */
export const permissionOverview = object({
  overview: object({ root: decided, project: decided, environment: decided }),
  user: account,
  rootRole: role,
  projectRoles: v.array(role),
});
export type PermissionOverview = v.InferOutput<typeof permissionOverview>;

/** Account whose permissions are asked for; the query names the place. */
export const accountPath = object({ id: idText });
export const permissionPlace = object({ project: v.exactOptional(text), environment: v.exactOptional(text) });
export type PermissionPlace = v.InferOutput<typeof permissionPlace>;
