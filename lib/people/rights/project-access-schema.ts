import * as v from 'valibot';
import { id, idText, object, text, timestamp } from '../../values/primitives.ts';
import { listedGroup } from '../groups/group-schema.ts';
import { role } from '../roles/role-schema.ts';
import { account } from './access-schema.ts';

const ids = v.pipe(v.array(id), v.maxLength(2_000));

/** Roles to add in a project. */
export const accessInput = object({ roles: ids, groups: ids, users: ids });
export type AccessInput = v.InferOutput<typeof accessInput>;

/** All roles in a project; others are removed. */
export const wholeAccessInput = object({
  roles: v.pipe(v.array(object({ id, groups: v.exactOptional(ids), users: v.exactOptional(ids) })), v.maxLength(500)),
});
export type WholeAccessInput = v.InferOutput<typeof wholeAccessInput>;

/** All roles of a user or group in a project; without any, they leave it. */
export const rolesInput = object({ roles: v.pipe(v.array(id), v.maxLength(100)) });

/** `roleId` is the first of the roles, for older clients. */
const roles = { addedAt: timestamp, roleId: v.exactOptional(id), roles: v.array(id) };

export const projectAccess = object({
  users: v.array(object({ ...account.entries, ...roles })),
  groups: v.array(object({ ...listedGroup.entries, ...roles })),
  roles: v.array(role),
});
export type ShownProjectAccess = v.InferOutput<typeof projectAccess>;

/** The path of the roles of a user or group in a project. */
export const userAccessPath = object({ projectId: text, userId: idText });
export const groupAccessPath = object({ projectId: text, groupId: idText });
