import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';
import { LostRace } from '../store/transactions/lost-race.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { listProjects } from './list-projects.ts';
import { logEvents } from './log-events.ts';
import { migrateFeatures } from './migrate-features.ts';
import { referDefaultStrategies } from './refer-default-strategies.ts';

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

/** All there are. What a store of an older release lacks is added by a step here, since a seed fills fresh stores only. */
const migrations: readonly Migration[] = [
  // Whether features are on stands apart from their strategies, and who uses a segment is known.
  { number: 1, run: migrateFeatures },
  // Features are on the shelves of their projects.
  { number: 2, run: migrateFeatures },
  // There is a list of all projects.
  { number: 3, run: listProjects },
  // There is a list of all events.
  { number: 4, run: logEvents },
  // Lists see which context fields features compare.
  { number: 5, run: migrateFeatures },
  // Who uses a segment or a strategy type by default is known.
  { number: 6, run: referDefaultStrategies },
];

/** The number of the last one: a store that has it needs none. */
export const lastMigration = Math.max(...migrations.map(({ number }) => number));

/** How far a store has come. */
interface MigrationState {
  /** The number of the last step that is complete. */
  readonly last: number;
  /** JSON: where the next step goes on. */
  readonly cursor?: string;
  readonly version: number;
}

/**
 * Brings a store to the layout of this release. Cut off anywhere, the next call goes on where this one was; a store of
 * this or a newer release is left alone.
 */
export async function migrate(request: Request, steps: readonly Migration[] = migrations): Promise<void> {
  for (;;) {
    const state = await readItem<MigrationState>(request, keys.migrations());
    const last = state?.last ?? 0;
    const next = steps.filter(({ number }) => number > last).toSorted((a, b) => a.number - b.number)[0];
    if (next === undefined) return;
    try {
      await carryOut(request, next, state);
    } catch (error) {
      // Another process has come further with it; this one goes on from there.
      if (!(error instanceof LostRace)) throw error;
    }
  }
}

async function carryOut(
  request: Request,
  { number, run }: Migration,
  state: MigrationState | undefined,
): Promise<void> {
  let version = state?.version ?? 0;
  const save = async (next: Omit<MigrationState, 'version'>) => {
    const when = version === 0 ? 'absent' : { version };
    version += 1;
    await transact(request, [{ put: keys.migrations(), item: { ...next, version }, when }], undefined);
  };
  const from = state?.cursor === undefined ? undefined : (JSON.parse(state.cursor) as Key);
  for await (const cursor of run(request, from)) {
    if (cursor !== undefined) await save({ last: state?.last ?? 0, cursor: JSON.stringify(cursor) });
  }
  await save({ last: number });
}

/** The write that distinguishes a fresh store from one that needs migrations. */
export function migratedWrite(): Write {
  return { put: keys.migrations(), item: { last: lastMigration, version: 1 } };
}
