import { ApiError } from '../errors.ts';
import { type EventsItem, eventsOf } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import * as eventKeys from '../events/keys.ts';
import * as featureKeys from '../features/keys.ts';
import * as projectKeys from '../projects/keys.ts';
import type { Request } from '../request.ts';
import { pause } from '../store/client/ask.ts';
import type { Key, Partition } from '../store/client/definition.ts';
import { queryEventLog, queryPages } from '../store/read.ts';
import { allPages, type WholeItem } from '../store/whole-items.ts';
import { namedPartitions, sharedPartitions } from './again.ts';
import type { StartStage } from './stage.ts';
import type { WorkingCopy } from './working-copy.ts';

/** The milliseconds for which a store is read again that changes in every round. */
const patienceMs = 180_000;
/** A pause that ends at another moment than the rounds of those who write. */
const pauseMs = 10;
/** The index of events lags behind by less. */
const lagMs = 5_000;

/**
 * Copies a store as it was at one moment, while others write. First it is read as a whole, page by page. Then the partitions
 * that may have changed are read again, in rounds, until a round finds all as it was: at a moment between that one and the
 * one before, the store was what the copy says. Features are most of it; the marks on the shelves of their projects say which
 * of them to read again.
 * @throws ApiError 503 where the store changes in every round for minutes.
 */
export async function copyStore(request: Request, copy: WorkingCopy, startStage: StartStage): Promise<void> {
  let since = Date.now();
  // Before the features: what has another mark afterwards has changed meanwhile.
  await readAll(request, copy, [projectKeys.projects()]);
  const shelves = new Set(copy.sortKeysOf('PROJECTS').map(projectKeys.shelfPartition));
  for (const pk of shelves) await readOne(request, copy, { pk });
  await readWhole(request, copy, shelves, startStage);
  const start = performance.now();
  let hot: ReadonlySet<string> = new Set();
  for (;;) {
    copy.nextRound();
    const at = Date.now();
    const round = await readRound(request, copy, shelves, hot, new Date(since - lagMs));
    since = at;
    if (!round.hasChanged && isAddedUp(copy, shelves)) break;
    if (performance.now() - start > patienceMs) {
      throw new ApiError('ServiceUnavailable', 'The store changes all the time: try again when fewer people write.');
    }
    hot = round.features;
    await pause(Math.random() * pauseMs, request);
  }
  // Last, so that no number in the copy is above them.
  await readAll(
    request,
    copy,
    copy.partitionsOf('COUNTER#').map((pk) => ({ pk })),
  );
}

/** @param shelves partitions of shelves that are not read here; those of projects that are new or deleted are added. */
async function readWhole(request: Request, copy: WorkingCopy, shelves: Set<string>, startStage: StartStage) {
  using stage = startStage('Items read');
  for await (const page of allPages(request)) {
    for (const { pk } of page.filter(isOnShelf)) shelves.add(pk);
    copy.put(page.filter((item) => !isOnShelf(item)));
    stage.advance(page.length);
  }
}

const isOnShelf = ({ pk }: Pick<Key, 'pk'>) => /^PROJECT#[^#]+#FEATURES$/.test(pk);

/** Reads partitions, and returns the keys of what is other than in the copy. */
async function readAll(request: Request, copy: WorkingCopy, all: readonly Partition[]): Promise<Key[]> {
  const changed = all.map((partition) => request.store.limiter(() => readOne(request, copy, partition)));
  return (await Promise.all(changed)).flat();
}

/** As `readAll`, one after the other: the shelves of many large projects are more than the memory is for. */
async function readInTurn(request: Request, copy: WorkingCopy, all: readonly Partition[]): Promise<Key[]> {
  const changed: Key[] = [];
  for (const partition of all) for (const key of await readOne(request, copy, partition)) changed.push(key);
  return changed;
}

async function readOne(request: Request, copy: WorkingCopy, partition: Partition): Promise<Key[]> {
  const changed: Key[] = [];
  for await (const page of queryPages<WholeItem>(request, partition)) changed.push(...copy.put(page));
  return [...changed, ...copy.forgetGone(partition)];
}

/**
 * Reads the partitions again that may have changed.
 * @param hot features that the round before has read: each is read until it is found as it was.
 * @param since time from which on the copy may lack events.
 */
