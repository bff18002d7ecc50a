import { computeLink, hashContent } from '../../lib/events/event-chain.ts';
import { buildSeal, type Leaf, leavesOf, type Seal, type SealLeaves } from '../../lib/history/seal.ts';
import { leafOf } from '../../lib/history/seal-events.ts';
import { toSeal } from '../../lib/history/seal-items.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import type { RawItem } from '../../lib/store/raw-items.ts';
import { type Item, isEvents } from './items.ts';

/* What somebody who can write to the store can do to a history. Each function returns other items and leaves the given ones alone. */

type StoredEventFields = Readonly<Record<string, unknown>> & { readonly id: number; readonly createdAt: string };

const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
const isOf =
  (key: Key) =>
  (item: Key): boolean =>
    textOf(item) === textOf(key);

const parse = (item: Item): StoredEventFields[] => JSON.parse(String(item.events));

/** Makes an event say that somebody else did it. */
export function alterEvent(items: readonly Item[], target: Item, name = 'somebody else'): Item[] {
  const events = parse(target).map((event) => ({ ...event, createdBy: name }));
  const altered = { ...target, events: JSON.stringify(events) };
  return items.map((item) => (isOf(target)(item) ? altered : item));
}

/** Removes an item of events. */
export function removeEvent(items: readonly Item[], target: Item): Item[] {
  return items.filter((item) => !isOf(target)(item));
}

