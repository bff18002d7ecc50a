import { hashContent, linkAttribute } from '../events/event-chain.ts';
import type { EventOutlines, LogAttributes } from '../events/event-items.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import type { Attributes } from '../store/item.ts';
import type { RawItem } from '../store/raw-items.ts';
import { queryEventLog, queryPages, readItem } from '../store/read.ts';
import { tryTransact } from '../store/transactions/transact.ts';
import { cachePerObject } from '../values/cache.ts';
import { mapChunks } from '../values/lists.ts';
import { endlessTime, type TimeBudget } from '../values/time-budget.ts';
import * as historyKeys from './keys.ts';
import { buildSeal, idOfLeaf, type Leaf, lateMs, leavesOf, type Seal, type SealLeaves } from './seal.ts';
import { type SealItem, toSeal } from './seal-items.ts';

const minuteMs = 60_000;

/** The time between two seals. */
const periodMs = 10 * minuteMs;
/** The age at which events are sealed. The transaction of an earlier event may still be under way before. */
const settlingMs = 2 * minuteMs;
/** The most leaves of a seal, which take about 250 kB of an item. */
const leavesMax = 4_000;

/** An item of events as the index has it. */
type UnsealedItem = Key & LogAttributes;

/** The time of the last run of this process, by store. */
const lastRuns = cachePerObject((_: Request['store']) => ({ ms: Number.NEGATIVE_INFINITY }));

/**
 * Seals the events that no seal lists yet, at most every ten minutes. Several processes can run it at the same time, and each can die
 * at any point: only one process creates the seal with the next number.
 * @returns `more` if the budget was over before all events were sealed; the next call continues.
 * @throws Error if the store fails.
 */
export async function sealEvents(
  request: Request,
  now: Date,
  budget = endlessTime,
): Promise<'done' | 'more' | 'too early'> {
  const lastRun = lastRuns(request.store);
  const sinceLastMs = now.getTime() - lastRun.ms;
  // After a clock that was ahead is set right, the last run is in the future.
  if (sinceLastMs >= 0 && sinceLastMs < periodMs) return 'too early';
  lastRun.ms = now.getTime();
  const last = await loadLastSeal(request);
  const from = last === undefined ? '' : subtractMs(last.upTo, lateMs);
  const progress = await sealRange(request, last, { now, from, budget });
  if (progress === 'more') lastRun.ms = Number.NEGATIVE_INFINITY;
  return progress === 'more' ? 'more' : 'done';
}

/**
 * Seals all events that no seal lists, old ones included: the events of a migration are older than the last seal.
 * @throws Error if the store fails.
 */
export async function sealAllEvents(request: Request, now: Date): Promise<void> {
  const range = { now, from: '', budget: endlessTime };
  while ((await sealRange(request, await loadLastSeal(request), range)) === 'overtaken');
}

/** Reads the last seal; undefined if there is none. */
export async function loadLastSeal(request: Request): Promise<Seal | undefined> {
  for await (const [seal] of readSeals(request, 1)) return seal;
  return undefined;
}

/** Reads all seals, the newest first, page by page. */
async function* readSeals(request: Request, pageSize?: number): AsyncGenerator<Seal[]> {
  const options = { descending: true, pageSize };
  for await (const page of queryPages<SealItem>(request, historyKeys.seals(), options)) yield page.map(toSeal);
}

/** Reads the leaves of seals. */
async function loadLeaves(request: Request, seals: readonly Seal[]): Promise<Leaf[]> {
  const items = await mapChunks(seals, 4, ({ number }) =>
    readItem<SealLeaves>(request, historyKeys.sealLeaves(number)),
  );
  return items.flatMap((item) => (item === undefined ? [] : leavesOf(item)));
}

interface SealRange {
  readonly now: Date;
  /** The time in the index from which events may be unsealed; empty for the beginning. */
  readonly from: string;
  /** The time after which no further seal is begun. */
  readonly budget: TimeBudget;
}

