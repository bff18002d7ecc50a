import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getEnvironment', {
  route: 'GET /api/admin/environments/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.environment() } }),
});

test('An environment says what it is, whether enabled or not', async ({ service }) => {
  const read = async (name: string) => (await service.get(`/api/admin/environments/${name}`)).body;
  expect(await read('production')).toEqual({
    name: 'production',
    type: 'production',
    sortOrder: 3,
    enabled: true,
    protected: false,
    requiredApprovals: null,
  });
  expect(await read('default')).toMatchObject({ enabled: false, protected: true });
});
