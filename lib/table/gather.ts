import type { Table } from './table.ts';

interface Gathering<Wanted> {
  /** Only what is of one kind can share a request; everything can, unless it is said. */
  readonly kindOf?: (wanted: Wanted) => string;
  /** How many can share one. */
  readonly most?: number;
}

/** Something that is asked for, and who waits for it. */
interface Asked<Wanted, Found> extends Omit<PromiseWithResolvers<Found>, 'promise'> {
  readonly wanted: Wanted;
}

/**
 * Makes a function that asks the store for one thing, together with what others ask for until the process has worked off
 * what has arrived. So an operation states what it needs where it needs it and waits once, and the requests of a busy
 * server share theirs to the store. Nothing is kept: later reads are answered by a later request.
 * @param carryOut asks for several things of one kind, and answers in their order.
 */
export function gathered<Wanted, Found>(
  carryOut: (table: Table, alike: readonly Wanted[]) => Promise<readonly Found[]>,
  { kindOf = () => '', most = Number.POSITIVE_INFINITY }: Gathering<Wanted> = {},
): (table: Table, wanted: Wanted) => Promise<Found> {
  /** The reads that wait for the same moment, for each open table. */
  const waiting = new WeakMap<Table['client'], Asked<Wanted, Found>[]>();

  function carryOutAll(table: Table): void {
    const all = waiting.get(table.client) ?? [];
    waiting.delete(table.client);
    for (const alike of Map.groupBy(all, ({ wanted }) => kindOf(wanted)).values()) {
      for (let start = 0; start < alike.length; start += most) void settle(table, alike.slice(start, start + most));
    }
  }

  async function settle(table: Table, asked: readonly Asked<Wanted, Found>[]): Promise<void> {
    try {
      const wanted = asked.map((each) => each.wanted);
      const found = await carryOut(table, wanted);
      asked.forEach(({ resolve }, index) => void resolve(found[index] as Found));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (table, wanted) => {
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const all = waiting.get(table.client) ?? [];
    if (all.length === 0) setImmediate(carryOutAll, table);
    all.push({ wanted, resolve, reject });
    waiting.set(table.client, all);
    return promise;
  };
}
