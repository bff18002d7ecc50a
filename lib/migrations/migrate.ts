import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { readItems } from '../store/read.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { buildProgressiveRollout } from './add-progressive-rollout.ts';

/** A numbered step that changes the data layout, or the built-in content, of a store. */
export type Migration = LongMigration | ShortMigration;

interface Step {
  /** Steps run in the order of their numbers, each once. A number is never reused. */
  readonly number: number;
}

/** A step in several parts. */
interface LongMigration extends Step {
  /**
   * Runs the step, and yields a cursor after each part of the work. It must tolerate being repeated, in parts or as a whole,
   * running in several processes at the same time, and writes of older releases.
   * @param from the last cursor of an interrupted run; undefined at the beginning.
   */
  readonly run: (request: Request, from: Key | undefined) => AsyncGenerator<Key | undefined>;
}

/** A step that is stored in one transaction with its number, so that it happens exactly once. */
interface ShortMigration extends Step {
  /** Builds its writes. After a lost race, it is called again. */
  readonly buildWrites: (request: Request) => Promise<readonly Write[]>;
}

/** The number of the oldest supported layout, that of release 0.2. The first step has the next number. */
const oldestLayout = 6;

/** All steps. They add what stores of older releases lack; only fresh stores are seeded. */
const migrations: readonly Migration[] = [{ number: 7, buildWrites: buildProgressiveRollout }];

/** The number of the last step, which is the layout number of this release. */
export const lastMigration = lastNumberOf(migrations);

function lastNumberOf(steps: readonly Migration[]): number {
  return Math.max(oldestLayout, ...steps.map(({ number }) => number));
}

/** The progress of a store's migrations. */
interface MigrationState {
  /** The number of the last completed step. */
  readonly last: number;
  /** JSON: the last cursor of the next step, if it was interrupted. */
  readonly cursor?: string;
  readonly version: number;
}

/** The error for a store that a newer release has migrated. */
export class NewerStoreError extends Error {
  constructor() {
    super('A newer release has migrated this store: run that release, or use another store.');
  }
}

/**
 * Migrates a store to the layout of this release. After an interruption, the next call continues from the last cursor.
 * @throws NewerStoreError for a store of a newer release; Error for a store of release 0.1. Neither store is changed.
 */
export async function migrate(request: Request, steps: readonly Migration[] = migrations): Promise<void> {
  for (;;) {
    const state = await loadState(request);
    if (state.last > lastNumberOf(steps)) throw new NewerStoreError();
    const next = steps.filter(({ number }) => number > state.last).toSorted((a, b) => a.number - b.number)[0];
    if (next === undefined) return;
    try {
      await runStep(request, next, state);
    } catch (error) {
      // Another process has saved more progress; continue from there.
      if (!(error instanceof LostRace)) throw error;
    }
  }
}

/**
 * Reads the layout number of a store.
 * @throws NewerStoreError for a store of a newer release; Error for a store of release 0.1.
 */
export async function loadLayoutNumber(request: Request): Promise<number> {
  const { last } = await loadState(request);
  if (last > lastMigration) throw new NewerStoreError();
  return last;
}

async function loadState(request: Request): Promise<MigrationState> {
  const [state, seeded] = await readItems<MigrationState>(request, [keys.migrations(), keys.seeded()]);
  // A store that was never prepared receives the current layout.
  const { last, ...rest } = state ?? { last: seeded === undefined ? lastMigration : 0, version: 0 };
  if (last >= oldestLayout) return { last, ...rest };
  throw new Error(
    'Release 0.1 wrote this store, and this release cannot read it: start with an empty one, and import your data.',
  );
}

async function runStep(request: Request, step: Migration, state: MigrationState): Promise<void> {
  const { number } = step;
  let { version } = state;
  const save = async (next: Omit<MigrationState, 'version'>, writes: readonly Write[] = []) => {
    const when = version === 0 ? 'absent' : { version };
    version += 1;
    await transact(request, [...writes, { put: keys.migrations(), item: { ...next, version }, when }], undefined);
  };
  if ('buildWrites' in step) return save({ last: number }, await step.buildWrites(request));
  const from = state.cursor === undefined ? undefined : (JSON.parse(state.cursor) as Key);
  for await (const cursor of step.run(request, from)) {
    if (cursor !== undefined) await save({ last: state.last, cursor: JSON.stringify(cursor) });
  }
  await save({ last: number });
}

/** Returns the write that gives a fresh store the current layout number. */
export function migrationStateWrite(): Write {
  return { put: keys.migrations(), item: { last: lastMigration, version: 1 } };
}
