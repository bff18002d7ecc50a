import { withEvents } from '../entity/change.ts';
import type { ErrorDetail } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { type CounterName, keys } from '../table/keys.ts';
import type { Versioned } from '../table/versioned.ts';
import { itemProblems, type Write } from '../table/write.ts';
import { type Addition, type Known, kinds, type Member, members } from './kinds.ts';
import { numberOf, referencesOf, type Seed, type SeedEntry } from './seed-data.ts';

/** What the store holds of a kind. */
export interface Stored {
  readonly things: readonly Versioned<object>[];
  /** The highest id that was given out; 0 where ids are no numbers. */
  readonly lastId: number;
}

/** Everything of a seed that a store lacks, in an order in which nothing refers to what comes after it. */
interface Missing {
  readonly additions: readonly Addition[];
  /** Every reason why the seed cannot be added to the store, with its place in the file. */
  readonly problems: readonly ErrorDetail[];
}

/**
 * What a store lacks of a seed. What is there stays as it is, even if the seed describes it otherwise, except that a
 * project receives the environments that it lacks.
 * @param at when all this happens.
 */
export function missingFrom(stored: Readonly<Record<Member, Stored>>, { entries }: Seed, at: string): Missing {
  const additions: Addition[] = [];
  const problems: ErrorDetail[] = [];
  const maps = members.map((member) => [member, new Map<string | number, Versioned<object>>()] as const);
  const known = Object.fromEntries(maps) as unknown as Known;

  for (const [member, there] of maps) {
    const { entity, nameOf, make, besides, growth } = kinds[member];
    const own = entries.filter((each) => each.member === member);
    const given = new Set(own.flatMap(({ entry }) => numberOf(entry) ?? []));
    const ids = new Ids(entity.counter, stored[member].lastId, given);
    const learn = (thing: Versioned<object>) => {
      const id = numberOf(thing.value);
      there.set(nameOf(thing.value, id !== undefined && given.has(id)), thing);
      if (id !== undefined) there.set(id, thing);
    };
    for (const thing of stored[member].things) learn(thing);

    for (const each of own) {
      const { entry, path } = each;
      const id = numberOf(entry);
      problems.push(...unknownReferences(each, known));
      const existing = there.get(nameOf(entry, id !== undefined));
      if (existing !== undefined) {
        additions.push(...(growth?.(existing, entry, known) ?? []));
        continue;
      }
      const bearer = id === undefined ? undefined : there.get(id);
      if (bearer !== undefined) {
        const message = `The id ${id} belongs to the ${entity.kind} "${nameOf(bearer.value, true)}".`;
        problems.push({ message, path: `${path}.id` });
      }
      const thing = make(entry, { at, id: id ?? ids.next(), known });
      const { writes, events, version } = entity.created(thing, at, 'retry');
      // What is too large is so in its event, too.
      const [tooLarge] = itemProblems(
        withEvents([{ writes, events }], 0, systemUser, at).flatMap((each) => each.writes),
      );
      if (tooLarge !== undefined) problems.push({ ...tooLarge, path });
      additions.push({
        kind: entity.kind,
        name: nameOf(thing, true),
        writes: [...writes, ...ids.counted(numberOf(thing)), ...(besides?.(thing, known) ?? [])],
        events,
      });
      learn({ value: thing, version });
    }
  }
  return { additions, problems };
}

function unknownReferences(entry: SeedEntry, known: Known): ErrorDetail[] {
  return referencesOf(entry)
    .filter(({ to, name }) => !known[to].has(name))
    .map(({ to, name, path }) => ({
      message: `There is no ${kinds[to].entity.kind} "${name}", neither in the file nor in the store.`,
      path,
    }));
}

/** The ids of a kind: new ones are above all that the store has given out and all that the seed gives. */
class Ids {
  readonly #counter: CounterName | undefined;
  #last: number;
  #next: number;

  constructor(counter: CounterName | undefined, last: number, given: Iterable<number>) {
    this.#counter = counter;
    this.#last = last;
    this.#next = Math.max(last, ...given) + 1;
  }

  next(): number {
    return this.#next++;
  }

  /** The write by which the counter gives out no id that is in use. */
  counted(id: number | undefined): Write[] {
    if (this.#counter === undefined || id === undefined || id <= this.#last) return [];
    const value = id - this.#last;
    this.#last = id;
    return [{ add: keys.counter(this.#counter), amounts: { value } }];
  }
}
