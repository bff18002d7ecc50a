import { type EventsItem, eventsOf } from '../../lib/events/event-items.ts';
import type { Request } from '../../lib/request.ts';
import { type Key, keyText } from '../../lib/store/client/definition.ts';
import { batchWritesMax, type RawItem, scanPages, writeBatch } from '../../lib/store/raw-items.ts';
import { chunksOf } from '../../lib/values/lists.ts';

/** An item as the store holds it. */
export type Item = Key & Readonly<Record<string, unknown>>;

/**
 * Reads the same as `contentOf` once nothing moves any more: requests of a dead process may still be carried out for a
 * moment.
 */
export async function contentAtRest(table: Request): Promise<Item[]> {
  let text = '';
  for (;;) {
    const items = await contentOf(table);
    const next = JSON.stringify(items);
    if (next === text) return items;
    text = next;
  }
}

/** Reads all items of a table, in order. */
export async function contentOf(table: Request): Promise<Item[]> {
  const pages = await Array.fromAsync(scanPages(table));
  return pages
    .flat()
    .map(inOrder)
    .toSorted((a, b) => compare(a.pk, b.pk) || compare(a.sk, b.sk));
}

/** Makes a table hold what it held before. */
export async function restoreContent(table: Request, before: readonly Item[]): Promise<void> {
  const now = await contentOf(table);
  const [textsNow, keysBefore] = [new Set(now.map((item) => JSON.stringify(item))), new Set(before.map(keyText))];
  const puts = before.filter((item) => !textsNow.has(JSON.stringify(item)));
  const removals = now.filter((item) => !keysBefore.has(keyText(item)));
  await Promise.all([
    ...[...chunksOf(puts, batchWritesMax)].map((chunk) => writeBatch(table, chunk as RawItem[])),
    ...[...chunksOf(removals, batchWritesMax)].map((chunk) => writeBatch(table, [], chunk)),
  ]);
}

/** Sorts the attributes of an item, which the store returns in any order. */
function inOrder(item: Item): Item {
  return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => compare(a, b))) as Item;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Everything that the store holds, except the counter of event ids, which may leave gaps at any time. */
export async function snapshot(table: Request): Promise<Item[]> {
  return (await contentOf(table)).filter(({ pk }) => pk !== 'COUNTER#event');
}

/** The items that are in one of two snapshots only, each after the sign of the one. */
export function changesBetween(before: readonly Item[], after: readonly Item[]): string[] {
  const [old, now] = [before, after].map((items) => items.map((item) => JSON.stringify(item))) as [string[], string[]];
  const [wasThere, isThere] = [new Set(old), new Set(now)];
  return [
    ...old.filter((text) => !isThere.has(text)).map((text) => `- ${text}`),
    ...now.filter((text) => !wasThere.has(text)).map((text) => `+ ${text}`),
  ];
}

export interface StoredEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly type: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly preData: Readonly<Record<string, unknown>> | null;
  readonly tags: readonly unknown[];
}

export const isEvents = (pk: string) => pk.endsWith('#EVENTS') || pk.startsWith('EVENTS#');

/** Returns the events of an item, those of a feature with the tags of their moment. */
export function eventsIn(item: Item): readonly StoredEvent[] {
  return eventsOf(item as unknown as EventsItem);
}

/** Returns the events that an action adds to those of features and of the service, in their order. */
export async function eventsAddedTo(table: Request, action: () => Promise<unknown>): Promise<StoredEvent[]> {
  const stored = async () => (await contentOf(table)).flatMap((item) => (isEvents(item.pk) ? eventsIn(item) : []));
  const known = new Set((await stored()).map(({ id }) => id));
  await action();
  return (await stored()).filter(({ id }) => !known.has(id)).toSorted((a, b) => a.id - b.id);
}
