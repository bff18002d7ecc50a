import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getStrategiesByContextField', {
  route: 'GET /api/admin/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { contextField: await world.comparedField() } }),
  takesAnyName: ['contextField'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

test('The strategies that compare a context field are listed with their places, disabled ones included', async () => {
  const service = await freshService();
  const name = await new World(service).comparedField({ disabled: true });
  const list = async (field: string) => (await service.get(`/api/admin/context/${field}/strategies`)).body;
  expect(await list(name)).toEqual({
    strategies: [
      {
        id: expect.any(String),
        featureName: 'feature-1',
        projectId: 'default',
        environment: 'development',
        strategyName: 'default',
      },
    ],
  });
  expect(await list('userId')).toEqual({ strategies: [] });
});
