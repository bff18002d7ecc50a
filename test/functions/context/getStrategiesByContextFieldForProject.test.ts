import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getStrategiesByContextFieldForProject', {
  route: 'GET /api/admin/projects/{projectId}/context/{contextField}/strategies',
  may: 'any token',
  request: async (world) => ({ params: { ...world.home, contextField: await compared(world) } }),
  takesAnyName: ['contextField', 'projectId'],
  // The projects, what their features compare, and the strategies of those that compare it.
  waits: 3,
});

/** The name of a context field that a strategy compares. */
async function compared(world: World, disabled = false): Promise<string> {
  const name = await world.contextField();
  const constraints = [{ contextName: name, operator: 'IN', values: ['CH'] }];
  await world.feature({ strategies: [{ name: 'default', disabled, constraints }, { name: 'default' }] });
  return name;
}

test('The strategies that compare a context field are listed with their places, disabled ones included', async () => {
  const service = await freshService();
  const name = await compared(new World(service), true);
  const list = async (field: string) =>
    (await service.get(`/api/admin/projects/default/context/${field}/strategies`)).body;
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
