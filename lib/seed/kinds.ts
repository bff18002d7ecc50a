import * as v from 'valibot';
import { type Addon, addons } from '../addons/addons.ts';
import { contextFields, newContextField } from '../context-fields/context-fields.ts';
import type { Effects } from '../entity/change.ts';
import type { Entity } from '../entity/entity.ts';
import { countWrites } from '../environments/environment-counts.ts';
import { type Environment, environments, lastPlace, newEnvironment } from '../environments/environments.ts';
import { systemUser } from '../events/actor.ts';
import {
  environmentAdded,
  environmentOf,
  newProject,
  type Project,
  projects,
  withEnvironment,
} from '../projects/projects.ts';
import { importedContextField } from '../schemas/context-field.ts';
import { duplicates } from '../schemas/duplicates.ts';
import { boolean, id, integer, name, nonEmptyText, object, record, text } from '../schemas/primitives.ts';
import { segmentInput } from '../schemas/segment.ts';
import { parameterInput, parameterType, strategyTypeInput } from '../schemas/strategy-type.ts';
import { tagTypeInput } from '../schemas/tag.ts';
import { segmentContent, segments } from '../segments/segments.ts';
import { newStrategyType, strategyTypes } from '../strategies/strategy-types.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { Write } from '../table/write.ts';
import { newTagType, tagTypes } from '../tags/tag-types.ts';
import { type Group, groups } from '../users/groups.ts';
import { rootRoles } from '../users/permissions.ts';
import { rootRole, username } from '../users/user-fields.ts';
import { newUser, type User, users } from '../users/users.ts';

/** The members of a seed file, in an order in which nothing refers to what comes after it. */
export const members = [
  'environments',
  'projects',
  'contextFields',
  'tagTypes',
  'strategies',
  'segments',
  'addons',
  'users',
  'groups',
] as const;
export type Member = (typeof members)[number];

/** Things by their names, and by their ids where these are numbers. */
type ByName<T extends object = object> = ReadonlyMap<string | number, Versioned<T>>;

/** What there is when it is an entry's turn: what the store holds, and what the seed adds before. */
export interface Known extends Readonly<Record<Member, ByName>> {
  readonly environments: ByName<Environment>;
  readonly users: ByName<User>;
}

/** What an entry is made with. */
interface Making {
  readonly at: string;
  /** The id that the entry gives, else a new one. */
  readonly id: number;
  readonly known: Known;
}

/** One thing that a seed adds to a store: written whole, with its events, or not at all. */
export interface Addition extends Effects, Added {}

/** What a seed has added: its kind in words ("environment", "tag type") and its name. */
export interface Added {
  readonly kind: string;
  readonly name: string;
}

/** A kind of entry: all that it takes to see that one is missing, and to create it. */
export interface Kind<Entry = Readonly<Record<string, unknown>>, T extends object = object> {
  readonly schema: v.GenericSchema<unknown, Entry>;
  readonly entity: Pick<Entity<T, never>, 'kind' | 'counter' | 'listVersioned' | 'created'>;
  /** What an entry and the thing that it describes have in common. */
  nameOf(one: Entry | T, isIdGiven: boolean): string;
  /** What no two entries may have in common: properties, or something in other words. */
  readonly distinct: Readonly<Record<string, (entry: Entry) => unknown>>;
  /** The properties that name other things, and what these are. */
  readonly refersTo?: Readonly<Record<string, Member>>;
  /** What stands for all things that a property could name. */
  readonly wildcard?: string;
  /** Finds those of the names that exist, where not all things can be listed. */
  find?(table: Table, names: readonly string[]): Promise<Versioned<T>[]>;
  make(entry: Entry, making: Making): T;
  /** What creating it writes besides. */
  besides?(thing: T, known: Known): readonly Write[];
  /** What one that exists receives of an entry. */
  growth?(thing: Versioned<T>, entry: Entry, known: Known): readonly Addition[];
}

/** Ids that a file gives leave room for the many that are counted on from them. */
const givenId = v.exactOptional(v.pipe(id, v.maxValue(2_147_483_647)));
/** A group and all its members are written at once, and a transaction takes 100 items. */
const membersMax = 90;
const parameter = object({ ...parameterInput.entries, type: v.optional(parameterType, 'string') });
const label = v.pipe(nonEmptyText, v.maxLength(100));
const nullable = v.optional(v.nullable(text), null);

/** A list in which nothing stands twice; empty where it is left out. */
function set<const TSchema extends v.GenericSchema<string, string>>(entry: TSchema) {
  const twice = v.rawCheck<string[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const repeated of duplicates(dataset.value)) addIssue({ message: `"${repeated}" is listed twice.` });
  });
  return v.optional(v.pipe(v.array(entry), twice), () => []);
}

function kind<TSchema extends v.GenericSchema, T extends object>(
  definition: { readonly schema: TSchema } & Kind<v.InferOutput<TSchema>, T>,
): Kind {
  // The types of a kind matter within its definition; those who go through all kinds cannot tell them apart.
  return definition as unknown as Kind;
}

const byName = ({ name }: { readonly name: string }) => name;
const named = { nameOf: byName, distinct: { name: byName } };

