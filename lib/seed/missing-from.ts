import { addons } from '../addons/addons.ts';
import { contextFields, newContextField } from '../context-fields/context-fields.ts';
import type { Effects } from '../entity/change.ts';
import type { Entity } from '../entity/entity.ts';
import { countWrites } from '../environments/environment-counts.ts';
import { environments } from '../environments/environments.ts';
import type { ErrorDetail } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { environmentAdded } from '../projects/add-environment.ts';
import { environmentOf, type Project, projects, withEnvironment } from '../projects/projects.ts';
import { segments } from '../segments/segments.ts';
import { strategyTypes } from '../strategies/strategy-types.ts';
import type { Versioned } from '../table/versioned.ts';
import { itemProblems } from '../table/write.ts';
import { newTagType, tagTypes } from '../tags/tag-types.ts';
import { type Group, groups } from '../users/groups.ts';
import { type User, users } from '../users/users.ts';
import { addonIdentity } from './repeated-entries.ts';
import type { SeedData, SeedMember } from './seed-data.ts';
import type { Numbered, SeedState } from './seed-state.ts';

/** One thing that a seed adds to a store: written whole, with its events, or not at all. */
export interface Addition extends Effects {
  /** What it is, in words: "environment", "tag type". */
  readonly kind: string;
  readonly name: string;
}

/** Everything of a seed that a store lacks, in an order in which nothing refers to what comes after it. */
export interface Missing {
  readonly additions: readonly Addition[];
  /** What the store could not hold, by its place in the seed. */
  readonly problems: readonly ErrorDetail[];
}

/** The next id of what is numbered. */
export type NextId = (counter: Numbered) => number;

/**
 * What a store lacks of a seed. What is there stays as it is, even if the seed describes it otherwise, except that a
 * project receives the environments that it lacks.
 * @param at when all this happens.
 */
