import type { RawItem } from '../store/raw-items.ts';
import type { Checkpoint } from './checkpoint-schema.ts';
import * as historyKeys from './keys.ts';
import { computeRoot, hashOfLeaf, hashSeal, idOfLeaf, lateMs, leavesOf, type Seal } from './seal.ts';
import { isOfSeals, readLeavesItem, readSealItem } from './seal-items.ts';
import { type Finding, FindingList } from './verification/findings.ts';
import { HistoryCopy } from './verification/history-copy.ts';
import { isEventItem, readEvents, readOwn } from './verification/read-item.ts';
import { eventOfRow, reportRemoved, verifyChains } from './verification/verify-chain.ts';
import { type StoredLeaves, verifyCheckpoints, verifySeals } from './verification/verify-seals.ts';

/** The result of a verification. */
export interface HistoryReport {
  /** The numbers of events, of features with deleted ones, and of seals. */
  readonly events: number;
  readonly features: number;
  readonly seals: number;
  /** The events and seals that were altered, removed, added or put elsewhere. */
  readonly findings: readonly Finding[];
  /** The number of further findings. */
  readonly furtherFindings: number;
  /** The limits of the verification: what it cannot know, in sentences. */
  readonly limits: readonly string[];
}

/**
 * Verifies a history without trusting the service that wrote it.
 * @param items the items of a store or of a backup at one moment, in any order.
 * @param checkpoints checkpoints that were kept elsewhere. One that keeps the seals makes the findings exact.
 */
export async function verifyHistory(
  items: AsyncIterable<RawItem> | Iterable<RawItem>,
  checkpoints: readonly Checkpoint[] = [],
): Promise<HistoryReport> {
  using copy = new HistoryCopy();
  const findings = new FindingList();
  const kept = addKeptSeals(checkpoints, copy, findings);
  const { events, unlinked, ...read } = await readHistory(items, kept, copy, findings);
  copy.buildIndexes();
  const seals = [...read.seals.values()].toSorted((a, b) => a.number - b.number);
  verifySeals(seals, read.leaves, findings);
  const confirmed = verifyCheckpoints(read.seals, checkpoints, findings);
  const features = verifyChains(copy, findings);
  verifyService(copy, findings);
  verifyPresence(copy, [...seals, kept], findings);
  return {
    ...{ events, features, seals: seals.length },
    ...{ findings: findings.all, furtherFindings: findings.dropped },
    limits: describeLimits(copy, { first: seals.at(0), last: seals.at(-1), confirmed, kept, unlinked }),
  };
}

/** The end of the seals that a checkpoint keeps; 0 and empty without one. */
type KeptSeals = Pick<Seal, 'number' | 'upTo'>;

/**
 * Adds the leaves of the seals that checkpoints keep, which then count instead of those in the store.
 * @returns the last kept seal.
 */
function addKeptSeals(checkpoints: readonly Checkpoint[], copy: HistoryCopy, findings: FindingList): KeptSeals {
  let last: KeptSeals = { number: 0, upTo: '' };
  for (const { seals = [], hash } of checkpoints) {
    let previous = '';
    for (const seal of seals) {
      const isWhole = seal.previous === previous && computeRoot(leavesOf(seal)) === seal.root;
      if (!isWhole) throw new Error(`The checkpoint is damaged: seal ${seal.number} in it does not match its hash.`);
      previous = hashSeal(seal);
    }
    if (seals.length > 0 && previous !== hash)
      throw new Error('The checkpoint is damaged: its seals have another hash.');
    for (const seal of seals) addLeaves(seal.number, leavesOf(seal), copy, findings);
    const end = seals.at(-1);
    if (end !== undefined && end.number > last.number) last = end;
  }
  return last;
}

function addLeaves(seal: number, leaves: ReturnType<typeof leavesOf>, copy: HistoryCopy, findings: FindingList): void {
  for (const leaf of leaves) {
    const id = idOfLeaf(leaf);
    if (Number.isSafeInteger(id)) copy.addLeaf({ id, hash: hashOfLeaf(leaf), seal });
    else findings.add({ seal, problem: 'the list of its events was altered: it lists something else' });
  }
}

/** The seals that were read so far. */
interface ReadSeals {
  readonly seals: Map<number, Seal>;
  readonly leaves: Map<number, StoredLeaves>;
  readonly kept: KeptSeals;
}

/** Adds a seal, or the list of its leaves. An item with another key is refused: it could list an altered event as genuine. */
function addOfSeal(item: RawItem, { seals, leaves, kept }: ReadSeals, copy: HistoryCopy, findings: FindingList): void {
  const { pk, sk } = item;
  const list = readLeavesItem(item);
  const number = list?.number ?? Number(sk);
  const key = list === undefined ? historyKeys.seal(number) : historyKeys.sealLeaves(number);
  if (key.pk !== pk || key.sk !== sk) {
    findings.add({ problem: `the item "${pk}" "${sk}" was added: no seal has such a key` });
  } else if ((list === undefined ? seals : leaves).has(number)) {
    findings.add({
      seal: number,
      problem: `it was added: ${list === undefined ? 'the seal' : 'its list'} is there twice`,
    });
  } else if (list !== undefined) {
    const all = leavesOf(list);
    leaves.set(number, { count: all.length, root: computeRoot(all) });
    // Somebody may have added an event to a kept seal, and computed its hash again.
    if (number > kept.number) addLeaves(number, all, copy, findings);
  } else {
    const seal = readSealItem(item);
    if (seal === undefined) findings.add({ seal: number, problem: 'it was altered: a part of it is missing' });
    else seals.set(number, seal);
  }
}