/** Seals the events of a range that no seal lists yet. @returns `overtaken` if another process has made a seal meanwhile. */
async function sealRange(
  request: Request,
  last: Seal | undefined,
  { now, from, budget }: SealRange,
): Promise<'done' | 'more' | 'overtaken'> {
  const settled = subtractMs(now.toISOString(), settlingMs);
  // The clock of this process is more than an hour behind that of the last seal.
  if (from > settled) return 'done';
  const sealed = await loadSealedIds(request, from);
  let before = last;
  const storeSeal = async (items: readonly UnsealedItem[], upTo: string): Promise<boolean> => {
    const isLater = before === undefined || upTo > before.upTo;
    const times = { at: now.toISOString(), upTo: isLater ? upTo : (before?.upTo ?? upTo) };
    const leaves = await readLeaves(request, items);
    if (leaves.length === 0) return true;
    const { number, leaves: content, ...built } = buildSeal(before, leaves, times);
    const head = { ...built, first: String(items.at(0)?.at), last: String(items.at(-1)?.at) };
    before = { number, ...head };
    return tryTransact(
      request,
      { put: historyKeys.seal(number), item: head, when: 'absent' },
      { put: historyKeys.sealLeaves(number), item: { leaves: content } },
    );
  };
  let waiting: UnsealedItem[] = [];
  // A seal with only the events of checkpoints would lead to another checkpoint, and so on.
  const isWorthSealing = () => !waiting.every(isOfCheckpoint);
  for await (const page of queryEventLog<UnsealedItem>(request, { from: from || ' ', to: settled, ascending: true })) {
    waiting.push(...page.filter((item) => !sealed.has(idOfItem(item))));
    while (waiting.length >= leavesMax || (budget.isOver() && isWorthSealing())) {
      const items = waiting.slice(0, leavesMax);
      waiting = waiting.slice(leavesMax);
      // Another process has sealed these events, which the next run sees.
      if (!(await storeSeal(items, timeOf(items.at(-1)) ?? settled))) return 'overtaken';
      if (budget.isOver()) return 'more';
    }
  }
  if (isWorthSealing() && !(await storeSeal(waiting, settled))) return 'overtaken';
  return 'done';
}

/** Tells whether an item only has events of checkpoints. */
function isOfCheckpoint({ about }: UnsealedItem): boolean {
  const [, , ...events] = JSON.parse(about) as EventOutlines;
  return events.every(([, type]) => type === 'history-checkpoint-created');
}

/** Returns the time of an item in the index. */
const timeOf = (item: UnsealedItem | undefined) => item?.at.slice(0, item.at.indexOf('#'));

/** Reads items of events, and returns their leaves. */
async function readLeaves(request: Request, items: readonly Key[]): Promise<Leaf[]> {
  const read = await mapChunks(items, 100, ({ pk, sk }) => readItem<RawItem>(request, { pk, sk }));
  return read.flatMap((item) => (item === undefined ? [] : leafOf(item, item)));
}

/** Returns the leaf of an item of events. @internal */
export function leafOf(key: Key, item: Attributes): Leaf {
  return `${idOfItem(key)}:${item[linkAttribute] ?? hashContent(key, item)}`;
}

/** Returns the id of the first event of an item. */
const idOfItem = ({ sk }: Pick<Key, 'sk'>): number => Number(sk);

/** Loads the ids of the events since a time that seals list. */
async function loadSealedIds(request: Request, from: string): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  // A process whose clock was behind may have sealed an event before the time of that event.
  const since = from === '' ? '' : subtractMs(from, lateMs);
  for await (const page of readSeals(request)) {
    const seals = page.filter(({ at }) => at >= since);
    // A seal of older events, such as those of an import, lists nothing in the range.
    const inRange = seals.filter(({ last = from }) => last >= from);
    for (const leaf of await loadLeaves(request, inRange)) ids.add(idOfLeaf(leaf));
    if (seals.length < page.length) return ids;
  }
  return ids;
}

function subtractMs(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}
