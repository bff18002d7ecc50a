import { isHidden, type Request, seesAllProjects, withAllProjects } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem, readItems } from '../store/read.ts';
import { LostRace, retryLostRaces } from '../store/transactions/retry.ts';
import { isName } from '../values/primitives.ts';
import type { CompactItem } from './items/compact-item.ts';
import {
  assembleFeature,
  type FeatureHead,
  isTombstone,
  type Part,
  parseHead,
  type StoredFeature,
  type Tombstone,
  type WholeFeature,
} from './items/feature-items.ts';
import type { FeatureEnvironmentItem, FeatureItem, FeaturePartItem, TombstoneItem } from './items/stored-items.ts';
import * as featureKeys from './keys.ts';

type Stored = Key & Partial<FeatureItem & FeatureEnvironmentItem & FeaturePartItem>;

/** Reads a feature with all its environments and children, in one query of its partition. */
export async function loadFeature(request: Request, name: string): Promise<StoredFeature | undefined> {
  if (!isName(name)) return undefined;
  const stored = buildFeature(await queryAll<Stored>(request, featureKeys.featureItems(name)));
  return isHidden(request, stored?.feature.project) ? undefined : stored;
}

/** Reads a feature as `loadFeature` does, and the keys of all items of its partition except its own. */
export async function loadWholeFeature(request: Request, name: string): Promise<WholeFeature | undefined> {
  if (!isName(name)) return undefined;
  const items = await queryAll<Stored>(request, featureKeys.featureItems(name));
  const stored = buildFeature(items);
  if (stored === undefined || isHidden(request, stored.feature.project)) return undefined;
  const own = featureKeys.feature(name);
  return { stored, items: items.flatMap(({ pk, sk }) => (sk === own.sk ? [] : [{ pk, sk }])) };
}

/** Reads the names of the features that depend on a feature. */
export async function loadChildren(request: Request, name: string): Promise<string[]> {
  const partition = featureKeys.featureChildren(name);
  const items = await queryAll<Key>(request, partition);
  return items.map(({ sk }) => sk.slice(partition.prefix.length));
}

/**
 * Builds a feature from the items of its partition; unknown kinds of items are ignored.
 * @throws LostRace if a transaction wrote some of the items while the query was reading its pages.
 */
function buildFeature(items: readonly Stored[]): StoredFeature | undefined {
  const own = items.find(({ sk }) => sk === featureKeys.feature('').sk) as
    | ((CompactItem<FeatureItem> | TombstoneItem) & Key)
    | undefined;
  if (own === undefined || isTombstone(own)) return undefined;
  const environments = groupByName<FeatureEnvironmentItem>(items, 'ENVIRONMENT#');
  const children = [...groupByName(items, 'CHILD#').keys()];
  const { pk: _pk, sk: _sk, ...item } = own;
  const head = parseHead(item);
  // `assembleFeature` also has to see environments whose item is missing, to detect a lost race.
  const all = new Map([...head.revision.summaries.keys()].map((name) => [name, environments.get(name)]));
  const parts = groupByName<FeaturePartItem, Part>(items, 'PART#');
  return assembleFeature(head, { environments: new Map([...all, ...environments]), parts }, children);
}

/** Returns the items whose sort key has a prefix, by the rest of the sort key. */
function groupByName<T, Name extends string = string>(items: readonly Stored[], prefix: string): Map<Name, T> {
  return new Map(
    items
      .filter(({ sk }) => sk.startsWith(prefix))
      .map(({ pk: _pk, sk, ...item }) => [sk.slice(prefix.length) as Name, item as unknown as T]),
  );
}

/** Reads the heads of the features that exist, with one read per item. */
export async function loadHeads(request: Request, names: readonly string[]): Promise<Map<string, FeatureHead>> {
  return (await loadHeadsAndTombstones(request, names)).heads;
}

/** Heads by name, and the tombstones of deleted features. */
export interface HeadsAndTombstones {
  readonly heads: Map<string, FeatureHead>;
  readonly tombstones: Map<string, Tombstone>;
}

/** Reads heads by name, and the tombstones of deleted features, with one read per item. */
export async function loadHeadsAndTombstones(request: Request, names: readonly string[]): Promise<HeadsAndTombstones> {
  const distinct = [...new Set(names)].filter(isName);
  const loaded = await Promise.all(distinct.map(async (name) => ({ name, own: await loadOwn(request, name) })));
  const result: HeadsAndTombstones = { heads: new Map(), tombstones: new Map() };
  for (const { name, own } of loaded) {
    if (own === undefined) continue;
    if (isTombstone(own)) result.tombstones.set(name, own);
    else if (!isHidden(request, own.project)) result.heads.set(name, own);
  }
  return result;
}

