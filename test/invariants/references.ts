import { isDeepStrictEqual } from 'node:util';
import { buildReferrerChecks, type Referrer } from '../../lib/entity/references.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import type { Item } from '../harness/items.ts';
import { archivedIn } from './namings.ts';

const referrers = /^REFERRERS#([^#]+)#(.+)$/;

/**
 * Lists the contradictions between references and their targets: a thing that is referred to exists, unless archived features
 * alone refer to it, and its referrers are counted as a removal expects them.
 * @param placeOf finds the things of a kind, for the kinds whose things must exist.
 */
export function referenceProblems(
  items: readonly Item[],
  placeOf: Readonly<Record<string, (id: string) => Key>>,
): string[] {
  const places = new Set(items.map(textOf));
  const archived = archivedIn(items);
  const isHeld = ({ sk, details }: Item) =>
    sk.startsWith('BY#') && !archived.has(JSON.parse(String(details ?? '{}')).feature);
  const partitions = Map.groupBy(items, ({ pk }) => pk);
  return [...partitions].flatMap(([pk, partition]) => {
    const [, kind, id] = referrers.exec(pk) ?? [];
    if (kind === undefined || id === undefined) return [];
    const all = partition
      .filter(({ sk }) => sk.startsWith('BY#'))
      .map(({ sk, name }): Referrer => ({ by: sk.slice('BY#'.length), name: String(name) }));
    const amounts = new Map(partition.map((item) => [textOf(item), item.amount]));
    const place = placeOf[kind]?.(id);
    const isGone = place !== undefined && partition.some(isHeld) && !places.has(textOf(place));
    return [
      ...(isGone ? [`The ${kind} "${id}" is gone, and is in use.`] : []),
      ...buildReferrerChecks(kind, id, all).flatMap((write) => {
        if (!('check' in write && typeof write.when === 'object' && 'amount' in write.when)) return [];
        const found = amounts.get(textOf(write.check)) ?? 0;
        const { amount } = write.when;
        return found === amount ? [] : [`${textOf(write.check)} counts ${found} referrers; there are ${amount}.`];
      }),
    ];
  });
}

/** Lists the contradictions of unique values: each leads to the one thing that has it, and no other item does. */
export function pointerProblems(
  pointers: readonly Item[],
  things: readonly { readonly id: string | number; readonly pointers: readonly Key[] }[],
): string[] {
  const found = pointers.map((item) => `${textOf(item)} leads to ${item.id}`).toSorted();
  const wanted = things
    .flatMap(({ id, pointers }) => pointers.map((key) => `${textOf(key)} leads to ${id}`))
    .toSorted();
  return isDeepStrictEqual(found, wanted) ? [] : [`There is [${found.join('; ')}], not [${wanted.join('; ')}].`];
}

const textOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