export function missingFrom(state: SeedState, data: SeedData, at: string, nextId: NextId): Missing {
  const problems: ErrorDetail[] = [];

  function additionsOf<Entry, T extends object, Id extends string | number>(
    member: SeedMember,
    entity: Entity<T, Id>,
    entries: readonly Entry[],
    isThere: (entry: Entry) => boolean,
    thingOf: (entry: Entry) => T,
    nameOf: (thing: T) => string,
    besides: (thing: T) => Effects['writes'] = () => [],
  ): Addition[] {
    return entries.flatMap((entry, index) => {
      if (isThere(entry)) return [];
      const thing = thingOf(entry);
      const { writes, events } = entity.created(thing, 'retry');
      problems.push(...itemProblems(writes).map(({ message }) => ({ message, path: `${member}.${index}` })));
      return [{ kind: entity.kind, name: nameOf(thing), writes: [...writes, ...besides(thing)], events }];
    });
  }

  let lastSortOrder = Math.max(
    0,
    ...[...data.environments, ...state.environments.values()].flatMap(({ sortOrder }) => sortOrder ?? []),
  );
  const allEnvironments = new Map(state.environments);
  const newEnvironments = additionsOf(
    'environments',
    environments,
    data.environments,
    ({ name }) => state.environments.has(name),
    (entry) => {
      if (entry.sortOrder === undefined) lastSortOrder += 1;
      const environment = { ...entry, sortOrder: entry.sortOrder ?? lastSortOrder };
      allEnvironments.set(environment.name, environment);
      return environment;
    },
    ({ name }) => name,
  );

  const grown = (project: Project, name: string): Project => {
    const environment = allEnvironments.get(name);
    if (environment === undefined) return project;
    const { type, sortOrder } = environment;
    return withEnvironment(project, { name, type, sortOrder, changeRequestsEnabled: false });
  };
  const newProjects = additionsOf(
    'projects',
    projects,
    data.projects,
    ({ id }) => state.projects.has(id),
    ({ id, name = id, description, defaultStickiness, environments: names }) => {
      const bare = { id, name, description: description ?? '', defaultStickiness, createdAt: at, environments: [] };
      return names.reduce<Project>(grown, bare);
    },
    ({ id }) => id,
    ({ environments: used }) => countsOf(used.map(({ name }) => name)),
  );
  const newProjectEnvironments = data.projects.flatMap(({ id, environments: names }) => {
    const existing = state.projects.get(id);
    const missing = existing ? names.filter((name) => environmentOf(existing.value, name) === undefined) : [];
    if (existing === undefined || missing.length === 0) return [];
    return [
      {
        kind: `environment of the project ${id}`,
        name: missing.join(', '),
        writes: [...projects.updated(existing, missing.reduce(grown, existing.value)).writes, ...countsOf(missing)],
        events: missing.map((name) => environmentAdded(id, name)),
      },
    ];
  });

  const newFields = additionsOf(
    'contextFields',
    contextFields,
    data.contextFields,
    ({ name }) => state.contextFields.has(name),
    (entry) => newContextField(entry, at),
    ({ name }) => name,
  );
  const newTagTypes = additionsOf(
    'tagTypes',
    tagTypes,
    data.tagTypes,
    ({ name }) => state.tagTypes.has(name),
    newTagType,
    ({ name }) => name,
  );
  const newStrategyTypes = additionsOf(
    'strategies',
    strategyTypes,
    data.strategies,
    ({ name }) => state.strategyTypes.has(name),
    ({ editable = true, deprecated = false, description, ...entry }) => ({
      ...entry,
      title: null,
      description: description ?? '',
      editable,
      deprecated,
    }),
    ({ name }) => name,
  );
  const newSegments = additionsOf(
    'segments',
    segments,
    data.segments,
    ({ name }) => state.segmentNames.has(name),
    ({ id = nextId('segment'), description, ...entry }) => ({
      ...entry,
      id,
      description: description ?? '',
      createdAt: at,
      createdBy: systemUser.name,
    }),
    ({ name }) => name,
  );

  // An addon whose id the seed gives is that one and cannot be taken for one that has none.
  const given = new Set(data.addons.map(({ id }) => id));
  const identities = new Set(state.addons.filter(({ id }) => !given.has(id)).map(addonIdentity));
  const newAddons = additionsOf(
    'addons',
    addons,
    data.addons,
    (entry) =>
      entry.id === undefined ? identities.has(addonIdentity(entry)) : state.addons.some(({ id }) => id === entry.id),
    ({ id = nextId('addon'), ...entry }) => ({ ...entry, id, createdAt: at }),
    ({ provider, id }) => `${provider} (id ${id})`,
  );

  const allUsers = new Map(state.users);
  const newUsers = additionsOf(
    'users',
    users,
    data.users,
    ({ username }) => state.users.has(username),
    ({ id: wanted = 0, username, name, email, rootRole }) => {
      // An id that the counter has given out may be somebody else's.
      const id = wanted > state.counters.user ? wanted : nextId('user');
      const user: User = {
        id,
        username,
        ...(name !== null && { name }),
        ...(email !== null && { email }),
        rootRole,
        createdAt: at,
        projectRoles: [],
        groups: [],
      };
      allUsers.set(username, { value: user, version: 1 });
      return user;
    },
    ({ username }) => username,
  );
  const newGroups = additionsOf(
    'groups',
    groups,
    data.groups,
    ({ name }) => state.groups.has(name),
    ({ name, description, rootRole, mappingsSSO, projects: used, users: members }) => ({
      id: nextId('group'),
      name,
      ...(description !== null && { description }),
      ...(rootRole !== null && { rootRole }),
      createdBy: systemUser.name,
      createdAt: at,
      mappingsSSO,
      projects: used,
      members: members
        .flatMap((username) => allUsers.get(username) ?? [])
        .map(({ value }) => ({ userId: value.id, joinedAt: at, createdBy: systemUser.name })),
    }),
    ({ name }) => name,
    (group) => joined(allUsers, group),
  );

  const additions = [
    ...newEnvironments,
    ...newProjects,
    ...newProjectEnvironments,
    ...newFields,
    ...newTagTypes,
    ...newStrategyTypes,
    ...newSegments,
    ...newAddons,
    ...newUsers,
    ...newGroups,
  ];
  return { additions, problems };
}

/** The members of a group know it; the next group finds them as they are by then. */
function joined(allUsers: Map<string, Versioned<User>>, { id, members }: Group): Effects['writes'] {
  const ids = new Set(members.map(({ userId }) => userId));
  return [...allUsers.values()]
    .filter(({ value }) => ids.has(value.id))
    .flatMap((before) => {
      const value = { ...before.value, groups: [...before.value.groups, id] };
      allUsers.set(value.username, { value, version: before.version + 1 });
      return users.updated(before, value).writes;
    });
}

/** That one more project uses these environments. */
function countsOf(names: readonly string[]): Effects['writes'] {
  return names.flatMap((name) => countWrites('projectCount', name, 1));
}
