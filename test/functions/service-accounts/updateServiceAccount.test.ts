import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('updateServiceAccount', {
  route: 'PUT /api/admin/service-account/{id}',
  versionAt: 'replies',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => ({
    params: { id: (await world.serviceAccount()).id },
    body: { name: 'Deployment', rootRole: await world.role({ type: 'root-custom' }) },
  }),
  waits: 3,
  again: 'nothing',
});

test('What is left out stays', async ({ world }) => {
  const { id, username } = await world.serviceAccount({ rootRole: 2 });
  const path = `/api/admin/service-account/${id}`;
  expect((await world.ask('PUT', path, { name: 'Release' })).body).toMatchObject({
    username,
    name: 'Release',
    rootRole: 2,
  });
  expect((await world.ask('PUT', path, { rootRole: 1 })).body).toMatchObject({ name: 'Release', rootRole: 1 });
});
