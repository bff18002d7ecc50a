import { describe, expect, test } from 'vitest';
import * as projectKeys from '../../../../lib/projects/keys.ts';
import { countUsage, newUsage } from '../../../../lib/store/client/usage.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { readItem, readItems } from '../../../../lib/store/read.ts';
import { raiseCounter, transact } from '../../../../lib/store/transactions/transact.ts';
import { withFault } from '../../../harness/faults.ts';
import { freshTable } from '../../../harness/table.ts';

const answerOf = (CapacityUnits: number) => async () => ({ ConsumedCapacity: { CapacityUnits } });

describe('The usage of the store', () => {
  test('adds up', async () => {
    const usage = newUsage();
    await countUsage([usage], 'Query', answerOf(1.5));
    await countUsage([usage], 'Query', answerOf(2));
    await countUsage([usage], 'UpdateItem', answerOf(6));
    expect(usage).toEqual({ requests: 3, waits: 3, readUnits: 3.5, writeUnits: 6, underWay: 0 });
  });

  test('counts concurrent requests as one wait', async () => {
    const usage = newUsage();
    await Promise.all([countUsage([usage], 'Query', answerOf(1)), countUsage([usage], 'UpdateItem', answerOf(1))]);
    await countUsage([usage], 'UpdateItem', answerOf(1));
    expect(usage).toMatchObject({ requests: 3, waits: 2 });
  });

  test('includes refused requests', async () => {
    const usage = newUsage();
    await expect(countUsage([usage], 'UpdateItem', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(usage).toEqual({ requests: 1, waits: 1, readUnits: 0, writeUnits: 0, underWay: 0 });
  });

  test('divides the cost of a shared request by its parts', async () => {
    const [one, other] = [newUsage(), newUsage()];
    await countUsage([one, one, other], 'Query', answerOf(3));
    expect(one).toMatchObject({ requests: 1, waits: 1, readUnits: 2 });
    expect(other).toMatchObject({ requests: 1, waits: 1, readUnits: 1 });
  });
});

describe('A request', () => {
  test('is charged for its own reads, even if it shared a request to the store', async () => {
    const table = await freshTable();
    // A missing item costs as much as a small one at AWS, but nothing on the emulator.
    const projects = ['a', 'b', 'c'].map(projectKeys.project);
    await transact(
      table,
      projects.map((put) => ({ put, item: {} })),
      undefined,
    );
    const [one, other] = [
      { ...table, usage: newUsage() },
      { ...table, usage: newUsage() },
    ];
    await Promise.all([readItem(one, projectKeys.project('a')), readItems(other, projects)]);
    expect(one.usage).toMatchObject({ requests: 1, waits: 1 });
    expect(other.usage).toMatchObject({ requests: 1, waits: 1 });
    expect(one.usage.readUnits).toBeGreaterThan(0);
    expect(other.usage.readUnits).toBeCloseTo(3 * one.usage.readUnits);
  });

  test('counts every retry', async () => {
    const table = await freshTable();
    const own = { ...table, usage: newUsage() };
    await withFault(table, { request: 'UpdateItem', failure: 'throttled', times: 2 }, () =>
      raiseCounter(own, keys.counter('event'), 1),
    );
    expect(own.usage).toMatchObject({ requests: 3, waits: 1, writeUnits: 1 });
  });
});
