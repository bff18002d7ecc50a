import { beforeEach, describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

const parameters = [{ name: 'team', type: 'list', description: 'Their names', required: true }];

specify('updateStrategy', {
  route: 'PUT /api/admin/strategies/{name}',
  ...openTo('Editor', 'UPDATE_STRATEGY'),
  request: async (world) => ({
    params: { name: await world.strategyType() },
    body: { title: 'By team', description: 'On for some teams', parameters },
  }),
  required: ['parameters', 'parameters.0.name', 'parameters.0.type'],
  nullable: ['title', 'description', 'parameters.0.description'],
});

describe('Updating a strategy type', () => {
  let path: string;
  const service = serviceForEach();
  beforeEach(async () => {
    path = `/api/admin/strategies/${await new World(service).strategyType({ description: 'As it was' })}`;
  });

  test('replaces the parameters, and keeps what is left out', async () => {
    await service.put(path, { title: 'By team', parameters });
    expect((await service.get(path)).body).toMatchObject({ title: 'By team', description: 'As it was', parameters });
    await service.put(path, { description: null, parameters: [] });
    expect((await service.get(path)).body).toMatchObject({ title: 'By team', description: '', parameters: [] });
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'strategy-updated',
      data: { parameters: [] },
      preData: { description: 'As it was', parameters },
    });
  });

  test('of the service itself is refused', async () => {
    for (const name of ['default', 'flexibleRollout']) {
      const answer = await service.put(`/api/admin/strategies/${name}`, { parameters });
      expect(answer).toMatchObject({ status: 403, body: { name: 'NoAccessError' } });
    }
  });
});
