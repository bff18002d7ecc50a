import type { Key } from '../store/client/definition.ts';
import type { Attributes } from '../store/item.ts';
import type { Write } from '../store/transactions/write.ts';
import { sha256 } from '../values/sha256.ts';

/*
 * The events of a feature form a chain. The item of a change has a link: the hash of its content and of the link before. The feature's
 * own item has the last link, so the condition on its version keeps the chain unbroken under concurrency. Somebody who alters, removes
 * or adds an item has to write all later links again.
 *
 * Items without a link are those of releases before 0.7, those of histories that were imported from another server, and events of no
 * feature. Seals list them (lib/history).
 */

/** The attribute of an item of events with its link, and that of a feature's own item with the last one. */
export const linkAttribute = 'link';

/** The link of a chain without items, before which there is no other. */
const noLink = '';

/** Returns the hash of an item: of its key, and of all attributes but its link, by name. Verifiers outside compute it, so it must not change. */
export function hashContent({ pk, sk }: Key, item: Attributes): string {
  const names = Object.keys(item).filter((name) => name !== linkAttribute && name !== 'pk' && name !== 'sk');
  const attributes = names.toSorted().flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]));
  return sha256(JSON.stringify([pk, sk, ...attributes]), 'base64url');
}

/** Returns the link of an item. Verifiers outside compute it, so it must not change. */
export function computeLink(previous: string | undefined, content: string): string {
  return sha256(`${previous ?? noLink}\n${content}`, 'base64url');
}

/**
 * Adds links to the items of new events of a feature.
 * @param previous the last link of the feature; undefined if it has none.
 * @returns the writes, and the last link after them.
 */
export function linkEvents(writes: readonly Write[], previous: string | undefined) {
  let last = previous;
  const linked = writes.map((write): Write => {
    if (!('put' in write)) return write;
    last = computeLink(last, hashContent(write.put, write.item));
    return { ...write, item: { ...write.item, [linkAttribute]: last } };
  });
  return { writes: linked, last };
}
