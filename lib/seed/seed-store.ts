import { invalidRequest } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { stamp } from '../events/event.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { keys } from '../table/keys.ts';
import { packUnits } from '../table/pack.ts';
import { readItem } from '../table/read.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { raiseCounter, transact } from '../table/transact.ts';
import type { Write } from '../table/write.ts';
import { groups } from '../users/groups.ts';
import { type Findings, nothingFound, placedInFile } from './findings.ts';
import { type Addition, missingFrom, type NextId } from './missing-from.ts';
import type { SeedData } from './seed-data.ts';
import { seedProblems } from './seed-problems.ts';
import { type Numbered, readSeedState, type SeedState } from './seed-state.ts';

/** What a seed has added, e.g. the kind "tag type" and the name "team". */
export type Added = Pick<Addition, 'kind' | 'name'>;

/**
 * Adds what a store lacks of a seed, each thing with its event. What exists already stays untouched, except that a
 * project receives the environments that it lacks. Cut off and called again, it completes; called twice at once, it
 * ends in the same state.
 * @param found the problems of the file that the seed was read from; further problems are listed with them.
 * @returns what was added, in the order in which it was.
 * @throws ApiError 400 whose details name every problem; nothing is written then.
 */
export async function seedStore(
  table: Table,
  data: SeedData,
  found: Findings = nothingFound,
): Promise<{ added: Added[] }> {
  const added: Added[] = [];
  await retryLostRaces(table, async () => {
    const [state, run] = await Promise.all([readSeedState(table, data), readItem<SeedRun>(table, keys.seedRun())]);
    const at = new Date().toISOString();
    const wanted = new WantedIds(state, data);
    const { problems } = missingFrom(state, data, at, wanted.next);
    const atStore = [...seedProblems(data, state), ...problems].map((each) => placedInFile(each, found.places));
    // What refers to unknown names would be written without them, so there must be no problem by then.
    if (found.problems.length + atStore.length > 0) throw invalidRequest([...found.problems, ...atStore]);
    const { additions } = missingFrom(state, data, at, await wanted.take(table));
    if (additions.length === 0) return;

    let { first } = await takeEventIds(
      table,
      additions.reduce((sum, { events }) => sum + events.length, 0),
    );
    const units = additions.map(({ kind, name, writes, events }) => {
      const stamped = stamp(events, first, systemUser, at);
      first += events.length;
      return { what: `${kind} "${name}"`, added: { kind, name }, writes: [...writes, ...serviceEventWrites(stamped)] };
    });
    // A user may join several groups, and an item stands in a transaction once.
    const [ofGroups, others] = [units.filter(isOfGroup), units.filter((unit) => !isOfGroup(unit))];
    let version = run?.version ?? 0;
    for (const pack of [...packUnits(others, 1), ...ofGroups.map((unit) => [unit])]) {
      // Seeds that run at once do not see each other's additions, of which no name guards an addon: one of them goes on.
      const ran: Write = {
        put: keys.seedRun(),
        item: { version: version + 1 },
        when: version === 0 ? 'absent' : { version },
      };
      await transact(table, [ran, ...pack.flatMap(({ writes }) => writes)], undefined);
      version += 1;
      added.push(...pack.map((unit) => unit.added));
    }
  });
  return { added };
}

/** Raised by each transaction of a seed. */
interface SeedRun {
  readonly version: number;
}

const isOfGroup = ({ added: { kind } }: { readonly added: Added }) => kind === groups.kind;

/** Counts the ids that a seed needs, and takes them once it is known that it can be written. */
class WantedIds {
  readonly #counters: SeedState['counters'];
  readonly #given: Readonly<Record<Numbered, number>>;
  readonly #amounts = new Map<Numbered, number>();

  constructor({ counters }: SeedState, { users, segments, addons }: SeedData) {
    const highest = (entries: readonly { readonly id?: number | undefined }[]) =>
      Math.max(0, ...entries.map(({ id }) => id ?? 0));
    this.#counters = counters;
    this.#given = { user: highest(users), segment: highest(segments), addon: highest(addons), group: 0 };
  }

  /** Counts one more; the id stands for the one that it will be. */
  readonly next: NextId = (counter) => {
    const amount = (this.#amounts.get(counter) ?? 0) + 1;
    this.#amounts.set(counter, amount);
    return amount;
  };

  /** Takes as many ids as were counted, above all that the counters have given out and all that the seed gives. */
  async take(table: Table): Promise<NextId> {
    const next = new Map<Numbered, number>();
    await Promise.all(
      (Object.keys(this.#given) as Numbered[]).map(async (counter) => {
        const amount = this.#amounts.get(counter) ?? 0;
        const raise = amount + Math.max(0, this.#given[counter] - this.#counters[counter]);
        if (raise > 0) next.set(counter, (await raiseCounter(table, keys.counter(counter), raise)) - amount);
      }),
    );
    return (counter) => {
      const id = (next.get(counter) ?? 0) + 1;
      next.set(counter, id);
      return id;
    };
  }
}
