import { expect } from 'vitest';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('toggleEnvironmentOn', {
  route: 'POST /api/admin/environments/{name}/on',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    const name = await world.environment();
    await world.ask('POST', `/api/admin/environments/${name}/off`);
    return { params: { name } };
  },
});

test('An environment that is enabled says so, and the event says what it was', async ({ service }) => {
  const path = '/api/admin/environments/production';
  await service.post(`${path}/off`, {});
  expect(await service.post(`${path}/on`, {})).toMatchObject({ status: 204, text: '' });
  expect((await readEnvironments(service)).production).toMatchObject({ enabled: true });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'environment-updated',
    data: { name: 'production', enabled: true },
    preData: { enabled: false },
  });
});
