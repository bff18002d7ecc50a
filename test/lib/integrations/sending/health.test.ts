import { expect, test } from 'vitest';
import { blockOf, holdBack } from '../../../../lib/integrations/sending/health.ts';
import { freshTable } from '../../../harness/table.ts';

test('Of two pauses of an integration the longer one holds, and none of them once it is saved', async () => {
  const work = await freshTable();
  for (const until of [2_000, 1_000]) await holdBack(work, { id: 1, version: 1 }, until);
  expect(blockOf(await holdBack(work, { id: 1, version: 1 }, 1_500), 1, 500, 'clock')).toBe(2_000);
  expect(blockOf(await holdBack(work, { id: 1, version: 2 }, 1_000), 2, 500, 'clock')).toBe(1_000);
});
