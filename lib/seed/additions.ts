import type { AddonItem } from '../addons/addon.ts';
import { contextFieldItem } from '../context-fields/context-field.ts';
import type { EnvironmentItem } from '../environments/environment.ts';
import { systemUser } from '../events/actor.ts';
import { environmentOf, type Project, projectItem, withEnvironment } from '../projects/project.ts';
import type { SegmentItem, SegmentNameItem } from '../segments/segment.ts';
import type { StrategyTypeItem } from '../strategies/strategy-type.ts';
import { keys } from '../table/keys.ts';
import { tagTypeItem } from '../tags/tag-type.ts';
import { type Group, groupItem } from '../users/group.ts';
import type { User } from '../users/user.ts';
import { changedUserWrite, newUserWrites, userCreated } from '../users/user-changes.ts';
import type { Addition } from './addition.ts';
import { addonIdentity } from './repeated-entries.ts';
import type { SeedData } from './seed-data.ts';
import type { Numbered, SeedState } from './seed-state.ts';

/**
 * Everything of a seed that a store lacks, in an order in which nothing refers to what comes after it. What is there
 * stays as it is, even if the seed describes it otherwise.
 * @param at when all this happens.
 */
export function missingFrom(state: SeedState, data: SeedData, at: string): Addition[] {
  const environments = new Map(state.environments);
  const users = new Map(state.users);
  return [
    ...missingEnvironments(data, environments),
    ...missingProjects(state, data, environments, at),
    ...missingContextFields(state, data, at),
    ...missingTagTypes(state, data),
    ...missingStrategyTypes(state, data),
    ...missingSegments(state, data, at),
    ...missingAddons(state, data, at),
    ...missingUsers(state, data, users, at),
    ...missingGroups(state, data, users, at),
  ];
}

/** Adds to `environments`, so that projects find the new ones too. */
function missingEnvironments(data: SeedData, environments: Map<string, EnvironmentItem>): Addition[] {
  const given = data.environments.flatMap(({ sortOrder }) => sortOrder ?? []);
  let highest = Math.max(0, ...given, ...[...environments.values()].map(({ sortOrder }) => sortOrder));
  return missing(data.environments, ({ name }) => environments.has(name)).map(({ entry, index }) => {
    if (entry.sortOrder === undefined) highest += 1;
    const item: EnvironmentItem = { ...entry, sortOrder: entry.sortOrder ?? highest };
    environments.set(item.name, item);
    return {
      kind: 'environment',
      name: item.name,
      path: `environments.${index}`,
      writes: [{ put: keys.environment(item.name), item: { ...item }, when: 'absent' }],
      event: { type: 'environment-created', environment: item.name, data: { ...item } },
    };
  });
}

function missingProjects(
  state: SeedState,
  data: SeedData,
  environments: ReadonlyMap<string, EnvironmentItem>,
  at: string,
): Addition[] {
  return data.projects.flatMap((entry, index) => {
    const path = `projects.${index}`;
    const existing = state.projects.get(entry.id);
    if (existing !== undefined) return missingProjectEnvironments(existing, entry.environments, environments, path);
    const { id, name = id, description, defaultStickiness } = entry;
    const bare = {
      id,
      name,
      description: description ?? '',
      defaultStickiness,
      createdAt: at,
      environments: [],
      version: 1,
    };
    const project = entry.environments.reduce<Project>((grown, each) => grownBy(grown, each, environments), bare);
    const told = { id, name, description: bare.description, defaultStickiness, environments: entry.environments };
    const addition: Addition = {
      kind: 'project',
      name: id,
      path,
      writes: [{ put: keys.project(id), item: { ...projectItem(project) }, when: 'absent' }],
      event: { type: 'project-created', project: id, data: told },
      usedEnvironments: entry.environments,
    };
    return [addition];
  });
}

