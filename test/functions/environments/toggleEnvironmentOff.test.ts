import { expect } from 'vitest';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('toggleEnvironmentOff', {
  route: 'POST /api/admin/environments/{name}/off',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const name = await world.environment();
    return { params: { name } };
  },
});

test('An environment that is disabled says so, and the event says what it was', async ({ service }) => {
  const path = '/api/admin/environments/production';
  expect(await service.post(`${path}/off`, {})).toMatchObject({ status: 204, text: '' });
  expect((await readEnvironments(service)).production).toMatchObject({ enabled: false });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'environment-updated',
    data: { name: 'production', enabled: false },
    preData: { enabled: true },
  });
});
