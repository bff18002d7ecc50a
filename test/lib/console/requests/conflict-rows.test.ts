import { expect, test } from 'vitest';
import { listConflictRows } from '../../../../lib/console/requests/conflict-rows.ts';

const parameters = (rollout: string) => ({ rollout, stickiness: 'userId', groupId: 'checkout' });
const condition = (...values: string[]) => ({ contextName: 'region', operator: 'IN', values });

test('A conflict lists each value that differs, in words', () => {
  const rows = listConflictRows([
    { property: 'parameters', before: parameters('25'), now: parameters('10'), wanted: parameters('70') },
    { property: 'constraints', before: [], now: [condition('eu', 'ch')], wanted: [] },
    { property: '', before: 'old', now: 'new' },
  ]);
  expect(rows.map(({ label, before, now, wanted }) => [label, before, now, wanted])).toEqual([
    ['Rollout', '25%', '10%', '70%'],
    ['Condition', 'none', 'region is one of eu, ch', 'none'],
    ['Value', 'old', 'new', '–'],
  ]);
});
