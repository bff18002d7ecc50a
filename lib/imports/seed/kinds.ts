import * as v from 'valibot';
import { bannerInput } from '../../banners/banner-schema.ts';
import { banners, newBanner } from '../../banners/banners.ts';
import { importedContextField } from '../../context-fields/context-field-schema.ts';
import { contextFields, newContextField } from '../../context-fields/context-fields.ts';
import { collectLegalValues } from '../../context-fields/legal-values.ts';
import type { Effects } from '../../entity/effects.ts';
import type { Entity } from '../../entity/entity.ts';
import { environmentInput } from '../../environments/environment-schema.ts';
import { bySortOrder, environments, newEnvironment, sortOrderAfter } from '../../environments/environments.ts';
import type { ErrorDetail } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { rootRoles } from '../../identity/permissions.ts';
import { newUser, serviceAccounts, users } from '../../identity/users.ts';
import { findAddonProblems } from '../../integrations/addon-parameters.ts';
import type { Addon } from '../../integrations/addon-schema.ts';
import { addons } from '../../integrations/addons.ts';
import { groupInput } from '../../people/groups/group-schema.ts';
import { emailAddress, rootRole, username } from '../../people/user-fields.ts';
import { buildProjectEnvironment } from '../../projects/approval.ts';
import { loadLedger } from '../../projects/ledger.ts';
import { projectId, projectInput } from '../../projects/project-schema.ts';
import {
  loadAllProjects,
  newProject,
  type ProjectEnvironment,
  projectEnvironmentOf,
  projects,
} from '../../projects/projects.ts';
import {
  buildEnvironmentAddition,
  buildNewProjectWrites,
  reopenEnvironments,
} from '../../provisioning/add-environment.ts';
import { completeEnvironmentDeletion } from '../../provisioning/delete-environment.ts';
import { completeProjectDeletion } from '../../provisioning/delete-project.ts';
import { buildNoRemovalCheck } from '../../provisioning/removal.ts';
import { releaseTemplateInput } from '../../release-plans/template-input-schema.ts';
import { findTemplateProblems } from '../../release-plans/template-references.ts';
import { buildReleaseTemplate, idsOfParts, releaseTemplates } from '../../release-plans/templates.ts';
import type { Request } from '../../request.ts';
import { countExpressionSteps } from '../../segments/expression-limit.ts';
import { segmentInput } from '../../segments/segment-input-schema.ts';
import { buildSegmentContent, segments } from '../../segments/segments.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { parameterInput, parameterType, strategyTypeInput } from '../../strategy-types/strategy-type-schema.ts';
import { newStrategyType, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { tagTypeInput } from '../../tags/tag-schema.ts';
import { newTagType, tagTypes } from '../../tags/tags.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../../values/expression-steps.ts';
import { uniqueBy } from '../../values/lists.ts';
import { boolean, id, lenientText, name, nonEmptyText, object, record, text } from '../../values/primitives.ts';

/** The things that exist before an entry is added: those in the store, and those that earlier entries add. */
export class KnownThings {
  readonly #byKind = new Map<string, Map<string, Versioned<object>>>();

  /** Returns the things of a kind by name. */
  of<T extends object>({ kind }: Pick<Entity<T, never>, 'kind' | 'uniqueValuesOf'>): Map<string, Versioned<T>> {
    const things = this.#byKind.get(kind) ?? new Map();
    this.#byKind.set(kind, things);
    return things;
  }
}

/** Context in which a thing is made from an entry. */
interface Making {
  readonly at: string;
  /** The id that the entry gives, or a new one. */
  readonly id: number;
  readonly things: KnownThings;
}

/** One thing that a seed adds to a store: written whole, with its events, or not at all. */
export interface Addition extends Effects, Added {
  /** Completes the interrupted removal of an earlier thing of the same name, and returns further writes. */
  readonly buildExtraWrites?: ((request: Request) => Promise<readonly Write[]>) | undefined;
}

/** A thing that a seed added: its kind in words ("environment", "tag type") and its name. */
export interface Added {
  readonly kind: string;
  readonly name: string;
}

/** The access to an entity that a seed needs. */
type Access<T extends object> = Pick<
  Entity<T, never>,
  'kind' | 'counter' | 'max' | 'listVersioned' | 'uniqueValuesOf' | 'buildCreationEffects'
>;

/** A kind of entry. Its entity knows its name in words, ids, limit and unique values; a kind declares the rest. */
export interface Kind<Entry = Readonly<Record<string, unknown>>, T extends object = object> {
  readonly schema: v.GenericSchema<unknown, Entry>;
  readonly entity: Access<T>;
  make(entry: Entry, making: Making): T;
  /** Lists the mistakes of an entry for a new thing that its schema does not know, with paths in the entry. */
  problemsOf?(entry: Entry, things: KnownThings): readonly ErrorDetail[];
  /** Returns the name that identifies an entry and the thing that it describes; by default its `name`. */
  nameOf?(entryOrThing: Entry | T, isIdGiven: boolean): string;
  /** The properties that name other things, with the entities of these. */
  readonly refersTo?: Readonly<Record<string, Access<object>>>;
  /** The entities of further things that `problemsOf` looks up. */
  readonly looksUp?: readonly Access<object>[];
  /** A name that refers to everything. A kind with a wildcard may name things that are deleted later. */
  readonly wildcard?: string;
  /** Another kind that shares its unique values with this one. */
  readonly rivals?: Pick<Access<object>, 'listVersioned' | 'uniqueValuesOf'>;
  /** Returns an entry with the defaults of a new thing. */
  withDefaults?(entry: Entry, things: KnownThings): Entry;
  /** Returns the further writes of its creation, once the deletion of an earlier thing of the same name is complete. */
  buildExtraWrites?(request: Request, thing: T, entry: Entry, things: KnownThings): Promise<readonly Write[]>;
  /** Returns the additions of an entry to an existing thing. */
  additionsTo?(thing: Versioned<T>, entry: Entry, things: KnownThings): readonly Addition[];
}

/** Ids of a file are limited, so that the counter has room to continue after them. */
const givenId = v.exactOptional(v.pipe(id, v.maxValue(2_147_483_647)));
/** A group and its members are written in one transaction, which takes 100 items. */
const membersMax = 90;
const parameter = object({ ...parameterInput.entries, type: v.optional(parameterType, 'string') });
const nullable = v.optional(v.nullable(text), null);

/** A list without duplicates. */
function distinct<const TSchema extends v.GenericSchema<string, string>>(entry: TSchema) {
  return v.pipe(
    v.array(entry),
    uniqueBy(
      (text) => text,
      (repeated) => `"${repeated}" is listed twice.`,
    ),
  );
}

/** A list without duplicates; empty if omitted. */
function set<const TSchema extends v.GenericSchema<string, string>>(entry: TSchema) {
  return v.optional(distinct(entry), () => []);
}

function kind<TSchema extends v.GenericSchema, T extends object>(
  definition: { readonly schema: TSchema } & Kind<v.InferOutput<TSchema>, T>,
): Kind {
  // The types of a kind matter only within its definition.
  return definition as unknown as Kind;
}

/** The kinds by the member of a seed file that lists them. A kind refers only to kinds before it. */
export const kinds: Readonly<Record<string, Kind>> = {
  environments: kind({
    schema: object({
      ...environmentInput.entries,
      type: v.optional(environmentInput.entries.type, 'development'),
      protected: v.exactOptional(boolean),
    }),
    entity: environments,
    make: ({ sortOrder, ...entry }, { things }) => {
      const others = [...things.of(environments).values()].map(({ value }) => value);
      return newEnvironment({ ...entry, sortOrder: sortOrder ?? sortOrderAfter(others) });
    },
    buildExtraWrites: async (request, { name }) => {
      await completeEnvironmentDeletion(request, systemUser, name);
      return [buildNoRemovalCheck('environment', name)];
    },
  }),

  projects: kind({
    schema: object({
      ...v.pick(projectInput, ['description', 'mode', 'defaultStickiness', 'featureLimit']).entries,
      id: projectId,
      name: v.exactOptional(projectInput.entries.name),
      /** The environments of the project; a new project gets all enabled ones by default, as by the API. */
      environments: v.exactOptional(distinct(name)),
    }),
    // Each project is in a partition of its own.
    entity: { ...projects, listVersioned: loadAllProjects },
    nameOf: ({ id }) => id,
    refersTo: { environments },
    withDefaults: (entry, things) => ({
      environments: [...things.of(environments).values()].flatMap(({ value }) => (value.enabled ? [value.name] : [])),
      ...entry,
    }),
    make: ({ environments = [], description, ...entry }, { at, things }) => ({
      ...newProject,
      name: entry.id,
      ...entry,
      description: description ?? '',
      createdAt: at,
      environments: copiesOf(environments, things).toSorted(bySortOrder),
    }),
    buildExtraWrites: async (request, project) => {
      await completeProjectDeletion(request, systemUser, project.id);
      return buildNewProjectWrites(project, await loadLedger(request, project.id));
    },
    additionsTo: (project, { id, environments = [] }, things) => {
      const missing = environments.filter((name) => projectEnvironmentOf(project.value, name) === undefined);
      if (missing.length === 0) return [];
      const buildExtraWrites = (request: Request) => reopenEnvironments(request, systemUser, id, missing);
      const effects = buildEnvironmentAddition(project, copiesOf(missing, things));
      return [{ kind: `environment of the project ${id}`, name: missing.join(', '), ...effects, buildExtraWrites }];
    },
  }),

  contextFields: kind({
    schema: importedContextField,
    entity: contextFields,
    make: (entry, { at }) => newContextField(entry, at),
  }),

  tagTypes: kind({
    schema: tagTypeInput,
    entity: tagTypes,
    make: newTagType,
  }),

  strategies: kind({
    schema: object({
      ...strategyTypeInput.entries,
      parameters: v.optional(v.array(parameter), () => []),
      deprecated: v.optional(boolean, false),
    }),
    entity: strategyTypes,
    make: ({ deprecated, ...entry }) => ({ ...newStrategyType(entry), deprecated }),
  }),

  segments: kind({
    schema: object({
      ...segmentInput.entries,
      id: givenId,
      constraints: v.optional(
        v.pipe(
          segmentInput.entries.constraints,
          v.check(
            (constraints) => countExpressionSteps([{ constraints }]) <= expressionStepsMax,
            ({ input }) => tooManyStepsMessage('a segment', countExpressionSteps([{ constraints: input }])),
          ),
        ),
        () => [],
      ),
    }),
    entity: segments,
    refersTo: { project: projects },
    make: (entry, { at, id }) => ({ ...buildSegmentContent(entry), id, createdAt: at, createdBy: systemUser.name }),
  }),

  addons: kind({
    schema: object({
      id: givenId,
      provider: nonEmptyText,
      enabled: v.optional(boolean, true),
      description: v.optional(v.nullable(lenientText), null),
      parameters: v.optional(record(v.unknown()), () => ({})),
      events: set(nonEmptyText),
      projects: set(name),
      environments: set(name),
    }),
    entity: addons,
    nameOf: ({ id, provider, description }, isIdGiven) =>
      isIdGiven ? `${provider} (id ${id})` : describedAs({ provider, description }),
    refersTo: { projects, environments },
    wildcard: '*',
    // A disabled integration may lack secrets, which somebody enters later.
    problemsOf: ({ description, ...entry }) =>
      entry.enabled ? findAddonProblems({ ...entry, description: description ?? '' }) : [],
    make: (entry, { at, id }) => ({ ...entry, id, createdAt: at, ...(entry.enabled && { enabledAt: at }) }),
  }),

  releaseTemplates: kind({
    schema: object({ ...releaseTemplateInput.entries, id: v.exactOptional(name) }),
    entity: releaseTemplates,
    refersTo: { project: projects },
    looksUp: [segments, strategyTypes, contextFields],
    problemsOf: (entry, things) => {
      const fields = [...things.of(contextFields)].map(([field, { value }]) => [field, value] as const);
      return findTemplateProblems(entry.project ?? null, entry, {
        types: things.of(strategyTypes),
        segments: [...things.of(segments).values()].map(({ value }) => value),
        legalValues: collectLegalValues(new Map(fields)),
      });
    },
    make: ({ id, ...entry }, { at }) =>
      buildReleaseTemplate(entry, { id, createdByUserId: systemUser.id, createdAt: at }, idsOfParts(entry)),
  }),

  banners: kind({
    schema: bannerInput,
    entity: banners,
    nameOf: ({ message }) => message,
    make: (entry, { at, id }) => newBanner(entry, id, at),
  }),

  users: kind({
    schema: v.pipe(
      object({
        username: v.optional(v.nullable(username), null),
        name: nullable,
        email: v.optional(v.nullable(emailAddress), null),
        rootRole: v.optional(rootRole, rootRoles.Viewer),
      }),
      v.forward(
        v.check(({ username, email }) => (username ?? email) !== null, 'A user name or an e-mail address is required.'),
        ['username'],
      ),
    ),
    entity: users,
    rivals: serviceAccounts,
    nameOf: ({ username, email }) => username ?? email ?? '',
    make: ({ username, name, email, rootRole }, { at, id }) => ({
      ...newUser(id, username ?? undefined, at),
      ...(name !== null && { name }),
      ...(email !== null && { email }),
      rootRole,
    }),
  }),

  groups: kind({
    schema: object({
      ...v.pick(groupInput, ['name', 'description']).entries,
      rootRole: v.optional(v.nullable(rootRole), null),
      mappingsSSO: set(nonEmptyText),
      users: v.pipe(set(username), v.maxLength(membersMax, `A group has at most ${membersMax} members.`)),
      projects: set(name),
    }),
    entity: groups,
    refersTo: { users, projects },
    make: ({ description = null, rootRole, users: usernames, projects, ...entry }, { at, id, things }): Group => ({
      ...entry,
      projectRoles: projects.map((project) => ({ project, roles: [], addedAt: at })),
      id,
      ...(description !== null && { description }),
      ...(rootRole !== null && { rootRole }),
      createdBy: systemUser.name,
      createdAt: at,
      members: usernames
        .flatMap((username) => things.of(users).get(username) ?? [])
        .map(({ value }) => ({ userId: value.id, joinedAt: at, createdBy: systemUser.name })),
    }),
    // The members of a group know it.
    buildExtraWrites: async (_table, { id }: Group, { users: usernames }, things) =>
      usernames
        .flatMap((username) => things.of(users).get(username) ?? [])
        .flatMap(
          (user) => users.buildUpdateEffects(user, { ...user.value, groups: [...user.value.groups, id] }).writes,
        ),
  }),
};

/** Returns the name of an addon without an id, under which a second run finds it. */
function describedAs({ provider, description }: Pick<Addon, 'provider' | 'description'>): string {
  return JSON.stringify([provider, description]);
}

/** Builds the copies of environments that a project keeps. */
function copiesOf(names: readonly string[], things: KnownThings): ProjectEnvironment[] {
  const named = names.flatMap((name) => things.of(environments).get(name)?.value ?? []);
  return named.map((environment) => buildProjectEnvironment(environment, undefined));
}
