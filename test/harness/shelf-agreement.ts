import { isDeepStrictEqual } from 'node:util';
import { deliveredState } from '../../lib/features/delivered-feature.ts';
import { type Key, keys } from '../../lib/table/keys.ts';

type Item = Key & Readonly<Record<string, unknown>>;

/** What only counts the changes of a feature, so that its project does not list it. */
const counting = ['layout', 'version', 'firstEventId', 'lastEventId', 'eventCount', 'childCount'];

/**
 * What does not agree between features and the shelves of their projects: each project lists its features as their own
 * items have them, with what SDKs get of them, and keeps the sum of their marks.
 * @param items all that a table holds.
 */
export function shelfProblems(items: readonly Item[]): string[] {
  const wanted = items.filter(isFeature).flatMap((own) => [listedItem(own), ...deliveries(own, items)]);
  const shelves = items.filter(({ pk }) => /^PROJECT#[^#]+#FEATURES$/.test(pk));
  const [shards, found] = [shelves.filter(isShard), shelves.filter((item) => !isShard(item))];
  const texts = new Map(wanted.map((item) => [textOf(item), item]));
  return [
    ...found
      .filter((item) => !isDeepStrictEqual(readable(item), texts.get(textOf(item)) ?? {}))
      .map((item) => `${textOf(item)} is not what its feature says: ${JSON.stringify(readable(item))}.`),
    ...[...new Set(texts.keys()).difference(new Set(found.map(textOf)))].map((text) => `${text} is missing.`),
    ...[...Map.groupBy(shelves, ({ pk }) => pk).keys()].flatMap((pk) => {
      const isHere = (item: Item) => item.pk === pk;
      const [kept, marks] = [total(shards.filter(isHere), 'sum'), total(found.filter(isHere), 'mark')];
      return kept === marks ? [] : [`${pk} keeps ${kept} as the sum of its marks, which is ${marks}.`];
    }),
  ];
}

const isFeature = ({ pk, sk, deleted }: Item) => pk.startsWith('FEATURE#') && sk === 'FEATURE' && deleted !== true;
const isShard = ({ sk }: Item) => sk.startsWith('MARK#');
const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
const total = (items: readonly Item[], name: string) =>
  items.reduce((sum, { [name]: value = 0 }) => sum + Number(value), 0);

function listedItem({ pk: _pk, sk: _sk, name, project, ...own }: Item): Item {
  const shown = Object.entries(own).filter(([attribute]) => !counting.includes(attribute));
  return { ...keys.listedFeature(String(project), String(name)), ...Object.fromEntries(shown) };
}

function deliveries({ pk, name, project }: Item, items: readonly Item[]): Item[] {
  const prefix = 'ENVIRONMENT#';
  return items
    .filter((item) => item.pk === pk && item.sk.startsWith(prefix))
    .map(({ sk, strategies, variants, version }) => ({
      ...keys.delivery(String(project), sk.slice(prefix.length), String(name)),
      state: deliveredState({ strategies: JSON.parse(String(strategies)), variants: JSON.parse(String(variants)) }),
      version,
    }));
}

/** An item whose JSON is compared as what it says. */
function readable(item: Item): Item {
  return 'state' in item ? { ...item, state: JSON.parse(String(item.state)) } : item;
}
