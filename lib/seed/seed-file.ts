import * as v from 'valibot';
import { segmentConstraints } from '../schemas/constraint.ts';
import { importedContextField } from '../schemas/context-field.ts';
import { duplicates } from '../schemas/duplicates.ts';
import { boolean, id, integer, name, nonEmptyText, object, record, text } from '../schemas/primitives.ts';
import { parameterType } from '../schemas/strategy-type.ts';
import { tagTypeInput } from '../schemas/tag.ts';
import { rootRoles } from '../users/permissions.ts';
import { rootRole, username } from '../users/user-fields.ts';

/** Ids that a file gives leave room for the many that are counted on from them. */
const givenId = v.pipe(id, v.maxValue(2_147_483_647));

/** A group and all its members are written at once, and a transaction takes 100 items. */
const membersMax = 90;

const label = v.pipe(nonEmptyText, v.maxLength(100));
const description = v.optional(v.nullable(text), null);

/** A list in which nothing stands twice. */
function distinct<const TSchema extends v.GenericSchema<string, string>>(entry: TSchema) {
  return v.pipe(
    v.array(entry),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const repeated of duplicates<string>(dataset.value)) addIssue({ message: `"${repeated}" is listed twice.` });
    }),
  );
}

const environment = object({
  name,
  type: v.optional(label, 'development'),
  enabled: v.optional(boolean, true),
  protected: v.optional(boolean, false),
  sortOrder: v.exactOptional(integer),
});

const project = object({
  id: name,
  name: v.exactOptional(nonEmptyText),
  description: v.optional(v.nullable(text), ''),
  defaultStickiness: v.optional(nonEmptyText, 'default'),
  environments: v.optional(distinct(name), () => []),
});

const strategyParameter = object({
  name: nonEmptyText,
  type: v.optional(parameterType, 'string'),
  description: v.optional(text, ''),
  required: v.optional(boolean, false),
});

const strategyType = object({
  name,
  description: v.optional(v.nullable(text), ''),
  parameters: v.optional(v.array(strategyParameter), () => []),
});

const segment = object({
  id: v.exactOptional(givenId),
  name: label,
  description: v.optional(v.nullable(text), ''),
  project: v.optional(v.nullable(name), null),
  constraints: v.optional(segmentConstraints, () => []),
});

const addon = object({
  id: v.exactOptional(givenId),
  provider: label,
  enabled: v.optional(boolean, true),
  description,
  parameters: v.optional(record(v.unknown()), () => ({})),
  events: v.optional(distinct(nonEmptyText), () => []),
  projects: v.optional(distinct(name), () => []),
  environments: v.optional(distinct(name), () => []),
});

const user = object({
  username,
  name: v.optional(v.nullable(text), null),
  email: v.optional(v.nullable(v.pipe(text, v.email())), null),
  rootRole: v.optional(rootRole, rootRoles.Viewer),
});

const group = object({
  name: label,
  description,
  rootRole: v.optional(v.nullable(rootRole), null),
  mappingsSSO: v.optional(distinct(nonEmptyText), () => []),
  users: v.optional(
    v.pipe(distinct(username), v.maxLength(membersMax, `A group has at most ${membersMax} members.`)),
    () => [],
  ),
  projects: v.optional(distinct(name), () => []),
});

/** The members of a seed file, each of them a list of entries. */
export const seedFile = object({
  environments: v.optional(v.array(environment), () => []),
  projects: v.optional(v.array(project), () => []),
  contextFields: v.optional(v.array(importedContextField), () => []),
  tagTypes: v.optional(v.array(tagTypeInput), () => []),
  strategies: v.optional(v.array(strategyType), () => []),
  segments: v.optional(v.array(segment), () => []),
  addons: v.optional(v.array(addon), () => []),
  users: v.optional(v.array(user), () => []),
  groups: v.optional(v.array(group), () => []),
});
export type SeedFile = v.InferOutput<typeof seedFile>;
