import { expect, test } from 'vitest';
import { isMutation } from '../../../lib/http/declaration.ts';
import { excessOf } from '../../bench/cost/budgets.ts';
import { costIn } from '../../bench/cost/measure.ts';
import { stoppedClock } from '../../harness/stopped-clock.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { accessPatternRow, asksStore } from '../generated/access-pattern.ts';
import { operationsFile } from '../generated/operations-table.ts';
import { outdated, readPart } from '../generated/part.ts';
import { sdkKindsOf } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** Tests the requests of an operation to the store, and that it stays within its budget. */
export function testCosts(trial: Trial): void {
  const { operationId, waits } = trial.specification;
  if (!asksStore(trial.declaration)) return;
  if (sdkKindsOf(trial.specification).length > 0) {
    test('asks the store for nothing again right after it has asked', async () => {
      const example = await trial.repeatableExample();
      using _ = stoppedClock();
      await trial.send(example);
      expect(await recordStoreRequests(trial.service.table, () => trial.send(example))).toEqual([]);
    });
    return;
  }

  test('asks the store for what functions/README.md says, consistently, within its budget', () => {
    const { example, storeRequests: requests } = trial.first;
    const rows = readPart(operationsFile, 'access patterns');
    expect(rows, outdated(operationId)).toContain(accessPatternRow(operationId, requests));
    const reads = requests.filter(({ command }) => ['BatchGet', 'Get', 'Query'].includes(command));
    expect(reads.filter(({ isConsistent }) => !isConsistent)).toEqual([]);

    const cost = costIn(requests);
    const { size = 1, stages = 1 } = example.specified;
    const row = { scenario: operationId, operation: operationId, size, stages, isAskedFirst: false, waits, cost };
    expect(excessOf(row).join(', '), 'read at the same time, or say `waits` in the specification').toBe('');
    expect(cost.readUnits + cost.writeUnits, 'no request is free').toBeGreaterThan(0);
    // Counting a use is not a change.
    if (trial.declaration.rights !== 'count')
      expect(cost.transactions).toBe(isMutation(trial.declaration) ? stages : 0);
  });
}