/** An addition for each environment, since each has an event of its own. */
function missingProjectEnvironments(
  existing: Project,
  names: readonly string[],
  environments: ReadonlyMap<string, EnvironmentItem>,
  path: string,
): Addition[] {
  let project = existing;
  return missing(names, (name) => environmentOf(existing, name) !== undefined).map(({ entry: environment, index }) => {
    const { version } = project;
    project = { ...grownBy(project, environment, environments), version: version + 1 };
    return {
      kind: `environment of the project ${project.id}`,
      name: environment,
      path: `${path}.environments.${index}`,
      writes: [{ put: keys.project(project.id), item: { ...projectItem(project) }, when: { version } }],
      event: { type: 'project-environment-added', project: project.id, environment },
      usedEnvironments: [environment],
    };
  });
}

function grownBy(project: Project, name: string, environments: ReadonlyMap<string, EnvironmentItem>): Project {
  const environment = environments.get(name);
  if (environment === undefined) return project;
  const { type, sortOrder } = environment;
  return withEnvironment(project, { name, type, sortOrder, changeRequestsEnabled: false });
}

function missingContextFields(state: SeedState, data: SeedData, at: string): Addition[] {
  return missing(data.contextFields, ({ name }) => state.contextFields.has(name)).map(({ entry, index }) => {
    const item = contextFieldItem(entry, at);
    const { name, description, stickiness, sortOrder } = item;
    return {
      kind: 'context field',
      name,
      path: `contextFields.${index}`,
      writes: [{ put: keys.contextField(name), item: { ...item }, when: 'absent' }],
      event: {
        type: 'context-field-created',
        data: { name, description, stickiness, sortOrder, legalValues: entry.legalValues ?? [] },
      },
    };
  });
}

function missingTagTypes(state: SeedState, data: SeedData): Addition[] {
  return missing(data.tagTypes, ({ name }) => state.tagTypes.has(name)).map(({ entry, index }) => {
    const item = tagTypeItem(entry);
    return {
      kind: 'tag type',
      name: item.name,
      path: `tagTypes.${index}`,
      writes: [{ put: keys.tagType(item.name), item: { ...item }, when: 'absent' }],
      event: { type: 'tag-type-created', data: { ...item } },
    };
  });
}

function missingStrategyTypes(state: SeedState, data: SeedData): Addition[] {
  return missing(data.strategies, ({ name }) => state.strategyTypes.has(name)).map(({ entry, index }) => {
    const { name, parameters, editable = true, deprecated = false } = entry;
    const fields = { name, description: entry.description ?? '', editable, deprecated };
    const item: StrategyTypeItem = { ...fields, parameters: JSON.stringify(parameters) };
    return {
      kind: 'strategy',
      name,
      path: `strategies.${index}`,
      writes: [{ put: keys.strategyType(name), item: { ...item }, when: 'absent' }],
      event: { type: 'strategy-created', data: { ...fields, parameters } },
    };
  });
}

function missingSegments(state: SeedState, data: SeedData, at: string): Addition[] {
  const entries = missing(data.segments, ({ name }) => state.segmentNames.has(name));
  const nextId = numbers(state, 'segment', entries);
  return entries.map(({ entry, index }) => {
    const { id = nextId(), name, project, constraints } = entry;
    const fields = { id, name, description: entry.description ?? '', project };
    const item: SegmentItem = { ...fields, createdAt: at, constraints: JSON.stringify(constraints) };
    const pointer: SegmentNameItem = { id, project };
    return {
      kind: 'segment',
      name,
      path: `segments.${index}`,
      writes: [
        { put: keys.segment(id), item: { ...item }, when: 'absent' },
        { put: keys.segmentName(name), item: { ...pointer }, when: 'absent' },
      ],
      event: { type: 'segment-created', ...(project !== null && { project }), data: { ...fields, constraints } },
      number: { counter: 'segment', value: id },
    };
  });
}