export const kinds: Readonly<Record<Member, Kind>> = {
  environments: kind({
    schema: object({
      name,
      type: v.optional(label, 'development'),
      enabled: v.optional(boolean, true),
      protected: v.optional(boolean, false),
      sortOrder: v.exactOptional(integer),
    }),
    entity: environments,
    ...named,
    make: ({ sortOrder, ...entry }, { known }) => {
      const others = [...known.environments.values()].map(({ value }) => value);
      return newEnvironment({ ...entry, sortOrder: sortOrder ?? lastPlace(others) });
    },
  }),

  projects: kind({
    schema: object({
      id: name,
      name: v.exactOptional(nonEmptyText),
      description: nullable,
      defaultStickiness: v.optional(nonEmptyText, 'default'),
      environments: set(name),
    }),
    entity: projects,
    nameOf: ({ id }) => id,
    distinct: { id: ({ id }) => id },
    refersTo: { environments: 'environments' },
    find: async (table, names) => [...(await projects.someVersioned(table, names)).values()],
    make: ({ environments, description, ...entry }, { at, known }) =>
      withEnvironments(
        { ...newProject, name: entry.id, ...entry, description: description ?? '', createdAt: at },
        environments,
        known,
      ),
    besides: ({ environments }) => countsOf(environments.map(byName)),
    growth: (project, { id, environments }, known) => {
      const missing = environments.filter((name) => environmentOf(project.value, name) === undefined);
      if (missing.length === 0) return [];
      const { writes } = projects.updated(project, withEnvironments(project.value, missing, known));
      return [
        {
          kind: `environment of the project ${id}`,
          name: missing.join(', '),
          writes: [...writes, ...countsOf(missing)],
          events: missing.map((name) => environmentAdded(id, name)),
        },
      ];
    },
  }),

  contextFields: kind({
    schema: importedContextField,
    entity: contextFields,
    ...named,
    make: (entry, { at }) => newContextField(entry, at),
  }),

  tagTypes: kind({
    schema: tagTypeInput,
    entity: tagTypes,
    ...named,
    make: newTagType,
  }),

  strategies: kind({
    schema: object({
      ...strategyTypeInput.entries,
      parameters: v.optional(v.array(parameter), () => []),
      deprecated: v.optional(boolean, false),
    }),
    entity: strategyTypes,
    ...named,
    make: ({ deprecated, ...entry }) => ({ ...newStrategyType(entry), deprecated }),
  }),

  segments: kind({
    schema: object({
      ...segmentInput.entries,
      id: givenId,
      constraints: v.optional(segmentInput.entries.constraints, () => []),
    }),
    entity: segments,
    nameOf: byName,
    distinct: { id: ({ id }) => id, name: byName },
    refersTo: { project: 'projects' },
    make: (entry, { at, id }) => ({ ...segmentContent(entry), id, createdAt: at, createdBy: systemUser.name }),
  }),

  addons: kind({
    schema: object({
      id: givenId,
      provider: label,
      enabled: v.optional(boolean, true),
      description: nullable,
      parameters: v.optional(record(v.unknown()), () => ({})),
      events: set(nonEmptyText),
      projects: set(name),
      environments: set(name),
    }),
    entity: addons,
    nameOf: ({ id, provider, description }, isIdGiven) =>
      isIdGiven ? `${provider} (id ${id})` : describedAs({ provider, description }),
    distinct: {
      id: ({ id }) => id,
      'provider and description, and no id': (addon) => (addon.id === undefined ? describedAs(addon) : undefined),
    },
    refersTo: { projects: 'projects', environments: 'environments' },
    wildcard: '*',
    make: (entry, { at, id }) => ({ ...entry, id, createdAt: at }),
  }),

  users: kind({
    schema: object({
      username,
      name: nullable,
      email: v.optional(v.nullable(v.pipe(text, v.email())), null),
      rootRole: v.optional(rootRole, rootRoles.Viewer),
    }),
    entity: users,
    nameOf: ({ username = '' }) => username,
    distinct: { username: ({ username }) => username, email: ({ email }) => email },
    make: ({ username, name, email, rootRole }, { at, id }) => ({
      ...newUser(id, username, at),
      ...(name !== null && { name }),
      ...(email !== null && { email }),
      rootRole,
    }),
  }),

  groups: kind({
    schema: object({
      name: label,
      description: nullable,
      rootRole: v.optional(v.nullable(rootRole), null),
      mappingsSSO: set(nonEmptyText),
      users: v.pipe(set(username), v.maxLength(membersMax, `A group has at most ${membersMax} members.`)),
      projects: set(name),
    }),
    entity: groups,
    ...named,
    refersTo: { users: 'users', projects: 'projects' },
    make: ({ description, rootRole, users: usernames, projects, ...entry }, { at, id, known }): Group => ({
      ...entry,
      projectRoles: projects.map((project) => ({ project, roles: [], addedAt: at })),
      id,
      ...(description !== null && { description }),
      ...(rootRole !== null && { rootRole }),
      createdBy: systemUser.name,
      createdAt: at,
      members: usernames
        .flatMap((username) => known.users.get(username) ?? [])
        .map(({ value }) => ({ userId: value.id, joinedAt: at, createdBy: systemUser.name })),
    }),
    // The members of a group know it.
    besides: ({ id, members }: Group, known) =>
      members
        .flatMap(({ userId }) => known.users.get(userId) ?? [])
        .flatMap((user) => users.updated(user, { ...user.value, groups: [...user.value.groups, id] }).writes),
  }),
};

/** Identifies addons without an id, so that a second run finds them. */
function describedAs({ provider, description }: Pick<Addon, 'provider' | 'description'>): string {
  return JSON.stringify([provider, description]);
}

function withEnvironments(project: Project, names: readonly string[], known: Known): Project {
  return names
    .flatMap((name) => known.environments.get(name)?.value ?? [])
    .map(({ name, type, sortOrder }) => ({ name, type, sortOrder, changeRequestsEnabled: false }))
    .reduce(withEnvironment, project);
}

/** That one more project uses these environments. */
function countsOf(names: readonly string[]): Write[] {
  return names.flatMap((name) => countWrites('projectCount', name, 1));
}
