import { expect, test } from 'vitest';
import { isPotentiallyStale } from '../../../../lib/features/types/feature-types.ts';

test('A feature older than the lifetime of its type is potentially stale, unless it is marked as stale', () => {
  const types = [
    { id: 'release', name: '', description: '', lifetimeDays: 40 },
    { id: 'permission', name: '', description: '', lifetimeDays: null },
  ];
  const createdAt = '2026-01-01T00:00:00.000Z';
  const old = { type: 'release', stale: false, createdAt };
  const after = Date.parse(createdAt) + 40 * 86_400_000;
  expect(isPotentiallyStale(old, types, after)).toBe(false);
  expect(isPotentiallyStale(old, types, after + 1)).toBe(true);
  expect(isPotentiallyStale({ ...old, stale: true }, types, after + 1)).toBe(false);
  expect(isPotentiallyStale({ ...old, type: 'permission' }, types, after + 1)).toBe(false);
  expect(isPotentiallyStale({ ...old, type: 'unknown' }, types, after + 1)).toBe(false);
});
