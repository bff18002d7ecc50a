import type { AddonItem } from '../addons/addon.ts';
import type { EnvironmentItem } from '../environments/environment.ts';
import { type Project, type ProjectItem, projectFrom } from '../projects/project.ts';
import type { SegmentItem } from '../segments/segment.ts';
import { readCounter } from '../table/counter.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll, readItem, readItems } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type User, type UserItem, userFrom } from '../users/user.ts';
import type { SeedData } from './seed-data.ts';

/** What has ids of its own, given out by a counter. */
export const numbered = ['user', 'group', 'segment', 'addon'] as const;
export type Numbered = (typeof numbered)[number];
export type Counters = Readonly<Record<Numbered, number>>;

/** What the store holds of all that a seed names. */
export interface SeedState {
  readonly counters: Counters;
  readonly environments: ReadonlyMap<string, EnvironmentItem>;
  readonly projects: ReadonlyMap<string, Project>;
  readonly contextFields: ReadonlySet<string>;
  readonly tagTypes: ReadonlySet<string>;
  readonly strategyTypes: ReadonlySet<string>;
  readonly segmentNames: ReadonlySet<string>;
  /** The segments that bear an id which the seed gives. */
  readonly segments: ReadonlyMap<number, SegmentItem>;
  readonly addons: readonly AddonItem[];
  readonly users: ReadonlyMap<string, User>;
  readonly groups: ReadonlySet<string>;
}

/** Reads, consistently, what the store holds of a seed; it waits as often for a large seed as for a small one. */
export async function readSeedState(table: Table, data: SeedData): Promise<SeedState> {
  // The counters come first: see readCounter.
  const counters = await readCounters(table);
  const [
    environments,
    projects,
    contextFields,
    tagTypes,
    strategyTypes,
    segmentNames,
    segments,
    addons,
    users,
    groups,
  ] = await Promise.all([
    queryAll<EnvironmentItem>(table, { ...partitions.environments(), prefix: 'ENVIRONMENT#' }),
    readProjects(table, data),
    existing(table, namesOf(data.contextFields), keys.contextField),
    existing(table, namesOf(data.tagTypes), keys.tagType),
    existing(table, namesOf(data.strategies), keys.strategyType),
    existing(table, namesOf(data.segments), keys.segmentName),
    readItems<SegmentItem>(
      table,
      data.segments.flatMap(({ id }) => (id === undefined ? [] : [keys.segment(id)])),
    ),
    data.addons.length > 0 ? queryAll<AddonItem>(table, partitions.addons()) : [],
    readUsers(table, data),
    existing(table, namesOf(data.groups), keys.groupName),
  ]);
  return {
    counters,
    environments: new Map(environments.map((environment) => [environment.name, environment])),
    projects,
    contextFields,
    tagTypes,
    strategyTypes,
    segmentNames,
    segments: new Map(segments.flatMap((segment) => (segment ? [[segment.id, segment]] : []))),
    addons,
    users,
    groups,
  };
}

async function readCounters(table: Table): Promise<Counters> {
  const values = await Promise.all(numbered.map(async (name) => [name, await readCounter(table, name)] as const));
  return Object.fromEntries(values) as Record<Numbered, number>;
}

function namesOf(entries: readonly { readonly name: string }[]): string[] {
  return entries.map(({ name }) => name);
}

/** Those of the names under which the store holds something. */
async function existing(table: Table, names: readonly string[], keyOf: (name: string) => Key): Promise<Set<string>> {
  const items = await readItems(table, names.map(keyOf));
  return new Set(names.filter((_, index) => items[index] !== undefined));
}

async function readProjects(table: Table, data: SeedData): Promise<Map<string, Project>> {
  const ids = new Set([
    ...data.projects.map(({ id }) => id),
    ...data.segments.flatMap(({ project }) => project ?? []),
    ...[...data.groups, ...data.addons].flatMap(({ projects }) => projects),
  ]);
  const items = await readItems<ProjectItem>(table, [...ids].map(keys.project));
  return new Map(items.flatMap((item) => (item ? [[item.id, projectFrom(item)]] : [])));
}

async function readUsers(table: Table, data: SeedData): Promise<Map<string, User>> {
  const names = new Set([...data.users.map(({ username }) => username), ...data.groups.flatMap(({ users }) => users)]);
  const found = await Promise.all(
    [...names].map(async (name) => {
      const pointer = await readItem<{ id: number }>(table, keys.username(name));
      return pointer && readItem<UserItem>(table, keys.user(pointer.id));
    }),
  );
  return new Map(found.flatMap((item) => (item ? [[item.username, userFrom(item)]] : [])));
}
