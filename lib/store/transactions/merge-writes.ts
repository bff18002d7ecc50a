import { type Key, keyText } from '../client/definition.ts';
import type { Write } from './write.ts';

/** Returns the key of the item that a write concerns. */
export function keyOfWrite(write: Write): Key {
  if ('put' in write) return write.put;
  if ('remove' in write) return write.remove;
  if ('check' in write) return write.check;
  // The first of several items identifies them all.
  return 'add' in write ? write.add : (write.addToAny[0] as Key);
}

/**
 * Merges writes, so that each item occurs once, as a transaction requires:
 * - Additions to the same item, or to any of the same items, are summed, also into a put of the item.
 * - Several checks or removals of an item become one.
 * - A write of an item replaces a check of it. The condition of the write applies, or else that of the check.
 * - Of several values that additions set, the last one applies.
 * @throws Error if an `addToAny` write and another write share their first item.
 */
export function mergeWrites(writes: readonly Write[]): Write[] {
  const merged = new Map<string, Write>();
  for (const write of writes) {
    const id = keyText(keyOfWrite(write));
    const earlier = merged.get(id);
    if (earlier === undefined) merged.set(id, write);
    // The addition may go to this item or to another one, so the two writes cannot be merged.
    else if ('addToAny' in write !== 'addToAny' in earlier)
      throw new Error(`The item ${id} is in an addToAny write and in another write.`);
    else if ('add' in write && 'add' in earlier)
      merged.set(id, inheritCondition({ ...write, amounts: sum(earlier, write) }, earlier));
    else if ('add' in write && 'put' in earlier) merged.set(id, inheritCondition(addTo(earlier, write), write));
    else if ('put' in write && 'add' in earlier) merged.set(id, inheritCondition(addTo(write, earlier), earlier));
    else if ('addToAny' in write && 'addToAny' in earlier)
      merged.set(id, { addToAny: write.addToAny, amounts: sum(earlier, write), ...mergeOptions(earlier, write) });
    else if ('check' in earlier && !isPresenceCheck(write)) merged.set(id, inheritCondition(write, earlier));
    else if ('check' in write) merged.set(id, inheritCondition(earlier, write));
    else if ('remove' in write && 'remove' in earlier) merged.set(id, inheritCondition(earlier, write));
    // Two puts of an item are a mistake, which the store refuses.
    else merged.set(`${id}\n${merged.size}`, write);
  }
  return [...merged.values()].flatMap(dropZeroAmounts);
}

/** Tells whether a write is the weakest check, which any other check of the item implies. */
function isPresenceCheck(write: Write): boolean {
  return 'check' in write && write.when === 'present';
}

/** Adds the condition of another write of the same item, unless the write has its own. */
function inheritCondition(write: Write, { when, otherwise }: Exclude<Write, AdditionToAny>): Write {
  if ('addToAny' in write || write.when !== undefined || when === undefined) return write;
  return { ...write, when, ...(otherwise && { otherwise }) };
}

/** Drops additions that cancel each other out. */
function dropZeroAmounts(write: Write): Write[] {
  if (!('addToAny' in write)) return [write];
  const amounts = Object.fromEntries(Object.entries(write.amounts).filter(([, amount]) => amount !== 0));
  return Object.keys(amounts).length === 0 ? [] : [{ ...write, amounts }];
}

/** Merges the attributes that `addToAny` writes set, and their conditions. */
function mergeOptions(...additions: readonly AdditionToAny[]): Omit<AdditionToAny, 'addToAny' | 'amounts'> {
  const set = Object.fromEntries(additions.flatMap((addition) => Object.entries(addition.set ?? {})));
  const unless = [...new Set(additions.flatMap((addition) => addition.unless ?? []))];
  const provided = [...new Set(additions.flatMap((addition) => addition.provided ?? []))];
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(unless.length > 0 && { unless }),
    ...(provided.length > 0 && { provided }),
  };
}

type Put = Extract<Write, { put: Key }>;
type Addition = Extract<Write, { add: Key }>;
type AdditionToAny = Extract<Write, { addToAny: unknown }>;

function addTo(put: Put, { amounts }: Addition): Put {
  const numbers = Object.entries(amounts).map(([name, amount]) => [name, Number(put.item[name] ?? 0) + amount]);
  return { ...put, item: { ...put.item, ...Object.fromEntries(numbers) } };
}

function sum(...additions: readonly { readonly amounts: Readonly<Record<string, number>> }[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, amount] of additions.flatMap(({ amounts }) => Object.entries(amounts))) {
    total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}
