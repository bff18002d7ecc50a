import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getStrategiesByContextField', {
  route: 'GET /api/admin/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { contextField: await world.comparedField() } }),
  takesAnyName: ['contextField'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

test('The strategies that compare a context field are listed with their places, disabled ones included', async ({
  service,
  world,
}) => {
  const name = await world.comparedField({ disabled: true });
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
