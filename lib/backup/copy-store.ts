import { ApiError } from '../errors.ts';
import { type EventsItem, eventsOf } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import * as eventKeys from '../events/keys.ts';
import * as featureKeys from '../features/keys.ts';
import * as projectKeys from '../projects/keys.ts';
import type { Request } from '../request.ts';
import { pause } from '../store/client/call-store.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { type RawItem, scanPages } from '../store/raw-items.ts';
import { queryEventLog, queryPages } from '../store/read.ts';
import type { StartProgress } from './backup-file.ts';
import { listNamedPartitions, listSharedPartitions } from './round-partitions.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The milliseconds after which the copy fails if the store changes in every round. */
const patienceMs = 180_000;
/** The longest pause between rounds in milliseconds. Pauses are random, so that rounds do not coincide with a periodic writer. */
const pauseMs = 10;
/** The most milliseconds by which the index of events lags behind. */
const lagMs = 5_000;

/**
 * Copies a store as it was at one moment, while others write. It first reads the whole store, page by page. Then it reads the
 * partitions that may have changed in rounds, until a round finds no change: between that round and the one before, the store
 * was exactly the copy. Most items belong to features; the checksums in the read models say which features to read again.
 * @throws ApiError 503 if the store changes in every round for minutes.
 */
export async function copyStore(request: Request, copy: WorkingCopy, startProgress: StartProgress): Promise<void> {
  let since = Date.now();
  // Read models are read before the features: a feature with another checksum afterwards has changed meanwhile.
  await readAll(request, copy, [projectKeys.projects()]);
  const readModels = new Set(copy.sortKeysOf('PROJECTS').map(projectKeys.readModelPartitionKey));
  for (const pk of readModels) await readOne(request, copy, { pk });
  await readWhole(request, copy, readModels, startProgress);
  const start = performance.now();
  let unsettled: ReadonlySet<string> = new Set();
  for (;;) {
    copy.nextRound();
    const at = Date.now();
    const round = await readRound(request, copy, readModels, unsettled, new Date(since - lagMs));
    since = at;
    if (!round.hasChanged && hasMatchingChecksums(copy, readModels)) break;
    if (performance.now() - start > patienceMs) {
      throw new ApiError('ServiceUnavailable', 'The store keeps changing: try again when fewer people write.');
    }
    unsettled = round.features;
    await pause(Math.random() * pauseMs, request);
  }
  // Counters are read last, so that no number in the copy exceeds them.
  await readAll(
    request,
    copy,
    copy.partitionsOf('COUNTER#').map((pk) => ({ pk })),
  );
}

/**
 * Reads all items except those in read models.
 * @param readModels the partitions of read models; those of new and deleted projects are added.
 */
async function readWhole(request: Request, copy: WorkingCopy, readModels: Set<string>, startProgress: StartProgress) {
  using progress = startProgress('Items read');
  for await (const page of scanPages(request)) {
    for (const { pk } of page.filter(isInReadModel)) readModels.add(pk);
    copy.put(page.filter((item) => !isInReadModel(item)));
    progress.advance(page.length);
  }
}

const isInReadModel = ({ pk }: Pick<Key, 'pk'>) => /^PROJECT#[^#]+#FEATURES$/.test(pk);

/** Reads partitions, and returns the keys of items that differ from the copy. */
async function readAll(request: Request, copy: WorkingCopy, all: readonly Partition[]): Promise<Key[]> {
  const changed = all.map((partition) => request.store.limiter(() => readOne(request, copy, partition)));
  return (await Promise.all(changed)).flat();
}

/** Reads as `readAll` does, but one partition after the other: the read models of many large projects would fill the memory. */
async function readInTurn(request: Request, copy: WorkingCopy, all: readonly Partition[]): Promise<Key[]> {
  const changed: Key[] = [];
  for (const partition of all) for (const key of await readOne(request, copy, partition)) changed.push(key);
  return changed;
}

async function readOne(request: Request, copy: WorkingCopy, partition: Partition): Promise<Key[]> {
  const changed: Key[] = [];
  for await (const page of queryPages<RawItem>(request, partition)) changed.push(...copy.put(page));
  return [...changed, ...copy.removeMissing(partition)];
}

/**
 * Reads all partitions that may have changed.
 * @param unsettled the features that changed in the previous round.
 * @param since the time of the earliest event that may be missing in the copy.
 */