/** Reads all items once. */
async function readHistory(
  items: AsyncIterable<RawItem> | Iterable<RawItem>,
  kept: KeptSeals,
  copy: HistoryCopy,
  findings: FindingList,
) {
  const seals = new Map<number, Seal>();
  const leaves = new Map<number, StoredLeaves>();
  let events = 0;
  let unlinked = 0;
  for await (const item of items) {
    if (isEventItem(item)) {
      const row = readEvents(item, findings);
      copy.addEvents(row);
      events += row.count;
      if (row.link === null) unlinked += row.count;
    } else if (isOfSeals(item)) {
      addOfSeal(item, { seals, leaves, kept }, copy, findings);
    } else {
      const own = readOwn(item);
      if (own !== undefined) copy.addOwn(own);
    }
  }
  return { events, unlinked, seals, leaves };
}

/** Verifies events of no feature, which have no links. */
function verifyService(copy: HistoryCopy, findings: FindingList): void {
  for (const row of copy.listServiceEvents()) {
    if (row.leaf === null || (row.leaf === row.content && row.link === null)) continue;
    findings.add({ ...eventOfRow(row), problem: `it was altered after seal ${row.seal} had listed it` });
  }
}

/**
 * Verifies that everything that seals list is there, and that they list everything old.
 * @param ends the ends of all seals: somebody could have made a last one that ends earlier.
 */
function verifyPresence(copy: HistoryCopy, ends: readonly KeptSeals[], findings: FindingList): void {
  for (const leaf of copy.listMissingLeaves()) reportRemoved(leaf, null, findings);
  for (const { id, seal, otherSeal } of copy.listConflictingLeaves()) {
    const problem = `it was altered: the seals ${seal} and ${otherSeal} list it with different content`;
    findings.add({ event: id, problem });
  }
  for (const row of copy.listTooOldForSeal(findEarliest(ends))) {
    const problem = `it was added: a seal before seal ${row.seal} would list it if it had been there then`;
    findings.add({ ...eventOfRow(row), problem });
  }
  const { number, upTo } = ends.reduce((latest, end) => (end.upTo > latest.upTo ? end : latest));
  for (const row of copy.listUnsealedBefore(upTo, findLateStart(upTo))) {
    const problem = row.isImported
      ? 'no seal lists it: it was added, or imported by a migration that has not ended'
      : `it was added: seal ${number} would list it if it had been there before ${upTo}`;
    findings.add({ ...eventOfRow(row), problem });
  }
}

/** Returns the time of the earliest events that each seal can list: earlier ones are in a seal before it, unless they came late. */
function findEarliest(ends: readonly KeptSeals[]): Map<number, string> {
  const earliest = new Map<number, string>();
  let latest = '';
  const byNumber = Map.groupBy(ends, ({ number }) => number);
  for (const [number, same] of [...byNumber].toSorted(([a], [b]) => a - b)) {
    const start = findLateStart(latest);
    if (start !== '') earliest.set(number, start);
    for (const { upTo } of same) if (upTo > latest) latest = upTo;
  }
  return earliest;
}

/** Returns the time from which something can still be new although seals have ended at a later one; empty if that is no time. */
function findLateStart(end: string): string {
  const ms = Date.parse(end);
  return Number.isNaN(ms) ? '' : new Date(ms - lateMs).toISOString();
}

/** The parts of a result on which its limits depend. */
interface Coverage {
  readonly first: Seal | undefined;
  readonly last: Seal | undefined;
  /** The last seal that a checkpoint confirms. */
  readonly confirmed: number;
  /** The last seal that a checkpoint keeps. */
  readonly kept: KeptSeals;
  /** The number of events without a link. */
  readonly unlinked: number;
}

/** Lists the limits of a verification, in sentences. */
function describeLimits(copy: HistoryCopy, { first, last, confirmed, kept, unlinked }: Coverage): string[] {
  const limits: string[] = [];
  if (first === undefined) limits.push('There is no seal yet, so only the links of features protect the events.');
  if (unlinked > 0) limits.push(describeUnlinked(unlinked.toLocaleString('en-US'), first));
  if (confirmed !== (last?.number ?? 0)) {
    const seals =
      confirmed === 0
        ? 'No checkpoint from elsewhere confirms the seals'
        : `No checkpoint confirms the seals after ${confirmed}`;
    limits.push(
      `${seals}, so somebody who can write to the store could have altered their events and computed all later links and seals again.`,
    );
  }
  if (kept.number < confirmed)
    limits.push(
      `The checkpoint is a hash only: it proves that nothing was altered until seal ${confirmed}, but cannot name an event if all later hashes were computed again.`,
    );
  const { count, since } = copy.summarizeUnsealed();
  if (count > 0) {
    const changes =
      count === 1 ? `The change of ${since} is` : `${count.toLocaleString('en-US')} changes since ${since} are`;
    limits.push(
      `${changes} in no seal yet. If the newest were removed, with what the features know of them, nobody would notice.`,
    );
  }
  return limits;
}

function describeUnlinked(count: string, first: Seal | undefined): string {
  const origin = 'events of no feature, imported histories, and those of releases before 0.7';
  return first === undefined
    ? `Nothing protects ${count} events until a seal lists them, since they have no link: ${origin}.`
    : `${count} events have no link: ${origin}. What happened to them before the seal that lists them cannot be known; the first seal is of ${first.at}.`;
}
