import { isHidden, type Request, seesAllProjects, withAllProjects } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem, readItems } from '../store/read.ts';
import { LostRace, retryLostRaces } from '../store/transactions/retry.ts';
import { isName } from '../values/primitives.ts';
import {
  type FeatureEnvironmentItem,
  type FeatureHead,
  type FeatureItem,
  type FeaturePartItem,
  featureFrom,
  headFrom,
  isTombstone,
  type Part,
  type StoredFeature,
  type Tombstone,
  type TombstoneItem,
  type WholeFeature,
} from './items/feature-items.ts';
import type { WrittenItem } from './items/written-item.ts';
import * as featureKeys from './keys.ts';

type Stored = Key & Partial<FeatureItem & FeatureEnvironmentItem & FeaturePartItem>;

/** Reads a feature with all its environments and children, from one read of its partition. */
export async function loadFeature(request: Request, name: string): Promise<StoredFeature | undefined> {
  if (!isName(name)) return undefined;
  const stored = featureOf(await queryAll<Stored>(request, featureKeys.featureItems(name)));
  return isHidden(request, stored?.feature.project) ? undefined : stored;
}

/** Reads a feature as `loadFeature` does, with the keys of all other items that belong to it. */
export async function loadWhole(request: Request, name: string): Promise<WholeFeature | undefined> {
  if (!isName(name)) return undefined;
  const items = await queryAll<Stored>(request, featureKeys.featureItems(name));
  const stored = featureOf(items);
  if (stored === undefined || isHidden(request, stored.feature.project)) return undefined;
  const own = featureKeys.feature(name);
  return { stored, items: items.flatMap(({ pk, sk }) => (sk === own.sk ? [] : [{ pk, sk }])) };
}

/** Reads the names of the features that depend on one. */
export async function loadChildren(request: Request, name: string): Promise<string[]> {
  const partition = featureKeys.featureChildren(name);
  const items = await queryAll<Key>(request, partition);
  return items.map(({ sk }) => sk.slice(partition.prefix.length));
}

/**
 * Builds a feature from the items of a partition; kinds of items that this release does not know are left alone.
 * @throws LostRace when the items are not of one moment.
 */
function featureOf(items: readonly Stored[]): StoredFeature | undefined {
  const own = items.find(({ sk }) => sk === featureKeys.feature('').sk) as
    | ((WrittenItem<FeatureItem> | TombstoneItem) & Key)
    | undefined;
  if (own === undefined || isTombstone(own)) return undefined;
  const environments = namedIn<FeatureEnvironmentItem>(items, 'ENVIRONMENT#');
  const children = [...namedIn(items, 'CHILD#').keys()];
  const { pk: _pk, sk: _sk, ...item } = own;
  const head = headFrom(item);
  // An environment that is known and was not found shows, too, that the items are not of one moment.
  const all = new Map([...head.revision.summaries.keys()].map((each) => [each, environments.get(each)]));
  const parts = namedIn<FeaturePartItem, Part>(items, 'PART#');
  return featureFrom(head, { environments: new Map([...all, ...environments]), parts }, children);
}

/** Returns the items of one kind, by the rest of their sort key. */
function namedIn<T, Name extends string = string>(items: readonly Stored[], prefix: string): Map<Name, T> {
  return new Map(
    items
      .filter(({ sk }) => sk.startsWith(prefix))
      .map(({ pk: _pk, sk, ...item }) => [sk.slice(prefix.length) as Name, item as unknown as T]),
  );
}

/** Reads the own items of features, of those that exist, with one read per item; names may come in any order. */
export async function loadHeads(request: Request, names: readonly string[]): Promise<Map<string, FeatureHead>> {
  return (await loadNames(request, names)).heads;
}

/** Features by name, and the remains of deleted ones. */
export interface NamedFeatures {
  readonly heads: Map<string, FeatureHead>;
  readonly remains: Map<string, Tombstone>;
}

