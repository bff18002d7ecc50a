import { type Addon, addons } from '../addons/addons.ts';
import { contextFields } from '../context-fields/context-fields.ts';
import type { Pointer } from '../entity/entity.ts';
import { type Environment, environments } from '../environments/environments.ts';
import { type Project, projects } from '../projects/projects.ts';
import { type Segment, segments } from '../segments/segments.ts';
import { strategyTypes } from '../strategies/strategy-types.ts';
import { readCounter } from '../table/counter.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { tagTypes } from '../tags/tag-types.ts';
import { groups } from '../users/groups.ts';
import { type User, users } from '../users/users.ts';
import type { SeedData } from './seed-data.ts';

/** What has ids from a counter. */
const numbered = ['user', 'group', 'segment', 'addon'] as const;
export type Numbered = (typeof numbered)[number];

/** What the store holds of all that a seed names. */
export interface SeedState {
  /** The highest id that each counter has given out. */
  readonly counters: Readonly<Record<Numbered, number>>;
  readonly environments: ReadonlyMap<string, Environment>;
  readonly projects: ReadonlyMap<string, Versioned<Project>>;
  readonly contextFields: ReadonlyMap<string, unknown>;
  readonly tagTypes: ReadonlyMap<string, unknown>;
  readonly strategyTypes: ReadonlyMap<string, unknown>;
  readonly segmentNames: ReadonlyMap<string, Pointer<number>>;
  /** The segments that bear an id which the seed gives. */
  readonly segments: ReadonlyMap<number, Segment>;
  readonly addons: readonly Addon[];
  readonly users: ReadonlyMap<string, Versioned<User>>;
  readonly groups: ReadonlyMap<string, unknown>;
}

const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);
const usernames = ({ users, groups }: SeedData) => [
  ...users.map(({ username }) => username),
  ...groups.flatMap((group) => group.users),
];
const projectIds = ({ projects, segments, groups, addons }: SeedData) => [
  ...projects.map(({ id }) => id),
  ...segments.flatMap(({ project }) => project ?? []),
  ...[...groups, ...addons].flatMap((entry) => entry.projects),
];

/** Reads, consistently, what the store holds of a seed; it waits as often for a large seed as for a small one. */
export async function readSeedState(table: Table, data: SeedData): Promise<SeedState> {
  // The counters come first: what is numbered after that is above them.
  const counters = await Promise.all(numbered.map(async (name) => [name, await readCounter(table, name)]));
  const givenIds = data.segments.flatMap(({ id }) => id ?? []);
  const [allEnvironments, ...found] = await Promise.all([
    environments.list(table),
    projects.someVersioned(table, projectIds(data)),
    contextFields.some(table, names(data.contextFields)),
    tagTypes.some(table, names(data.tagTypes)),
    strategyTypes.some(table, names(data.strategies)),
    segments.bearers(table, 'name', names(data.segments)),
    segments.some(table, givenIds),
    data.addons.length > 0 ? addons.list(table) : [],
    readUsers(table, usernames(data)),
    groups.bearers(table, 'name', names(data.groups)),
  ]);
  const [projectsFound, fields, types, strategies, segmentNames, segmentsFound, addonsFound, usersFound, groupNames] =
    found;
  return {
    counters: Object.fromEntries(counters),
    environments: new Map(allEnvironments.map((environment) => [environment.name, environment])),
    projects: projectsFound,
    contextFields: fields,
    tagTypes: types,
    strategyTypes: strategies,
    segmentNames,
    segments: segmentsFound,
    addons: addonsFound,
    users: usersFound,
    groups: groupNames,
  };
}

async function readUsers(table: Table, wanted: readonly string[]): Promise<Map<string, Versioned<User>>> {
  const pointers = await users.bearers(table, 'username', wanted);
  const found = await users.someVersioned(
    table,
    [...pointers.values()].map(({ id }) => id),
  );
  return new Map([...found.values()].map((user) => [user.value.username, user]));
}
