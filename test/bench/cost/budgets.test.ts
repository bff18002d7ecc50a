import { beforeAll, describe, expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { typicalSeed } from '../../harness/typical-calls.ts';
import { excessOf } from './budgets.ts';
import { askedFirstRows, bulkRows, type Row, typicalRows } from './scenarios.ts';

describe('What an operation asks of the store', () => {
  let rows: Row[];
  beforeAll(async () => {
    const service = await freshService(typicalSeed);
    rows = [
      ...(await typicalRows(service)),
      ...(await askedFirstRows(service)),
      ...(await bulkRows(service, [30, 100])),
    ];
  });

  test('stays within its budget of waits, transactions and items', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.flatMap(excessOf)).toEqual([]);
  });

  test('is told by the store in units, of which no request is free', () => {
    for (const { scenario, cost } of rows) expect(cost.readUnits + cost.writeUnits, scenario).toBeGreaterThan(0);
  });

  test.each(['waits', 'transactions', 'itemsWritten'] as const)('would be told of one of the %s too many', (name) => {
    const cost = { requests: 3, readUnits: 5, writeUnits: 13, waits: 2, transactions: 1, itemsWritten: 6 };
    const row = { scenario: 'an import', operation: 'importToggles', size: 1, isAskedFirst: false, cost };
    expect(excessOf(row)).toEqual([]);
    expect(excessOf({ ...row, cost: { ...cost, [name]: cost[name] + 1 } })).toHaveLength(1);
  });
});