function missingAddons(state: SeedState, data: SeedData, at: string): Addition[] {
  const ids = new Set(state.addons.map(({ id }) => id));
  // An addon whose id the seed gives is that one and cannot be taken for one that has none.
  const given = new Set(data.addons.map(({ id }) => id));
  const identities = new Set(state.addons.filter(({ id }) => !given.has(id)).map(addonIdentity));
  const entries = missing(data.addons, (entry) =>
    entry.id === undefined ? identities.has(addonIdentity(entry)) : ids.has(entry.id),
  );
  const nextId = numbers(state, 'addon', entries);
  return entries.map(({ entry, index }) => {
    const { id = nextId(), provider, enabled, description, parameters, events, projects, environments } = entry;
    const fields = { id, provider, enabled, description, createdAt: at };
    const item: AddonItem = {
      ...fields,
      parameters: JSON.stringify(parameters),
      events: JSON.stringify(events),
      projects: JSON.stringify(projects),
      environments: JSON.stringify(environments),
    };
    return {
      kind: 'addon',
      name: `${provider} (id ${id})`,
      path: `addons.${index}`,
      writes: [{ put: keys.addon(id), item: { ...item }, when: 'absent' }],
      // The parameters may hold secrets.
      event: { type: 'addon-config-created', data: { ...fields, events, projects, environments } },
      number: { counter: 'addon', value: id },
    };
  });
}

/** Adds to `users`, so that groups find the new ones too. */
function missingUsers(state: SeedState, data: SeedData, users: Map<string, User>, at: string): Addition[] {
  // A number that the counter has given out may be somebody else's.
  const entries = missing(data.users, ({ username }) => users.has(username)).map(({ entry, index }) => ({
    entry: { ...entry, id: entry.id !== undefined && entry.id > state.counters.user ? entry.id : undefined },
    index,
  }));
  const nextId = numbers(state, 'user', entries);
  return entries.map(({ entry: { id = nextId(), username, name, email, rootRole }, index }) => {
    const user: User = {
      id,
      username,
      ...(name !== null && { name }),
      ...(email !== null && { email }),
      rootRole,
      createdAt: at,
      projectRoles: [],
      groups: [],
      version: 1,
    };
    users.set(username, user);
    return {
      kind: 'user',
      name: username,
      path: `users.${index}`,
      writes: newUserWrites(user),
      event: userCreated(user),
      number: { counter: 'user', value: id },
    };
  });
}

/** Changes `users` as it goes, so that who joins two groups is written twice, one version after the other. */
function missingGroups(state: SeedState, data: SeedData, users: Map<string, User>, at: string): Addition[] {
  const entries = missing(data.groups, ({ name }) => state.groups.has(name));
  const nextId = numbers(state, 'group', []);
  return entries.map(({ entry, index }) => {
    const id = nextId();
    const { name, description, rootRole, mappingsSSO, projects } = entry;
    const members = entry.users.flatMap((username) => users.get(username) ?? []);
    const group: Group = {
      id,
      name,
      ...(description !== null && { description }),
      ...(rootRole !== null && { rootRole }),
      createdBy: systemUser.name,
      createdAt: at,
      mappingsSSO,
      projects,
      members: members.map((user) => ({ userId: user.id, joinedAt: at, createdBy: systemUser.name })),
    };
    const joined = members.map((user) => {
      const next: User = { ...user, groups: [...user.groups, id], version: user.version + 1 };
      users.set(user.username, next);
      return changedUserWrite(user, next);
    });
    return {
      kind: 'group',
      name,
      path: `groups.${index}`,
      writes: [
        { put: keys.group(id), item: { ...groupItem(group) }, when: 'absent' },
        { put: keys.groupName(name), item: { id }, when: 'absent' },
        ...joined,
      ],
      event: {
        type: 'group-created',
        data: { id, name, description, rootRole, mappingsSSO, projects, users: entry.users },
      },
      number: { counter: 'group', value: id },
    };
  });
}

/** The entries that are not there yet, with their places in the seed. */
function missing<T>(entries: readonly T[], isThere: (entry: T) => boolean): { entry: T; index: number }[] {
  return entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => !isThere(entry));
}

/** Gives out numbers above all that the counter has given out and all that the entries bring along. */
function numbers(
  { counters }: SeedState,
  counter: Numbered,
  entries: readonly { readonly entry: { readonly id?: number | undefined } }[],
): () => number {
  let last = Math.max(counters[counter], ...entries.map(({ entry }) => entry.id ?? 0));
  return () => {
    last += 1;
    return last;
  };
}
