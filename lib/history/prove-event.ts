import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalid, notFound } from '../errors.ts';
import { hashContent, linkAttribute } from '../events/event-chain.ts';
import { type EventOutlines, type EventsItem, eventsOf, type LogAttributes } from '../events/event-items.ts';
import { isEventVisible, redactEvent } from '../events/event-visibility.ts';
import * as eventKeys from '../events/keys.ts';
import type { FeatureItem } from '../features/items/stored-items.ts';
import * as featureKeys from '../features/keys.ts';
import { isHidden, type Request } from '../request.ts';
import { type Key, padId } from '../store/client/definition.ts';
import type { RawItem } from '../store/raw-items.ts';
import { queryAll, queryEventLog, queryPages, readItem } from '../store/read.ts';
import { findCheckpoint, findCheckpointFrom } from './checkpoints.ts';
import type { EventProof, ProofQuery } from './history-schema.ts';
import * as historyKeys from './keys.ts';
import { findPath, idOfLeaf, leavesOf, maxIdOf, type Seal, type SealHead, type SealLeaves } from './seal.ts';
import { loadLastSeal } from './seal-events.ts';
import { type SealItem, toSeal } from './seal-items.ts';

/** The most heads of seals, and the most later changes of a feature, in a proof. */
const stepsMax = 1_000;
/** The most pages, of 1 MB each, of later changes of a feature. */
const chainPagesMax = 20;

/**
 * Builds the proof of an event: its position in a seal and the seals after it or, while no seal lists it, the links from it to the feature's
 * own item.
 * @throws ApiError 404 if there is no such event or the caller may not see it, 403 if the caller sees it in part, 400 for wrong seals.
 */
export async function proveEvent(request: Request, { id, createdAt, from, to }: ProofQuery): Promise<EventProof> {
  const item = await findItem(request, id, createdAt);
  if (item === undefined) throw notFound('event', id);
  const events = eventsOf(item as unknown as EventsItem);
  if (!events.every((event) => isEventVisible(request, event))) throw notFound('event', id);
  if (!events.every((event) => isDeepStrictEqual(redactEvent(request, event), event))) {
    throw new ApiError('NoAccessError', 'You see this event in part, and its proof would show the rest.');
  }
  const [before, listing] = await Promise.all([findLinkBefore(request, item), findSeal(request, item)]);
  const proof = { flagstaff: 'proof', event: id, item: item as EventProof['item'], before } as const;
  if (listing === undefined) return { ...proof, sealed: null, chain: await loadChain(request, item) };
  const { seal, leaves, index } = listing;
  const checkpoint = await (to === undefined ? findCheckpointFrom(request, seal.number) : findCheckpoint(request, to));
  const first = from ?? seal.number;
  const last = to ?? checkpoint?.number ?? seal.number;
  return {
    ...proof,
    sealed: {
      leaf: leaves[index] as string,
      path: findPath(leaves, index),
      seals: await loadHeads(request, first, Math.min(last, first + stepsMax - 1)),
      checkpoint: checkpoint ?? null,
    },
    chain: null,
  };
}

/** The most pages of the index, of thousands of changes each, that are searched for an event whose time the caller does not give. */
const searchedPages = 10;

/** Finds the item of an event in the index of all events, which is in the order of time. */
async function findItem(request: Request, id: number, at: string | undefined): Promise<RawItem | undefined> {
  const range = at === undefined ? { from: ' ', to: '~' } : { from: `${at}#`, to: `${at}#~` };
  let pages = 0;
  for await (const page of queryEventLog<Key & LogAttributes>(request, range)) {
    const found = page.find(({ about }) => idsOf(about).includes(id));
    if (found !== undefined) return readItem<RawItem>(request, { pk: found.pk, sk: found.sk });
    pages += 1;
    if (pages === searchedPages) return undefined;
  }
  return undefined;
}

function idsOf(about: string): number[] {
  const [, , ...events] = JSON.parse(about) as EventOutlines;
  return events.map(([id]) => id);
}