/** Adds a copy of an item of events under another id, with or without a link. */
export function addEvent(items: readonly Item[], target: Item, id: number, isLinked = true): Item[] {
  const { link, ...rest } = target;
  const events = parse(target).map((event, index) => ({ ...event, id: id + index }));
  const added = {
    ...rest,
    ...(isLinked && link !== undefined && { link }),
    sk: String(id).padStart(16, '0'),
    at: `${events[0]?.createdAt}#${String(id).padStart(16, '0')}`,
    about: String(rest.about).replaceAll(String(parse(target)[0]?.id), String(id)),
    events: JSON.stringify(events),
  };
  return [...items, added as Item].toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/** Adds a copy of an item of events of no feature under another id, as if it had happened at an earlier time. */
export function addOldEvent(items: readonly Item[], target: Item, id: number, createdAt: string): Item[] {
  const added = addEvent([], target, id, false).map((item) => ({
    ...item,
    ...{ pk: `EVENTS#${createdAt.slice(0, 7)}`, at: `${createdAt}#${item.sk}` },
    events: JSON.stringify(parse(item).map((event) => ({ ...event, createdAt }))),
  }));
  return [...added, ...items];
}

/** Exchanges the contents of two items of events, so that each tells of the other change. */
export function swapEvents(items: readonly Item[], one: Item, other: Item): Item[] {
  const swapped = (target: Item, source: Item): Item => {
    const [ids, contents] = [parse(target), parse(source)];
    const events = contents.map((event, index) => ({
      ...event,
      id: Number(ids[0]?.id) + index,
      createdAt: ids[0]?.createdAt,
      featureName: ids[0]?.featureName,
    }));
    return { ...target, events: JSON.stringify(events) };
  };
  return items.map((item) => {
    if (isOf(one)(item)) return swapped(one, other);
    return isOf(other)(item) ? swapped(other, one) : item;
  });
}

/** Computes all links, own items and seals again, as somebody does who wants to hide what they did. */
export function computeAllAgain(items: readonly Item[]): Item[] {
  const byPlace = new Map(items.map((item) => [textOf(item), item]));
  const chains = Map.groupBy(
    items.filter(({ pk }) => pk.endsWith('#EVENTS')),
    ({ pk }) => pk,
  );
  for (const [pk, chain] of chains) {
    let last: string | undefined;
    let [total, group, end]: [number, unknown, number] = [0, undefined, 0];
    for (const item of chain) {
      const events = parse(item);
      if (item.firstId !== group) [total, group] = [0, item.firstId];
      total += events.length;
      end = events.at(-1)?.id ?? end;
      const counted: Item = { ...item, total };
      const link = item.link === undefined ? undefined : computeLink(last, hashContent(counted, counted as RawItem));
      byPlace.set(textOf(item), link === undefined ? counted : { ...counted, link });
      last = link ?? last;
    }
    const place = `${pk.replace(/#EVENTS$/, '')} FEATURE`;
    const own = byPlace.get(place);
    if (own === undefined) continue;
    const counts = own.deleted === true ? {} : { eventCount: total, firstEventId: group };
    const again = { ...own, ...counts, lastEventId: end, ...(last !== undefined && { link: last }) };
    byPlace.set(place, JSON.parse(JSON.stringify(again)));
  }
  return sealAgain([...byPlace.values()]);
}

/**
 * Lists an altered item in a seal after the last one, which nobody has checkpointed. Older seals stay as they are.
 * @param upTo the time up to which the new seal says that everything is sealed; that of the last one by default.
 */
export function sealOnceMore(items: readonly Item[], { pk, sk }: Item, upTo?: string): Item[] {
  const seals = items
    .filter((item) => item.pk === 'SEALS')
    .map((item) => toSeal(item as unknown as Parameters<typeof toSeal>[0]));
  const last = seals.toSorted((a, b) => a.number - b.number).at(-1);
  const altered = items.find(isOf({ pk, sk })) as Item;
  const times = { at: String(last?.at), upTo: upTo ?? String(last?.upTo) };
  const { leaves, number, ...head } = buildSeal(last, [leafOf(altered, altered as RawItem)], times);
  const place = String(number).padStart(16, '0');
  // A store or a backup can have any order.
  return [
    { pk: `SEAL#${place}`, sk: 'LEAVES', leaves } as Item,
    ...items,
    { pk: 'SEALS', sk: place, ...head } as unknown as Item,
  ];
}

/** Adds another list of the first seal, which has an altered item, under another key or the same one. */
export function addFalseList(items: readonly Item[], { pk, sk }: Item, key: Key): Item[] {
  const altered = items.find(isOf({ pk, sk })) as Item;
  return [{ ...key, leaves: leafOf(altered, altered as RawItem) } as Item, ...items];
}

/** Makes all seals again from the items that there are; those that no seal listed are in the last one. */
function sealAgain(items: readonly Item[]): Item[] {
  const seals = items
    .filter(({ pk }) => pk === 'SEALS')
    .map((item) => toSeal(item as unknown as Parameters<typeof toSeal>[0]));
  const old = new Map(
    items
      .filter(({ pk }) => pk.startsWith('SEAL#'))
      .flatMap(({ pk, leaves }) =>
        leavesOf({ leaves } as SealLeaves).map((leaf) => [Number(leaf.split(':')[0]), Number(pk.slice(5))]),
      ),
  );
  const lists = new Map<number, Leaf[]>(seals.map(({ number }) => [number, []]));
  const last = seals.at(-1);
  for (const item of items.filter(({ pk }) => isEvents(pk))) {
    const isLate = last === undefined || String(item.at) >= last.upTo;
    const number = old.get(Number(item.sk)) ?? (isLate ? undefined : last.number);
    if (number !== undefined) lists.get(number)?.push(leafOf(item, item as RawItem));
  }
  let before: Seal | undefined;
  const made = seals.flatMap((seal) => {
    const { leaves, number, ...head } = buildSeal(before, lists.get(seal.number) ?? [], seal);
    before = { number, ...head };
    const sk = String(number).padStart(16, '0');
    return [
      { pk: 'SEALS', sk, ...head },
      { pk: `SEAL#${sk}`, sk: 'LEAVES', leaves },
    ] as Item[];
  });
  return [...items.filter(({ pk }) => pk !== 'SEALS' && !pk.startsWith('SEAL#')), ...made];
}
