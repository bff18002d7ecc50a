import { describe, expect, test } from 'vitest';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

specify('updateSortOrder', {
  route: 'PUT /api/admin/environments/sort-order',
  unversioned: 'it is about many things',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: { [await world.environment()]: 70 } }),
  others: {
    'of a project': async (world) => {
      const [one, other] = [await world.environment(), await world.environment()];
      await world.project({ environments: [one, other] });
      return { body: { [one]: 70, [other]: 60 }, stages: 2 };
    },
  },
  // Which projects have copied them.
  waits: 4,
});

describe('Ordering environments', () => {
  const service = serviceForEach();
  const order = (body: object) => service.put('/api/admin/environments/sort-order', body);

  test('moves those that are named, everywhere, and records each that moves', async () => {
    const feature = await new World(service).feature();
    const events = await serviceEventsAddedBy(service.table, async () => {
      expect(await order({ production: -1, development: 2 })).toMatchObject({ status: 200, text: '' });
    });
    expect(Object.keys(await readEnvironments(service))).toEqual(['production', 'default', 'development']);
    const { body } = await service.get(`/api/admin/projects/default/features/${feature.name}`);
    expect(body.environments.map(({ name }: { name: string }) => name)).toEqual(['production', 'development']);
    expect(events).toMatchObject([
      { type: 'environment-updated', environment: 'production', data: { sortOrder: -1 }, preData: { sortOrder: 3 } },
    ]);
  });

  test('is refused whole, naming every unknown one', async () => {
    const before = await readEnvironments(service);
    const { status, body } = await order({ missing: 1, production: 9, gone: 2 });
    expect(status).toBe(404);
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['missing', 'gone']);
    expect(await readEnvironments(service)).toEqual(before);
  });

  test('takes whole numbers only', async () => {
    expect((await order({ production: 1.5 })).status).toBe(400);
    expect((await order([])).status).toBe(400);
  });

  test('shows an empty name where its place is the mistake', async () => {
    expect(await order({ '': null })).toMatchObject({ status: 400, body: { details: [{ path: '""' }] } });
    expect(await order({ '': 1 })).toMatchObject({ status: 404, body: { details: [{ path: '""' }] } });
  });
});
