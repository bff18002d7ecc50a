import { isName } from '../schemas/primitives.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { LostRace } from '../table/lost-race.ts';
import { queryAll, readItem } from '../table/read.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type FeatureEnvironmentItem, type FeatureItem, featureFrom, type StoredFeature } from './feature-items.ts';

type Stored = Key & Partial<FeatureItem & FeatureEnvironmentItem>;

/** A feature with all its environments and children, from one read of its partition. */
export async function loadFeature(table: Table, name: string): Promise<StoredFeature | undefined> {
  if (!isName(name)) return undefined;
  const items = await queryAll<Stored>(table, partitions.feature(name));
  const own = items.find(({ sk }) => sk === keys.feature(name).sk);
  if (own === undefined) return undefined;
  const stored = featureFrom(own as FeatureItem & Key, environmentsIn(items), childrenIn(items));
  // Here all environments were asked for, so one that is missing shows, too, that the items are not of one moment.
  if (stored.feature.environments.size !== stored.revision.environmentVersions.size) throw new LostRace();
  return stored;
}

function environmentsIn(items: readonly Stored[]): Map<string, FeatureEnvironmentItem> {
  return new Map(namedIn(items, 'ENVIRONMENT#').map(([name, item]) => [name, item as FeatureEnvironmentItem & Key]));
}

function childrenIn(items: readonly Stored[]): string[] {
  return namedIn(items, 'CHILD#').map(([name]) => name);
}

function namedIn(items: readonly Stored[], prefix: string): [string, Stored][] {
  return items.filter(({ sk }) => sk.startsWith(prefix)).map((item) => [item.sk.slice(prefix.length), item]);
}

/** A feature with its state in the named environments only, without its children, read by key. */
export async function loadFeatureIn(
  table: Table,
  name: string,
  environments: readonly string[],
): Promise<StoredFeature | undefined> {
  if (!isName(name)) return undefined;
  const [own, ...states] = await Promise.all([
    readItem<FeatureItem>(table, keys.feature(name)),
    ...environments.map((environment) =>
      readItem<FeatureEnvironmentItem>(table, keys.featureEnvironment(name, environment)),
    ),
  ]);
  if (own === undefined) return undefined;
  return featureFrom(own, new Map(environments.map((environment, index) => [environment, states[index]])), []);
}

/** As `loadFeatureIn`, for whoever only reads: reads again until all is of one moment. */
export function readFeatureIn(
  table: Table,
  name: string,
  environments: readonly string[],
): Promise<StoredFeature | undefined> {
  return retryLostRaces(table, () => loadFeatureIn(table, name, environments));
}
