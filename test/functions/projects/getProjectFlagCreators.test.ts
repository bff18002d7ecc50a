import { expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProjectFlagCreators', {
  route: 'GET /api/admin/projects/{projectId}/flag-creators',
  may: 'any token',
  request: async (world) => ({ params: await world.projectWithFeature() }),
});

test('Everybody who created a feature of the project is listed once, by name', async () => {
  const service = await freshService(shopSeed);
  const path = '/api/admin/projects/shop/features';
  for (const [username, names] of [
    ['bob', ['one', 'two']],
    ['alice', ['three']],
  ] as const) {
    const token = await newTokenOf(service, { username });
    for (const name of names) expect((await service.post(path, { name }, { token })).status).toBe(201);
  }
  await service.post('/api/admin/projects/default/features', { name: 'elsewhere' });
  expect((await service.get('/api/admin/projects/shop/flag-creators')).body).toEqual([
    { id: expect.any(Number), name: 'alice@example.com' },
    { id: expect.any(Number), name: 'bob' },
  ]);
});
