import { describe, expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('getAllFeatureTypes', { route: 'GET /api/admin/feature-types', may: 'any token' });

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

const types = ['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset'];
let prepared = 0;

specify('updateFeatureTypeLifetime', {
  route: 'PUT /api/admin/feature-types/{id}/lifetime',
  versionAt: 'replies',
  ...openTo('Admin', 'ADMIN'),
  // There are no others than these, so each request gives one of them another lifetime.
  request: () => {
    prepared += 1;
    return { params: { id: types[prepared % types.length] ?? '' }, body: { lifetimeDays: prepared + 100 } };
  },
  required: ['lifetimeDays'],
  nullable: ['lifetimeDays'],
});

describe('The lifetime of a feature type', () => {
  const service = sharedService();
  const update = (id: string, lifetimeDays: unknown) =>
    service.put(`/api/admin/feature-types/${id}/lifetime`, { lifetimeDays });
  const lifetimeOf = async (id: string) =>
    (await service.get('/api/admin/feature-types')).body.types.find((each: { id: string }) => each.id === id)
      .lifetimeDays;

  test('is changed for good, any number of times, with an event of each change', async () => {
    for (const days of [7, 7, 8]) expect((await update('release', days)).body.lifetimeDays).toBe(days);
    const events = (await serviceEvents(service.table)).filter(({ type }) => type === 'feature-type-updated');
    const changes = events.map(({ type, preData, data }) => [type, preData?.lifetimeDays, data?.lifetimeDays]);
    expect(changes).toEqual([
      ['feature-type-updated', 40, 7],
      ['feature-type-updated', 7, 8],
    ]);
    expect(await lifetimeOf('release')).toBe(8);
  });

  test('is that of the type whose id is written in any capitals', async () => {
    expect(await update('Kill-Switch', 12)).toMatchObject({ status: 200, body: { id: 'kill-switch' } });
    expect(await lifetimeOf('kill-switch')).toBe(12);
  });

  test('has no end with null, and with 0', async () => {
    for (const never of [null, 0]) {
      await update('experiment', 3);
      expect(await update('experiment', never)).toMatchObject({
        status: 200,
        body: { id: 'experiment', lifetimeDays: null },
      });
      expect(await lifetimeOf('experiment')).toBeNull();
    }
  });

  test.each([-1, 0.5, 2 ** 31, '7'])('cannot be %s', async (days) => {
    expect(await update('operational', days)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'lifetimeDays' }] },
    });
    expect(await lifetimeOf('operational')).toBe(7);
  });

  test.each(['nosuch', 'toString', '__proto__'])('is a 404 of a type named %s', async (id) => {
    expect(await update(id, 7)).toMatchObject({ status: 404 });
  });
});