/** Finds the link before that of an item; empty for the first, null if the item has no link. */
async function findLinkBefore(request: Request, item: RawItem): Promise<string | null> {
  const feature = eventKeys.featureOfEvents(item);
  if (feature === undefined || item[linkAttribute] === undefined) return null;
  // A migration from another server can leave thousands of items without a link.
  const earlier = queryPages<RawItem>(request, eventKeys.allFeatureEvents(feature), {
    ...{ descending: true, before: item.sk, attributes: [linkAttribute], firstPageSize: 10 },
  });
  for await (const page of earlier) {
    const linked = page.find((other) => other[linkAttribute] !== undefined);
    if (linked !== undefined) return String(linked[linkAttribute]);
  }
  return '';
}

/**
 * The most seals that are searched, from the first one that can list an event. Usually one of the next few lists it. An import can take many
 * seals, and this many list 16 million events.
 */
const searchedSeals = 4_000;

/** Finds the seal that lists an item. It reads only the leaves of the few seals that can list it. */
async function findSeal(request: Request, item: RawItem) {
  const id = Number(item.sk);
  const position = String(item.at);
  const from = await findFirstReaching(request, id);
  if (from === undefined) return undefined;
  const end = from + searchedSeals - 1;
  for await (const page of queryPages<SealItem>(request, historyKeys.sealsFrom(from, end), { pageSize: 500 })) {
    for (const seal of page.map(toSeal)) {
      const { lowestId, highestId, first = position, last = position } = seal;
      if (id < lowestId || id > highestId || position < first || position > last) continue;
      const stored = await readItem<SealLeaves>(request, historyKeys.sealLeaves(seal.number));
      const leaves = stored === undefined ? [] : leavesOf(stored);
      const index = leaves.findIndex((leaf) => idOfLeaf(leaf) === id);
      if (index !== -1) return { seal, leaves, index };
    }
  }
  return undefined;
}

/** Finds the number of the first seal that, with all earlier ones, reaches an id; undefined if none does. */
async function findFirstReaching(request: Request, id: number): Promise<number | undefined> {
  const last = await loadLastSeal(request);
  if (last === undefined || maxIdOf(last) < id) return undefined;
  let [low, high] = [1, last.number];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const seal = await readItem<Omit<SealItem, keyof Key>>(request, historyKeys.seal(middle));
    if (seal !== undefined && maxIdOf(seal) >= id) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Loads the heads of a range of seals, with their hashes. */
async function loadHeads(request: Request, from: number, to: number): Promise<(SealHead & Pick<Seal, 'hash'>)[]> {
  if (from > to) throw invalid(`"from" must not be greater than ${to}.`);
  const items = await queryAll<SealItem>(request, historyKeys.sealsFrom(from, to));
  return items
    .map(toSeal)
    .map(({ number, at, upTo, previous, count, root, hash }) => ({ number, at, upTo, previous, count, root, hash }));
}

/** Loads the links from an item to the feature itself; null for an item without a link, for a hidden feature, and for too many links. */
async function loadChain(request: Request, item: RawItem): Promise<EventProof['chain']> {
  const feature = eventKeys.featureOfEvents(item);
  if (feature === undefined || item[linkAttribute] === undefined) return null;
  const reading = readItem<Pick<FeatureItem, 'link' | 'project'>>(request, featureKeys.feature(feature));
  const later: { firstId: number; content: string; link: string }[] = [];
  const partition = {
    ...eventKeys.featureEventsFrom(feature, Number(item.sk) + 1),
    end: padId(Number.MAX_SAFE_INTEGER),
  };
  let pages = 0;
  for await (const page of queryPages<RawItem>(request, partition)) {
    for (const { pk, sk, ...attributes } of page) {
      if (attributes[linkAttribute] === undefined) continue;
      const content = hashContent({ pk, sk }, attributes);
      later.push({ firstId: Number(sk), content, link: String(attributes[linkAttribute]) });
    }
    pages += 1;
    if (later.length > stepsMax || pages > chainPagesMax) return null;
  }
  const own = await reading;
  return own?.link === undefined || isHidden(request, own.project) ? null : { later, link: own.link };
}
