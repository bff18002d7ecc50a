import { type Key, keyText } from '../client/definition.ts';
import type { Write } from './write.ts';

/** The item that a write is about. */
export function keyOfWrite(write: Write): Key {
  if ('put' in write) return write.put;
  if ('remove' in write) return write.remove;
  if ('check' in write) return write.check;
  // Of several, any one stands for all.
  return 'add' in write ? write.add : (write.addToAny[0] as Key);
}

/**
 * The same writes with each item once, as a transaction demands: additions to an item, or to any of the same ones, are
 * added up, also to what the transaction itself puts there, and of checks or removals of an item one is enough. Where the
 * transaction itself writes an item, that write has the say about it, and its condition counts; where it has none, that of
 * another one does. Of what is set beside additions, the last one holds.
 * @throws Error where an addition may go to one of several items, and the first of them is written or checked besides.
 */
export function mergeWrites(writes: readonly Write[]): Write[] {
  const merged = new Map<string, Write>();
  for (const write of writes) {
    const id = keyText(keyOfWrite(write));
    const earlier = merged.get(id);
    if (earlier === undefined) merged.set(id, write);
    // The addition may go to this item or to another one: a condition would be lost, or the store refuse both now and then.
    else if ('addToAny' in write !== 'addToAny' in earlier)
      throw new Error(`The item ${id} is one of any, and itself.`);
    else if ('add' in write && 'add' in earlier)
      merged.set(id, underToo({ ...write, amounts: sum(earlier, write) }, earlier));
    else if ('add' in write && 'put' in earlier) merged.set(id, underToo(raised(earlier, write), write));
    else if ('put' in write && 'add' in earlier) merged.set(id, underToo(raised(write, earlier), earlier));
    else if ('addToAny' in write && 'addToAny' in earlier)
      merged.set(id, { addToAny: write.addToAny, amounts: sum(earlier, write), ...besides(earlier, write) });
    else if ('check' in earlier && !isOfPresence(write)) merged.set(id, underToo(write, earlier));
    else if ('check' in write) merged.set(id, underToo(earlier, write));
    else if ('remove' in write && 'remove' in earlier) merged.set(id, underToo(earlier, write));
    // Two puts of an item are a mistake, which the store refuses.
    else merged.set(`${id}\n${merged.size}`, write);
  }
  return [...merged.values()].flatMap(withoutNothing);
}

/** Tells the weakest check, which any other one of the item includes. */
function isOfPresence(write: Write): boolean {
  return 'check' in write && write.when === 'present';
}

/** A write with the condition of another write of its item, unless it has its own. */
function underToo(write: Write, { when, otherwise }: Exclude<Write, AdditionToAny>): Write {
  if ('addToAny' in write || write.when !== undefined || when === undefined) return write;
  return { ...write, when, ...(otherwise && { otherwise }) };
}

/** Drops additions that cancel out. */
function withoutNothing(write: Write): Write[] {
  if (!('addToAny' in write)) return [write];
  const amounts = Object.fromEntries(Object.entries(write.amounts).filter(([, amount]) => amount !== 0));
  return Object.keys(amounts).length === 0 ? [] : [{ ...write, amounts }];
}

/** Returns the attributes that additions to any of the same items set, and their conditions. */
function besides(...additions: readonly AdditionToAny[]): Omit<AdditionToAny, 'addToAny' | 'amounts'> {
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

function raised(put: Put, { amounts }: Addition): Put {
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
