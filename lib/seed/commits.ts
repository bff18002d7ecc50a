import { CountChanges } from '../environments/environment-counts.ts';
import { systemUser } from '../events/actor.ts';
import { stamp } from '../events/event.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import { type Key, keys } from '../table/keys.ts';
import { transactionBytesMax, transactionWritesMax, type Write, writeBytes } from '../table/write.ts';
import type { Addition } from './addition.ts';
import { type Counters, numbered } from './seed-state.ts';

/** Additions that are written in one transaction. */
export interface Commit {
  readonly additions: readonly Addition[];
  readonly writes: readonly Write[];
}

/** Where a seed begins to count, and when it happens. */
export interface Start {
  readonly counters: Counters;
  readonly firstEventId: number;
  readonly at: string;
}

/** Puts additions, in their order, into as few transactions as hold them. */
export function commitsOf(additions: readonly Addition[], start: Start): Commit[] {
  const commits: Commit[] = [];
  let from = start;
  let open: Commit = { additions: [], writes: [] };
  for (const addition of additions) {
    const larger = commitOf([...open.additions, addition], from);
    if (fits(larger)) {
      open = larger;
    } else {
      commits.push(open);
      from = after(open, from);
      open = commitOf([addition], from);
    }
  }
  return [...commits, open];
}

function commitOf(additions: readonly Addition[], { counters, firstEventId, at }: Start): Commit {
  const events = stamp(
    additions.map(({ event }) => event),
    firstEventId,
    systemUser,
    at,
  );
  const counts = new CountChanges();
  for (const environment of additions.flatMap(({ usedEnvironments = [] }) => usedEnvironments)) {
    counts.add('projectCount', environment, 1);
  }
  const raised = numbered.flatMap((counter): Write[] => {
    const value = highestNumber(additions, counter) - counters[counter];
    // A counter that another writer raises meanwhile goes too far, never not far enough.
    return value > 0 ? [{ add: keys.counter(counter), amounts: { value } }] : [];
  });
  const writes = additions.flatMap((addition) => addition.writes);
  return { additions, writes: [...writes, ...raised, ...counts.writes(), ...serviceEventWrites(events)] };
}

/** Whether one transaction takes a commit; no item may stand in it twice. */
function fits({ writes }: Commit): boolean {
  return (
    writes.length <= transactionWritesMax &&
    writes.reduce((sum, write) => sum + writeBytes(write), 0) <= transactionBytesMax &&
    new Set(writes.map((write) => idOf(keyOf(write)))).size === writes.length
  );
}

/** Where the commit after this one begins. */
function after({ additions }: Commit, { counters, firstEventId, at }: Start): Start {
  const raised = numbered.map((name) => [name, Math.max(counters[name], highestNumber(additions, name))] as const);
  return { counters: Object.fromEntries(raised) as Counters, firstEventId: firstEventId + additions.length, at };
}

function highestNumber(additions: readonly Addition[], counter: string): number {
  return Math.max(0, ...additions.map(({ number }) => (number?.counter === counter ? number.value : 0)));
}

function keyOf(write: Write): Key {
  if ('put' in write) return write.put;
  if ('remove' in write) return write.remove;
  if ('check' in write) return write.check;
  // Any will do, and nothing else touches them.
  return 'add' in write ? write.add : (write.addToAny[0] as Key);
}

function idOf({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}
