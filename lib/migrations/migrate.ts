import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { readItems } from '../store/read.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** One step from a release's layout, or built-in content, to the next one's. */
export interface Migration {
  /** They are carried out in the order of their numbers, each once; a number is never given to another step. */
  readonly number: number;
  /**
   * Carries it out, and says after each part of the work where to go on. It must do no harm when it is done again, in parts
   * or at the same time in several processes, and while processes of older releases write.
   * @param from where an earlier run has come; undefined at the beginning.
   */
  readonly run: (request: Request, from: Key | undefined) => AsyncGenerator<Key | undefined>;
}

/** The number of the oldest layout that is read: that of release 0.2. The first step has the next number. */
const oldest = 6;

/** All there are. What a store of an older release lacks is added by a step here, since a seed fills fresh stores only. */
const migrations: readonly Migration[] = [];

/** The number of the last one: a store that has it needs none. */
export const lastMigration = lastOf(migrations);

function lastOf(steps: readonly Migration[]): number {
  return Math.max(oldest, ...steps.map(({ number }) => number));
}

/** The progress of a store's migrations. */
interface MigrationState {
  /** The number of the last step that is complete. */
  readonly last: number;
  /** JSON: where the next step goes on. */
  readonly cursor?: string;
  readonly version: number;
}

/** A store that a newer release has migrated. */
export class NewerStore extends Error {
  constructor() {
    super('A newer release has migrated this store: run that release, or start with another store.');
  }
}

/**
 * Brings a store to the layout of this release. Cut off anywhere, the next call goes on where this one was.
 * @throws NewerStore for the store of a newer release; Error for that of release 0.1. Both are left alone.
 */
export async function migrate(request: Request, steps: readonly Migration[] = migrations): Promise<void> {
  for (;;) {
    const state = await stateOf(request);
    if (state.last > lastOf(steps)) throw new NewerStore();
    const next = steps.filter(({ number }) => number > state.last).toSorted((a, b) => a.number - b.number)[0];
    if (next === undefined) return;
    try {
      await carryOut(request, next, state);
    } catch (error) {
      // Another process has come further with it; this one goes on from there.
      if (!(error instanceof LostRace)) throw error;
    }
  }
}

/**
 * Reads the number of the layout that a store has.
 * @throws NewerStore for the store of a newer release; Error for that of release 0.1.
 */
export async function layoutOf(request: Request): Promise<number> {
  const { last } = await stateOf(request);
  if (last > lastMigration) throw new NewerStore();
  return last;
}

async function stateOf(request: Request): Promise<MigrationState> {
  const [state, seeded] = await readItems<MigrationState>(request, [keys.migrations(), keys.seeded()]);
  // A store that was never prepared receives the present layout.
  const { last, ...rest } = state ?? { last: seeded === undefined ? lastMigration : 0, version: 0 };
  if (last >= oldest) return { last, ...rest };
  throw new Error(
    'Release 0.1 wrote this store, and this release cannot read it: start with an empty one, and import what it is to hold.',
  );
}

async function carryOut(request: Request, { number, run }: Migration, state: MigrationState): Promise<void> {
  let { version } = state;
  const save = async (next: Omit<MigrationState, 'version'>) => {
    const when = version === 0 ? 'absent' : { version };
    version += 1;
    await transact(request, [{ put: keys.migrations(), item: { ...next, version }, when }], undefined);
  };
  const from = state.cursor === undefined ? undefined : (JSON.parse(state.cursor) as Key);
  for await (const cursor of run(request, from)) {
    if (cursor !== undefined) await save({ last: state.last, cursor: JSON.stringify(cursor) });
  }
  await save({ last: number });
}

/** The write that distinguishes a fresh store from one that needs migrations. */
export function migratedWrite(): Write {
  return { put: keys.migrations(), item: { last: lastMigration, version: 1 } };
}
