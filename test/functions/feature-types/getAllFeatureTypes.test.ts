import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getAllFeatureTypes', {
  route: 'GET /api/admin/feature-types',
  may: 'any token',
});

test('The feature types have the lifetimes that Unleash gives them', async () => {
  const { body } = await (await freshService()).get('/api/admin/feature-types');
  expect(body.version).toBe(1);
  expect(body.types.map(({ id, lifetimeDays }: { id: string; lifetimeDays: number }) => [id, lifetimeDays])).toEqual([
    ['release', 40],
    ['experiment', 40],
    ['operational', 7],
    ['kill-switch', null],
    ['permission', null],
    ['sunset', 90],
  ]);
});
