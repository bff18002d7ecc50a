import * as v from 'valibot';
import {
  acceptScalars,
  count,
  id,
  idText,
  integer,
  name,
  nonEmptyText,
  object,
  text,
  textOfLength,
  titleOfLength,
} from '../../values/primitives.ts';

/** A role in lists. */
export const role = object({
  id: integer,
  name: text,
  type: v.picklist(['root', 'project', 'root-custom', 'custom']),
  description: text,
  project: v.exactOptional(text),
});
export type Role = v.InferOutput<typeof role>;

/** A permission of a role in requests, by name or id. */
const permissionInput = v.pipe(
  object({
    name: v.exactOptional(nonEmptyText),
    id: v.exactOptional(id),
    environment: v.exactOptional(v.nullable(text)),
  }),
  v.check(({ name, id: number }) => name !== undefined || number !== undefined, 'A name or an id is required.'),
);
export type PermissionInput = v.InferOutput<typeof permissionInput>;

export const roleName = titleOfLength(100);

/** A custom role in requests. Of type `root-custom` it holds everywhere, of type `custom` in a project. */
export const roleInput = object({
  name: roleName,
  description: v.exactOptional(v.nullable(acceptScalars(textOfLength(0, 1_000)))),
  type: v.exactOptional(v.picklist(['root-custom', 'custom'])),
  permissions: v.exactOptional(v.pipe(v.array(permissionInput), v.maxLength(1_000))),
});
export type RoleInput = v.InferOutput<typeof roleInput>;

/** An existing role in requests; its name may be older than the rule for names. */
export const roleUpdate = object({ ...roleInput.entries, name: textOfLength(1, 100) });

export const permission = object({
  id,
  name: text,
  displayName: text,
  type: v.picklist(['root', 'project', 'environment']),
  environment: v.exactOptional(text),
});
export type ShownPermission = v.InferOutput<typeof permission>;

export const roleWithPermissions = object({ ...role.entries, permissions: v.array(permission) });

/** The path of a role. */
export const rolePath = object({ id: idText });

/** The numbers of holders of a role in a project. */
export const roleAccess = object({
  project: name,
  role: id,
  userCount: count,
  serviceAccountCount: count,
  groupCount: count,
});
export type RoleAccess = v.InferOutput<typeof roleAccess>;
