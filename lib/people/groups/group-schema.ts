import * as v from 'valibot';
import {
  acceptScalars,
  count,
  id,
  idText,
  name,
  nonEmptyText,
  object,
  text,
  textOfLength,
  timestamp,
  titleOfLength,
} from '../../values/primitives.ts';
import { groupMember } from '../rights/access-schema.ts';

export const groupName = titleOfLength(100);
/** The most members of a group. Its item has room for twice as many: each takes 8 to 15 bytes. */
export const groupMembersMax = 10_000;

/** A group in requests. */
export const groupInput = object({
  name: groupName,
  description: v.exactOptional(v.nullable(acceptScalars(textOfLength(0, 1_000)))),
  mappingsSSO: v.exactOptional(v.pipe(v.array(nonEmptyText), v.maxLength(100))),
  /** The root role that all members have; null for none. */
  rootRole: v.exactOptional(v.nullable(id)),
  users: v.exactOptional(v.pipe(v.array(object({ user: object({ id }) })), v.maxLength(groupMembersMax))),
});
export type GroupInput = v.InferOutput<typeof groupInput>;

/** An existing group in requests; its name may be older than the rule for names. */
export const groupUpdate = object({ ...groupInput.entries, name: textOfLength(1, 100) });

/** A group in replies. */
export const group = object({
  id,
  name: text,
  description: v.nullable(text),
  mappingsSSO: v.array(text),
  rootRole: v.nullable(id),
  createdBy: text,
  createdAt: timestamp,
  users: v.array(groupMember),
  projects: v.array(name),
  userCount: count,
  /** The id under which a directory manages the group by SCIM. */
  scimId: v.nullable(text),
});
export type ShownGroup = v.InferOutput<typeof group>;

/** A group in lists, which leave members out if they do not fit into a reply. */
export const listedGroup = object({ ...group.entries, users: v.exactOptional(group.entries.users) });
export type ListedGroup = v.InferOutput<typeof listedGroup>;

/** The path of a group. */
export const groupPath = object({ id: idText });
