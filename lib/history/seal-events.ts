import type { LogAttributes } from '../events/event-items.ts';
import { hashContent, linkAttribute } from '../events/link.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import type { Attributes } from '../store/item.ts';
import type { RawItem } from '../store/raw-items.ts';
import { queryEventLog, queryPages, readItem } from '../store/read.ts';
import { tryTransact } from '../store/transactions/transact.ts';
import { cachePerObject } from '../values/cache.ts';
import { mapChunks } from '../values/lists.ts';
import * as historyKeys from './keys.ts';
import { buildSeal, idOfLeaf, type Leaf, leavesOf, type Seal } from './seal.ts';

const minuteMs = 60_000;

/** The time between two seals. */
const periodMs = 10 * minuteMs;
/** An event is sealed when it is so old. Until then, the transaction of an earlier one may still be under way. */
const settlingMs = 2 * minuteMs;
/** A transaction that took longer, such as that of a large import, is found by the seals of this time. */
const lateMs = 60 * minuteMs;
/** The most leaves of a seal, which take about 250 kB of an item. */
const leavesMax = 4_000;
/** The time after which a run begins no further seal. The next run continues. */
const patienceMs = 30_000;

/** An item of events as the index has it. */
type UnsealedItem = Key & LogAttributes;

/** The time of the last run of this process, by store. */
const lastRuns = cachePerObject((_: Request['store']) => ({ ms: Number.NEGATIVE_INFINITY }));

/**
 * Seals the events that no seal lists yet, at most every ten minutes. Several processes can run it at the same time, and each can die
 * at any point: a seal is one item, and only one process creates that with the next number.
 * @throws Error if the store fails.
 */
export async function sealEvents(request: Request, now: Date): Promise<void> {
  const lastRun = lastRuns(request.store);
  if (now.getTime() - lastRun.ms < periodMs) return;
  lastRun.ms = now.getTime();
  const last = await loadLastSeal(request);
  await sealRange(request, last, now, last === undefined ? '' : earlier(last.upTo, lateMs));
}

/**
 * Seals all events that no seal lists, of whatever time: after an import, whose events are older than the last seal.
 * @throws Error if the store fails.
 */
export async function sealAllEvents(request: Request, now: Date): Promise<void> {
  await sealRange(request, await loadLastSeal(request), now, '');
}

/** Reads the last seal; undefined if there is none. */
export async function loadLastSeal(request: Request): Promise<Seal | undefined> {
  for await (const [item] of queryPages<Key & Omit<Seal, 'number'>>(request, historyKeys.seals(), {
    descending: true,
    pageSize: 1,
  })) {
    return item && toSeal(item);
  }
  return undefined;
}

/** Returns a seal from its item. */
export function toSeal({ pk: _pk, sk, ...item }: Key & Omit<Seal, 'number'>): Seal {
  return { ...item, number: Number(sk) };
}

/** @param from the time in the index from which events may be unsealed; empty for the beginning. */
async function sealRange(request: Request, last: Seal | undefined, now: Date, from: string): Promise<void> {
  const sealed = await loadSealedIds(request, from);
  const settled = earlier(now.toISOString(), settlingMs);
  const deadline = performance.now() + patienceMs;
  let before = last;
  const store = async (items: readonly UnsealedItem[], upTo: string): Promise<boolean> => {
    const isLater = before === undefined || upTo > before.upTo;
    const times = { at: now.toISOString(), upTo: isLater ? upTo : (before?.upTo ?? upTo) };
    before = buildSeal(before, await readLeaves(request, items), times);
    const { number, ...item } = before;
    return tryTransact(request, { put: historyKeys.seal(number), item, when: 'absent' });
  };
  let waiting: UnsealedItem[] = [];
  for await (const page of queryEventLog<UnsealedItem>(request, { from: from || ' ', to: settled, ascending: true })) {
    waiting.push(...page.filter((item) => !sealed.has(idOfItem(item))));
    while (waiting.length >= leavesMax || (waiting.length > 0 && performance.now() > deadline)) {
      const items = waiting.slice(0, leavesMax);
      waiting = waiting.slice(leavesMax);
      // Without success, another process seals the same events. The next run sees what it has done.
      if (!(await store(items, timeOf(items.at(-1)) ?? settled)) || performance.now() > deadline) return;
    }
  }
  if (waiting.length > 0) await store(waiting, settled);
}

/** Returns the time of an item in the index. */
const timeOf = (item: UnsealedItem | undefined) => item?.at.slice(0, item.at.indexOf('#'));

/** Reads items of events, and returns their leaves. */
async function readLeaves(request: Request, items: readonly Key[]): Promise<Leaf[]> {
  const read = await mapChunks(items, 100, ({ pk, sk }) => readItem<RawItem>(request, { pk, sk }));
  return read.flatMap((item) => (item === undefined ? [] : leafOf(item, item)));
}

/** Returns the leaf of an item of events. */
export function leafOf(key: Key, item: Attributes): Leaf {
  return `${idOfItem(key)}:${item[linkAttribute] ?? hashContent(key, item)}`;
}

/** Returns the id of the first event of an item. */
const idOfItem = ({ sk }: Pick<Key, 'sk'>): number => Number(sk);

/** Reads the ids that seals made since a time list. */
async function loadSealedIds(request: Request, from: string): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  // A process whose clock was late may have sealed an event before the time of that event.
  const since = from === '' ? '' : earlier(from, lateMs);
  for await (const page of queryPages<Key & Seal>(request, historyKeys.seals(), { descending: true, pageSize: 4 })) {
    for (const item of page) {
      if (item.at < since) return ids;
      for (const leaf of leavesOf(item)) ids.add(idOfLeaf(leaf));
    }
  }
  return ids;
}

function earlier(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}
