import { beforeEach, describe, expect, test } from 'vitest';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { lastMigration, type Migration, migrate } from '../../../lib/migrations/migrate.ts';
import * as keys from '../../../lib/store/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { changesBetween, snapshot } from '../../harness/items.ts';
import { tableForEach } from '../../specifications/specify.ts';

const table = tableForEach();
beforeEach(async () => {
  await prepareStore(table, { adminTokens: [] });
});

const [first, second, third] = [lastMigration + 1, lastMigration + 2, lastMigration + 3];

/** A step that only records that it ran. */
const recordingStep = (number: number, calls: number[]): Migration => ({
  number,
  async *run() {
    calls.push(number);
    yield undefined;
  },
});

describe('A store', () => {
  test('has the number of the last migration if it is fresh', async () => {
    expect(await readItem(table, keys.migrations())).toMatchObject({ last: lastMigration });
  });

  test('runs each missing step once, in the order of the numbers', async () => {
    const calls: number[] = [];
    const steps = [recordingStep(second, calls), recordingStep(first, calls)];
    await migrate(table, steps);
    await migrate(table, steps);
    await migrate(table, [...steps, recordingStep(third, calls)]);
    expect(calls).toEqual([first, second, third]);
  });

  test('continues an interrupted step from its last cursor', async () => {
    const parts: (string | undefined)[] = [];
    const step: Migration = {
      number: first,
      async *run(_request, from) {
        parts.push(from?.sk);
        if (from === undefined) yield { pk: 'HALF', sk: 'way' };
        if (parts.length === 1) throw new Error('The process has ended here.');
        yield undefined;
      },
    };
    await expect(migrate(table, [step])).rejects.toThrow('ended');
    await migrate(table, [step]);
    expect(parts).toEqual([undefined, 'way']);
  });

  test('reaches the last step if several processes migrate it', async () => {
    const steps = [recordingStep(first, []), recordingStep(second, [])];
    await Promise.all([migrate(table, steps), migrate(table, steps), migrate(table, steps)]);
    expect(await readItem(table, keys.migrations())).toMatchObject({ last: second });
  });

  test.each([
    [
      'a newer release',
      { put: keys.migrations(), item: { last: first, version: 2 } },
      /newer release .* run that release/,
    ],
    ['release 0.1', { remove: keys.migrations() }, /Release 0\.1 .* start with an empty one, and import/],
  ] as const)('of %s is refused and left unchanged, with advice', async (_of, write, sentence) => {
    await transact(table, [write], undefined);
    const before = await snapshot(table);
    await expect(prepareStore(table, { adminTokens: ['*:*.ci'] })).rejects.toThrow(sentence);
    expect(changesBetween(before, await snapshot(table))).toEqual([]);
  });
});
