import { describe, expect, test } from 'vitest';
import type { Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { workThrough } from '../../../lib/store/work-through.ts';
import { contentOf } from '../../harness/items.ts';
import { freshTable } from '../../harness/table.ts';
import { createTimeBudget } from '../../harness/time-budget.ts';

const list = { pk: 'LIST' };
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

async function tableWithList(): Promise<Request> {
  const table = await freshTable();
  await transact(
    table,
    names.map((sk) => ({ put: { ...list, sk }, item: {} })),
    undefined,
  );
  return table;
}

/** Makes a call that has time for so many looks at the clock; returns the items that it began, and the result. */
async function callWith(table: Request, looks: number, options: object = {}, action = async (_: Key) => {}) {
  const begun: string[] = [];
  const budget = createTimeBudget(looks);
  const isComplete = await workThrough<Key>(table, list, { budget, ...options }, (item) => {
    begun.push(item.sk);
    return action(item);
  }).catch(String);
  return [begun.join(''), isComplete];
}

describe('A list of work', () => {
  test('is continued where the last call stopped, and begins again at its end', async () => {
    const table = await tableWithList();
    expect(await callWith(table, 2)).toEqual(['abc', false]);
    expect(await callWith(table, 2)).toEqual(['def', false]);
    expect(await callWith(table, 2)).toEqual(['g', true]);
    expect(await callWith(table, 99)).toEqual(['abcdefg', true]);
    expect((await contentOf(table)).map(({ pk }) => pk)).not.toContain('STORE');
  });

  test('moves on in a call without time, and past items that fail or are gone', async () => {
    const table = await tableWithList();
    const fail = async () => {
      throw new Error('Broken');
    };
    expect(await callWith(table, 0, { atOnce: 2 }, fail)).toEqual(['ab', 'Error: Broken']);
    await transact(table, [{ remove: { ...list, sk: 'b' } }], undefined);
    expect(await callWith(table, 0, { atOnce: 2 })).toEqual(['cd', false]);
  });

  test('is done up to a sort key', async () => {
    const table = await tableWithList();
    expect(await callWith(table, 99, { upTo: 'c' })).toEqual(['abc', true]);
  });

  test('is begun again by a process whose clock is behind the one that has stopped', async () => {
    const table = await tableWithList();
    expect(await callWith(table, 4, { upTo: 'f' })).toEqual(['abcde', false]);
    expect(await callWith(table, 99, { upTo: 'c' })).toEqual(['abc', true]);
  });

  test('is continued after the items that took so long that the work was cancelled', async () => {
    const table = await tableWithList();
    const controller = new AbortController();
    const hang = async ({ sk }: Key) => {
      if (sk !== 'b') return;
      controller.abort(new Error('Too long'));
      throw new Error('Cancelled');
    };
    const cancelled = { ...table, signal: controller.signal };
    expect(await callWith(cancelled, 99, {}, hang)).toEqual(['ab', 'Error: Cancelled']);
    expect(await callWith(table, 99)).toEqual(['cdefg', true]);
  });
});