/** Reads features by name, and the remains of deleted ones, with one read per item; names may come in any order. */
export async function loadNames(request: Request, names: readonly string[]): Promise<NamedFeatures> {
  const distinct = [...new Set(names)].filter(isName);
  const found = await Promise.all(distinct.map(async (name) => ({ name, own: await loadOwn(request, name) })));
  const named: NamedFeatures = { heads: new Map(), remains: new Map() };
  for (const { name, own } of found) {
    if (own === undefined) continue;
    if (isTombstone(own)) named.remains.set(name, own);
    else if (!isHidden(request, own.project)) named.heads.set(name, own);
  }
  return named;
}

async function loadOwn(request: Request, name: string): Promise<FeatureHead | TombstoneItem | undefined> {
  const item = await readItem<(WrittenItem<FeatureItem> | TombstoneItem) & Key>(request, featureKeys.feature(name));
  if (item === undefined || isTombstone(item)) return item;
  const { pk: _pk, sk: _sk, ...own } = item;
  return headFrom(own);
}

/** Reads the whole feature whose own item was read, except its state in environments that are not named. */
export async function loadRest(
  request: Request,
  head: FeatureHead,
  environments: readonly string[],
): Promise<StoredFeature> {
  const { name, revision } = head;
  const kept = environments.filter((environment) => (revision.summaries.get(environment)?.version ?? 0) > 0);
  const [states, parts] = await Promise.all([
    readItems<FeatureEnvironmentItem & Key>(
      request,
      kept.map((environment) => featureKeys.featureEnvironment(name, environment)),
    ),
    loadParts(request, head, [...revision.partVersions.keys()]),
  ]);
  const items = new Map(kept.map((environment, index) => [environment, withoutKey(states[index])]));
  const all = new Map(environments.map((environment) => [environment, items.get(environment)]));
  return featureFrom(head, { environments: all, parts }, []);
}

/** Reads the parts of a feature that have an item of their own. */
export async function loadParts(
  request: Request,
  { name, revision }: FeatureHead,
  wanted: readonly Part[],
): Promise<Map<Part, FeaturePartItem>> {
  const apart = wanted.filter((part) => revision.partVersions.has(part));
  const partKeys = apart.map((part) => featureKeys.featurePart(name, part));
  const items = await readItems<FeaturePartItem>(request, partKeys);
  return new Map(
    apart.map((part, index) => {
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

/** Reads a feature with its state in the named environments only, without its children, read by key. */
export async function loadFeatureIn(
  request: Request,
  name: string,
  environments: readonly string[],
): Promise<StoredFeature | undefined> {
  if (!isName(name)) return undefined;
  const [item, ...states] = await Promise.all([
    readItem<(WrittenItem<FeatureItem> | TombstoneItem) & Key>(request, featureKeys.feature(name)),
    ...environments.map((environment) =>
      readItem<FeatureEnvironmentItem & Key>(request, featureKeys.featureEnvironment(name, environment)),
    ),
  ]);
  if (item === undefined || isTombstone(item)) return undefined;
  const { pk: _pk, sk: _sk, ...own } = item;
  if (isHidden(request, own.project)) return undefined;
  const head = headFrom(own);
  const parts = await loadParts(request, head, [...head.revision.partVersions.keys()]);
  const found = environments.map((environment, index) => [environment, withoutKey(states[index])] as const);
  return featureFrom(head, { environments: new Map(found), parts }, []);
}

/**
 * Reads a feature as `loadFeatureIn` does, for callers that only read: it reads again until everything is of one
 * moment.
 */
export function readFeatureIn(request: Request, name: string, environments: readonly string[]) {
  return retryLostRaces(request, () => loadFeatureIn(request, name, environments));
}

/**
 * Returns those of the names that a feature of a hidden project has, or had when it was deleted: what is reported under
 * these is not for the caller. Of a caller who sees all projects it asks nothing.
 */
export async function hiddenNames(request: Request, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (seesAllProjects(request)) return new Set();
  const { heads, remains } = await loadNames(withAllProjects(request), names);
  return new Set(names.filter((name) => isHidden(request, (heads.get(name) ?? remains.get(name))?.project)));
}