async function loadOwn(request: Request, name: string): Promise<FeatureHead | TombstoneItem | undefined> {
  const item = await readItem<(CompactItem<FeatureItem> | TombstoneItem) & Key>(request, featureKeys.feature(name));
  if (item === undefined || isTombstone(item)) return item;
  const { pk: _pk, sk: _sk, ...own } = item;
  return parseHead(own);
}

/** Completes a head: reads the parts of the feature, and its states in the given environments. */
export async function loadRest(
  request: Request,
  head: FeatureHead,
  environments: readonly string[],
): Promise<StoredFeature> {
  const { name, revision } = head;
  const storedEnvironments = environments.filter(
    (environment) => (revision.summaries.get(environment)?.version ?? 0) > 0,
  );
  const [states, parts] = await Promise.all([
    readItems<FeatureEnvironmentItem & Key>(
      request,
      storedEnvironments.map((environment) => featureKeys.featureEnvironment(name, environment)),
    ),
    loadParts(request, head, [...revision.partVersions.keys()]),
  ]);
  const items = new Map(storedEnvironments.map((environment, index) => [environment, withoutKey(states[index])]));
  const all = new Map(environments.map((environment) => [environment, items.get(environment)]));
  return assembleFeature(head, { environments: all, parts }, []);
}

/**
 * Reads those wanted parts that are stored in separate items.
 * @throws LostRace if a version differs from that in the head.
 */
export async function loadParts(
  request: Request,
  { name, revision }: FeatureHead,
  wanted: readonly Part[],
): Promise<Map<Part, FeaturePartItem>> {
  const storedParts = wanted.filter((part) => revision.partVersions.has(part));
  const partKeys = storedParts.map((part) => featureKeys.featurePart(name, part));
  const items = await readItems<FeaturePartItem>(request, partKeys);
  return new Map(
    storedParts.map((part, index) => {
      const item = items[index];
      if (item?.version !== revision.partVersions.get(part)) throw new LostRace();
      return [part, item as FeaturePartItem];
    }),
  );
}

function withoutKey<T extends Key>(item: T | undefined): Omit<T, keyof Key> | undefined {
  if (item === undefined) return undefined;
  const { pk: _pk, sk: _sk, ...attributes } = item;
  return attributes;
}

/**
 * Reads a feature, without its children, and its states in the given environments. It uses key look-ups, not a query.
 * @throws LostRace if a transaction wrote some of the items between the look-ups.
 */
export async function loadFeatureIn(
  request: Request,
  name: string,
  environments: readonly string[],
): Promise<StoredFeature | undefined> {
  if (!isName(name)) return undefined;
  const [item, ...states] = await Promise.all([
    readItem<(CompactItem<FeatureItem> | TombstoneItem) & Key>(request, featureKeys.feature(name)),
    ...environments.map((environment) =>
      readItem<FeatureEnvironmentItem & Key>(request, featureKeys.featureEnvironment(name, environment)),
    ),
  ]);
  if (item === undefined || isTombstone(item)) return undefined;
  const { pk: _pk, sk: _sk, ...own } = item;
  if (isHidden(request, own.project)) return undefined;
  const head = parseHead(own);
  const parts = await loadParts(request, head, [...head.revision.partVersions.keys()]);
  const items = environments.map((environment, index) => [environment, withoutKey(states[index])] as const);
  return assembleFeature(head, { environments: new Map(items), parts }, []);
}

/**
 * Reads a feature as `loadFeatureIn` does, and reads again if a transaction wrote meanwhile. It is for callers that only
 * read; a change is repeated as a whole.
 */
export function loadFeatureInWithRetry(request: Request, name: string, environments: readonly string[]) {
  return retryLostRaces(request, () => loadFeatureIn(request, name, environments));
}

/**
 * Returns the names whose feature is in a project hidden from the caller. For a deleted feature, its last project counts.
 * For a caller who sees all projects it reads nothing.
 */
export async function loadHiddenNames(request: Request, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (seesAllProjects(request)) return new Set();
  const { heads, tombstones } = await loadHeadsAndTombstones(withAllProjects(request), names);
  return new Set(names.filter((name) => isHidden(request, (heads.get(name) ?? tombstones.get(name))?.project)));
}
