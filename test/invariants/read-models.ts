import { isDeepStrictEqual } from 'node:util';
import { addDefaults } from '../../lib/features/items/compact-item.ts';
import { toDeliveredState } from '../../lib/features/items/delivered-feature.ts';
import * as featureKeys from '../../lib/features/keys.ts';
import { entryOf, type ReadModelItem } from '../../lib/features/read-model/read-model-items.ts';
import { entryAmountsOf } from '../../lib/projects/ledger.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import type { Item } from '../harness/items.ts';

/** Attributes that only count the changes of a feature, so that its project does not list them. */
const counting = [
  'version',
  'firstEventId',
  'lastEventId',
  'eventCount',
  'childCount',
  'schedules',
  'importedEventId',
  'link',
];

/** Attributes of an own item that one in a read model omits at their usual values. */
const saidOfOwn: Readonly<Record<string, unknown>> = { archivedAt: null, dependencies: '[]' };

/**
 * Lists the contradictions between features and the read models of their projects: each project lists its features as their
 * own items have them, with the part that SDKs get, and keeps the sum of their marks and their counts.
 * @param items all items of a table.
 */
export function readModelProblems(items: readonly Item[]): string[] {
  const wanted = items.filter(isFeature).flatMap((own) => [listedItem(own), ...deliveries(own, items)]);
  const readModels = items.filter(({ pk }) => /^PROJECT#[^#]+#FEATURES$/.test(pk));
  const [shards, found] = [readModels.filter(isShard), readModels.filter((item) => !isShard(item))];
  const texts = new Map(wanted.map((item) => [textOf(item), item]));
  return [
    ...found
      .filter((item) => !isDeepStrictEqual(readable(item), texts.get(textOf(item)) ?? {}))
      .map((item) => `${textOf(item)} is not what its feature says: ${JSON.stringify(readable(item))}.`),
    ...[...new Set(texts.keys()).difference(new Set(found.map(textOf)))].map((text) => `${text} is missing.`),
    ...[...Map.groupBy(readModels, ({ pk }) => pk).keys()].flatMap((pk) => {
      const isHere = (item: Item) => item.pk === pk;
      const kept = totals(
        shards.filter(isHere).map(({ pk: _pk, sk: _sk, r: _r, changedAt: _changedAt, ...amounts }) => amounts),
      );
      const meant = totals(found.filter(isHere).filter(isListed).map(amountsOf));
      return isDeepStrictEqual(kept, meant)
        ? []
        : [`${pk} keeps ${JSON.stringify(kept)} of its features, which are ${JSON.stringify(meant)}.`];
    }),
  ];
}

const isFeature = ({ pk, sk, deleted }: Item) => pk.startsWith('FEATURE#') && sk === 'FEATURE' && deleted !== true;
const isShard = ({ sk }: Item) => sk.startsWith('MARK#');
const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** A feature in the list, and not what SDKs get of it. */
const isListed = (item: Item) => 'mark' in item;

/** Returns the amounts that a feature adds to the numbers of its project. */
function amountsOf(item: Item): Readonly<Record<string, number>> {
  const own = addDefaults(item as unknown as ReadModelItem);
  return Object.fromEntries(entryAmountsOf(entryOf({ project: '', revision: own, own })));
}

/** The sums by name, but for those that are 0. */
function totals(all: readonly Readonly<Record<string, unknown>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, amount] of all.flatMap((amounts) => Object.entries(amounts))) {
    sums.set(name, (sums.get(name) ?? 0) + Number(amount));
  }
  // That a project takes no features, or none that are on somewhere, counts none; nor does what went from one to another.
  const counts = [...sums].filter(([name, amount]) => amount !== 0 && !/^(closed|moved|in|out)(:|$)/.test(name));
  return Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function listedItem({ pk: _pk, sk: _sk, name, project, ...own }: Item): Item {
  const shown = Object.entries(own).filter(
    ([attribute, value]) => !counting.includes(attribute) && saidOfOwn[attribute] !== value,
  );
  return { ...featureKeys.listedFeature(String(project), String(name)), ...Object.fromEntries(shown) };
}

function deliveries({ pk, name, project }: Item, items: readonly Item[]): Item[] {
  const prefix = 'ENVIRONMENT#';
  return items
    .filter((item) => item.pk === pk && item.sk.startsWith(prefix))
    .flatMap(({ sk, strategies, variants, plan, version }) => {
      const state = toDeliveredState({
        strategies: JSON.parse(String(strategies)),
        variants: JSON.parse(String(variants)),
        ...(plan !== undefined && { plan: JSON.parse(String(plan)) }),
      });
      // A larger feature has no item in the read model.
      if (Buffer.byteLength(JSON.stringify(state)) > 300 * 1024) return [];
      return [{ ...featureKeys.delivery(String(project), sk.slice(prefix.length), String(name)), state, version }];
    });
}

/** An item whose JSON is compared as what it says. */
function readable(item: Item): Item {
  return 'state' in item ? { ...item, state: JSON.parse(String(item.state)) } : item;
}
