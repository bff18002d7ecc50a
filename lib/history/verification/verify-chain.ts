import { computeLink } from '../../events/event-chain.ts';
import type { FindingList } from './findings.ts';
import type { HistoryCopy, LeafRow, OwnRow, SealedRow } from './history-copy.ts';

/** The state of the chain of a feature after some of its items. */
interface ChainState {
  /** The links that the next item may continue: one, or more after an item that was altered. */
  links: readonly (string | undefined)[];
  /** The last link that the store has. */
  stored: string | undefined;
  /** The item before. */
  row: SealedRow | undefined;
  total: number;
  firstOfFeature: number | null;
  /** The number of genuine items whose links were computed again. */
  relinked: number;
}

/**
 * Verifies the chains of all features, and their own items. Seals list the links that items had, and decide where the store has another link.
 * @returns the number of features, with deleted ones.
 */
export function verifyChains(copy: HistoryCopy, findings: FindingList): number {
  let features = 0;
  for (const rows of groupByFeature(copy.listFeatureEvents())) {
    features += 1;
    verifyChain(rows, copy, findings);
  }
  for (const { feature } of copy.listOwnWithoutEvents())
    findings.add({ feature, problem: 'all its events are missing' });
  return features;
}

/** Groups consecutive rows of the same feature. Those of one feature are in memory at the same time. */
function* groupByFeature(rows: Iterable<SealedRow>): Generator<readonly SealedRow[]> {
  let group: SealedRow[] = [];
  for (const row of rows) {
    if (group.length > 0 && group[0]?.feature !== row.feature) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}

function verifyChain(rows: readonly SealedRow[], copy: HistoryCopy, findings: FindingList): void {
  const feature = String(rows[0]?.feature);
  const state: ChainState = {
    ...{ links: [undefined], stored: undefined, row: undefined },
    ...{ total: 0, firstOfFeature: null, relinked: 0 },
  };
  for (const [index, row] of rows.entries()) {
    if (isOutsideChain(row, rows[index + 1], state)) {
      findings.add({ ...eventOfRow(row), problem: 'it was added: later events do not continue it' });
    } else {
      verifyRow(row, state, copy, findings);
    }
  }
  if (state.relinked > 0) {
    const problem = `the links of ${state.relinked} genuine changes were computed again, to hide another change`;
    findings.add({ feature, problem });
  }
  verifyOwn(rows, copy.findOwn(feature), state, copy, findings);
}

/** Returns the part of a finding that says which event it is about. */
export function eventOfRow({ firstId, feature, at }: SealedRow) {
  return { event: firstId, ...(feature !== null && { feature }), at };
}

/** Tells whether somebody added an item without computing later links again, so that the next item continues the one before it. */
function isOutsideChain(row: SealedRow, next: SealedRow | undefined, { links }: ChainState): boolean {
  if (next === undefined || row.leaf !== null || row.link === null) return false;
  return !isContinued(row, links) && isContinued(next, links);
}

/** Tells whether an item continues one of some links. */
function isContinued(row: SealedRow, links: ChainState['links']): boolean {
  return links.some((link) => computeLink(link, row.content) === witnessOf(row));
}

/** Returns the link of an item: as a seal lists it, or else as the item has it. */
const witnessOf = ({ leaf, link }: SealedRow): string | null => leaf ?? link;

/** Tells whether an item never had a link. */
function isUnlinked({ leaf, link, content }: SealedRow): boolean {
  return leaf === null ? link === null : leaf === content;
}

function verifyRow(row: SealedRow, state: ChainState, copy: HistoryCopy, findings: FindingList): void {
  if (row.firstOfFeature !== state.firstOfFeature) state.total = 0;
  const gap = (row.total ?? 0) - row.count - state.total;
  if (isUnlinked(row)) verifyUnlinked(row, gap, state, copy, findings);
  else verifyLinked(row, gap, state, copy, findings);
  Object.assign(state, { row, total: row.total ?? 0, firstOfFeature: row.firstOfFeature });
}

/** Verifies an item of an older release, or of an imported history. Only its seal and the totals can tell something about it. */
function verifyUnlinked(
  row: SealedRow,
  gap: number,
  state: ChainState,
  copy: HistoryCopy,
  findings: FindingList,
): void {
  if (row.link !== null) {
    findings.add({ ...eventOfRow(row), problem: 'it was altered: it had no link when it was sealed' });
  } else {
    verifyTotal(row, gap, state, copy, findings);
  }
}

/** @param gap the number of events that an item counts and that are missing; negative for events that it does not count. */
function verifyTotal(row: SealedRow, gap: number, state: ChainState, copy: HistoryCopy, findings: FindingList): void {
  const { row: before } = state;
  if (gap > 0) {
    const [removed, ...others] = copy.listMissingLeavesBetween(before?.lastId ?? 0, row.firstId);
    // Leaves name no feature. A single missing item must be of this feature; several may be of others.
    if (removed === undefined) reportMissing(row, gap, state, findings);
    else if (others.length === 0) reportRemoved(removed, row.feature, findings);
  } else if (gap < 0) {
    const isBefore = before !== undefined && before.leaf === null && isUnlinked(before);
    const problem = 'it was added: the totals of the feature do not count it';
    findings.add({ ...eventOfRow(isBefore ? before : row), problem });
  }
}

function verifyLinked(row: SealedRow, gap: number, state: ChainState, copy: HistoryCopy, findings: FindingList): void {
  const { row: before, links } = state;
  const witness = witnessOf(row) ?? undefined;
  const isBeforeUnlinked = before !== undefined && isUnlinked(before);
  state.stored = row.link ?? state.stored;
  // A release before 0.7 deletes a feature without keeping its link, for example during a deployment.
  if (isContinued(row, links) || (isBeforeUnlinked && isContinued(row, [undefined]))) {
    if (row.link === null) findings.add({ ...eventOfRow(row), problem: 'it was altered: its link was removed' });
    else if (row.link !== witness) state.relinked += 1;
    verifyTotal(row, gap, state, copy, findings);
    // Somebody may have computed the links again up to this item, so that the next one continues the stored link.
    state.links = row.link === null ? [witness] : [witness, row.link];
    return;
  }
  state.links = [witness, ...links];
  const removed = findRemoved(copy.listMissingLeavesBetween(before?.lastId ?? 0, row.firstId), (leaf) =>
    isContinued(row, [leaf]),
  );
  if (removed !== undefined) {
    reportRemoved(removed, row.feature, findings);
    state.links = [witness];
  } else if (isBeforeUnlinked && links.some((link) => isContinued(row, [computeLink(link, before.content)]))) {
    findings.add({ ...eventOfRow(before), problem: 'it was altered: its link was removed' });
    state.links = [witness];
  } else if (gap > 0 && row.leaf === null) {
    reportMissing(row, gap, state, findings);
  } else if (before !== undefined && before.leaf === null && row.leaf === null && !isBeforeUnlinked) {
    const problem = `it was altered, or event ${before.firstId}, which is before it, was altered together with its link`;
    findings.add({ ...eventOfRow(row), problem });
  } else {
    findings.add({ ...eventOfRow(row), problem: 'it was altered: its content does not match its link' });
  }
}

function findRemoved(leaves: Iterable<LeafRow>, matches: (hash: string) => boolean): LeafRow | undefined {
  for (const leaf of leaves) if (matches(leaf.hash)) return leaf;
  return undefined;
}

/** Reports an item that is missing although a seal lists it. */
export function reportRemoved({ id, seal }: LeafRow, feature: string | null, findings: FindingList): void {
  const problem = `it was removed: seal ${seal} lists it, but it is missing`;
  findings.add({ event: id, ...(feature !== null && { feature }), seal, problem });
}

/** Reports events that only the totals of the feature tell of. */
function reportMissing(row: SealedRow, gap: number, { row: before }: ChainState, findings: FindingList): void {
  const { feature, at } = eventOfRow(row);
  const after = before === undefined ? '' : `after event ${before.lastId} and `;
  const problem = `${gap} of its events ${after}before event ${row.firstId} are missing`;
  findings.add({ ...(feature !== undefined && { feature }), at, problem });
}

/** Verifies a feature's own item, which knows its last event, the number of its events, and its last link. */
function verifyOwn(
  rows: readonly SealedRow[],
  own: OwnRow | undefined,
  { links, stored, total, firstOfFeature }: ChainState,
  copy: HistoryCopy,
  findings: FindingList,
): void {
  const row = rows.at(-1);
  if (row === undefined) return;
  const feature = String(row.feature);
  if (own === undefined) {
    findings.add({ feature, problem: 'the feature itself is missing, and was not deleted by a change' });
    return;
  }
  const removed = findRemoved(
    own.link === null ? [] : copy.listMissingLeavesBetween(row.lastId, Number.MAX_SAFE_INTEGER),
    (leaf) => leaf === own.link,
  );
  const end = own.lastEventId ?? 0;
  const isDeleted = own.isDeleted === 1;
  const isSameTotal = isDeleted || (own.eventCount === total && own.firstEventId === firstOfFeature);
  const isSameLink = [...links, stored].includes(own.link ?? undefined) || (own.link === null && isUnlinked(row));
  if (removed !== undefined) {
    reportRemoved(removed, feature, findings);
  } else if (end > row.lastId) {
    findings.add({ feature, problem: `its events after event ${row.lastId} up to event ${end} are missing` });
  } else if (end < row.lastId) {
    const unknown = rows.filter(({ lastId }) => lastId > end);
    for (const late of unknown)
      findings.add({ ...eventOfRow(late), problem: 'it was added: the feature does not know it' });
  } else if (!isSameLink) {
    findings.add({ ...eventOfRow(row), problem: 'it was altered: the feature knows another link of its last event' });
  } else if (!isSameTotal) {
    findings.add({ feature, problem: 'the feature itself counts other events than there are' });
  }
}
