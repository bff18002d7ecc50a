import { beforeAll, describe, expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { underStoreRules } from '../../harness/store-rules.ts';
import { World } from '../../harness/world.ts';
import { excessOf } from './budgets.ts';
import { askedFirstRows, bulkRows, type Row } from './scenarios.ts';

/** Bulk work only: each operation is held to its budget by its own specification. */
describe('What bulk work asks of the store', () => {
  let rows: Row[];
  beforeAll(async () => {
    const world = new World(await freshService());
    using _rules = underStoreRules(world.service.table, { halfVisible: false });
    rows = [...(await askedFirstRows(world)), ...(await bulkRows(world, [30, 100]))];
  });

  test('stays within its budget of waits, transactions and items', () => {
    expect(rows.flatMap(excessOf)).toEqual([]);
  });

  test('is what the store counts in units, and no request is free', () => {
    for (const { scenario, cost } of rows) expect(cost.readUnits + cost.writeUnits, scenario).toBeGreaterThan(0);
  });

  test.each(['waits', 'transactions', 'itemsWritten'] as const)('would report one of the %s too many', (name) => {
    const cost = { requests: 3, readUnits: 5, writeUnits: 13, waits: 2, transactions: 1, itemsWritten: 17 };
    const row = { scenario: 'an import', operation: 'importToggles', size: 1, isAskedFirst: false, cost };
    expect(excessOf(row)).toEqual([]);
    expect(excessOf({ ...row, cost: { ...cost, [name]: cost[name] + 1 } })).toHaveLength(1);
  });
});