async function readRound(
  request: Request,
  copy: WorkingCopy,
  readModels: Set<string>,
  unsettled: ReadonlySet<string>,
  since: Date,
) {
  const shared = await readAll(request, copy, listSharedPartitions());
  for (const id of copy.sortKeysOf('PROJECTS')) readModels.add(projectKeys.readModelPartitionKey(id));
  const named = await readAll(request, copy, listNamedPartitions(copy));
  const inReadModels = await readChangedModels(request, copy, readModels);
  const features = new Set([
    ...unsettled,
    ...inReadModels.flatMap(({ sk }) => featureOf(sk)),
    ...(await listDeleted(request, copy, since)),
  ]);
  const parentsBefore = listParents(copy, features);
  const ofFeatures = await readAll(request, copy, [...features].flatMap(featurePartitions));
  const parents = new Set([...parentsBefore, ...listParents(copy, features), ...listNewParents(copy, ofFeatures)]);
  const ofParents = await readAll(request, copy, [...parents.difference(features)].map(featureKeys.featureItems));
  const changed = [...shared, ...named, ...inReadModels, ...ofFeatures, ...ofParents];
  return { hasChanged: changed.length > 0, features: new Set(ofFeatures.map(featureOfPartition)) };
}

const featurePartitions = (name: string) => [featureKeys.featureItems(name), eventKeys.allFeatureEvents(name)];
const featureOf = (sk: string) => (sk.startsWith('FEATURE#') ? [sk.slice('FEATURE#'.length)] : []);
const featureOfPartition = ({ pk }: Pick<Key, 'pk'>) => pk.split('#')[1] ?? '';

/** Reads the read models of the projects whose checksums have changed. */
async function readChangedModels(request: Request, copy: WorkingCopy, all: ReadonlySet<string>): Promise<Key[]> {
  const checksums = await readAll(
    request,
    copy,
    [...all].map((pk) => ({ pk, prefix: 'MARK#' })),
  );
  const changed = [...new Set(checksums.map(({ pk }) => pk))];
  const readModels = changed.flatMap((pk) => [
    { pk, prefix: 'FEATURE#' },
    { pk, prefix: 'DELIVERY#' },
  ]);
  return [...checksums, ...(await readInTurn(request, copy, readModels))];
}

/** Lists deleted features with recent events, since a feature that was created and deleted between two rounds was in no read model. */
async function listDeleted(request: Request, copy: WorkingCopy, since: Date): Promise<string[]> {
  const names = new Set<string>();
  const range = { from: since.toISOString(), to: '9' };
  for await (const page of queryEventLog<Key>(request, range)) {
    for (const key of page) if (key.pk.startsWith('FEATURE#')) names.add(featureOfPartition(key));
  }
  return [...names].filter((name) => (copy.find(featureKeys.feature(name))?.deleted ?? true) === true);
}

/** Lists the parents of features. A parent counts its children, which does not change its checksum. */
function listParents(copy: WorkingCopy, features: ReadonlySet<string>): string[] {
  return [...features].flatMap((name) => {
    const inFeature = copy.find(featureKeys.feature(name))?.dependencies;
    const inPart = copy.find(featureKeys.featurePart(name, 'dependencies'))?.value;
    const parents: readonly { readonly feature: string }[] = JSON.parse(String(inFeature ?? inPart ?? '[]'));
    return parents.map(({ feature }) => feature);
  });
}

/** Lists the features that became parents according to new events, even if they no longer are. */
function listNewParents(copy: WorkingCopy, changed: readonly Key[]): string[] {
  return changed.flatMap((key) => {
    const item = key.pk.endsWith('#EVENTS') ? copy.find(key) : undefined;
    return item === undefined ? [] : eventsOf(item as unknown as EventsItem).flatMap(parentOf);
  });
}

function parentOf({ type, data }: Pick<Event, 'type' | 'data'>): string[] {
  return type === 'feature-dependency-added' ? [String(data?.feature)] : [];
}

/** Tells whether the checksums of features add up to the sums of their projects. They do not if a transaction was read in part. */
function hasMatchingChecksums(copy: WorkingCopy, readModels: ReadonlySet<string>): boolean {
  return [...readModels].every((pk) => copy.sumIn(pk, 'FEATURE#', 'mark') === copy.sumIn(pk, 'MARK#', 'sum'));
}