async function readRound(
  request: Request,
  copy: WorkingCopy,
  shelves: Set<string>,
  hot: ReadonlySet<string>,
  since: Date,
) {
  const shared = await readAll(request, copy, sharedPartitions());
  for (const id of copy.sortKeysOf('PROJECTS')) shelves.add(projectKeys.shelfPartition(id));
  const named = await readAll(request, copy, namedPartitions(copy));
  const onShelves = await readShelves(request, copy, shelves);
  const features = new Set([
    ...hot,
    ...onShelves.flatMap(({ sk }) => featureOf(sk)),
    ...(await gone(request, copy, since)),
  ]);
  const before = parentsIn(copy, features);
  const ofFeatures = await readAll(request, copy, [...features].flatMap(featurePartitions));
  const parents = new Set([...before, ...parentsIn(copy, features), ...parentsInEvents(copy, ofFeatures)]);
  const ofParents = await readAll(request, copy, [...parents.difference(features)].map(featureKeys.featureItems));
  const changed = [...shared, ...named, ...onShelves, ...ofFeatures, ...ofParents];
  return { hasChanged: changed.length > 0, features: new Set(ofFeatures.map(featureOfPartition)) };
}

const featurePartitions = (name: string) => [featureKeys.featureItems(name), eventKeys.allFeatureEvents(name)];
const featureOf = (sk: string) => (sk.startsWith('FEATURE#') ? [sk.slice('FEATURE#'.length)] : []);
const featureOfPartition = ({ pk }: Pick<Key, 'pk'>) => pk.split('#')[1] ?? '';

/** Reads the shelves of projects whose features have changed. */
async function readShelves(request: Request, copy: WorkingCopy, all: ReadonlySet<string>): Promise<Key[]> {
  const ledgers = await readAll(
    request,
    copy,
    [...all].map((pk) => ({ pk, prefix: 'MARK#' })),
  );
  const changed = [...new Set(ledgers.map(({ pk }) => pk))];
  const shelves = changed.flatMap((pk) => [
    { pk, prefix: 'FEATURE#' },
    { pk, prefix: 'DELIVERY#' },
  ]);
  return [...ledgers, ...(await readInTurn(request, copy, shelves))];
}

/**
 * The features that are not there, and had events lately: what was made and deleted between two rounds is on no shelf, but
 * its events stay.
 */
async function gone(request: Request, copy: WorkingCopy, since: Date): Promise<string[]> {
  const names = new Set<string>();
  const range = { from: since.toISOString(), to: '9' };
  for await (const page of queryEventLog<Key>(request, range)) {
    for (const key of page) if (key.pk.startsWith('FEATURE#')) names.add(featureOfPartition(key));
  }
  return [...names].filter((name) => (copy.find(featureKeys.feature(name))?.deleted ?? true) === true);
}

/** The features that others depend on: they count their children, which their marks do not tell. */
function parentsIn(copy: WorkingCopy, features: ReadonlySet<string>): string[] {
  return [...features].flatMap((name) => {
    const own = copy.find(featureKeys.feature(name))?.dependencies;
    const part = copy.find(featureKeys.featurePart(name, 'dependencies'))?.value;
    const all: readonly { readonly feature: string }[] = JSON.parse(String(own ?? part ?? '[]'));
    return all.map(({ feature }) => feature);
  });
}

/** The features on which others have come to depend since, perhaps not for long. */
function parentsInEvents(copy: WorkingCopy, changed: readonly Key[]): string[] {
  return changed.flatMap((key) => {
    const item = key.pk.endsWith('#EVENTS') ? copy.find(key) : undefined;
    return item === undefined ? [] : eventsOf(item as unknown as EventsItem).flatMap(parentOf);
  });
}

function parentOf({ type, data }: Pick<Event, 'type' | 'data'>): string[] {
  return type === 'feature-dependency-added' ? [String(data?.feature)] : [];
}

/** Tells whether the marks of all features are the sums that their projects keep: a transaction may show one by one. */
function isAddedUp(copy: WorkingCopy, shelves: ReadonlySet<string>): boolean {
  return [...shelves].every((pk) => copy.sumIn(pk, 'FEATURE#', 'mark') === copy.sumIn(pk, 'MARK#', 'sum'));
}
