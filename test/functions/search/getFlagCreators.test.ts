import { expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getFlagCreators', {
  route: 'GET /api/admin/flag-creators',
  may: 'any token',
  // The list of projects comes before their shelves.
  waits: 2,
  given: async (world) => world.feature({ project: await world.project() }),
});

test('Everybody who created a feature of any project is listed once, by name', async () => {
  const service = await freshService(shopSeed);
  const token = await newTokenOf(service, { username: 'bob', rootRole: 'Editor' });
  for (const project of ['shop', 'default']) {
    const path = `/api/admin/projects/${project}/features`;
    expect((await service.post(path, { name: `of-${project}` }, { token })).status).toBe(201);
  }
  expect((await service.get('/api/admin/flag-creators')).body).toEqual({
    flagCreators: [{ id: expect.any(Number), name: 'bob' }],
    total: 1,
  });
});
