import { expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getPersonalDashboard', {
  route: 'GET /api/admin/personal-dashboard',
  may: 'any token',
  request: async (world) => {
    const project = await world.project();
    await world.feature({ project });
    return {};
  },
  // Which projects there are, and then each of them.
  waits: 2,
});

test('A user sees the projects in which they have a role, and the features that are theirs', async () => {
  const service = await freshService(shopSeed);
  const dashboard = async (token: string) => (await service.get('/api/admin/personal-dashboard', { token })).body;
  const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Owner' } });
  const idsOf = ({ projects }: { projects: { id: string }[] }) => projects.map(({ id }) => id);
  const path = '/api/admin/projects/shop/features';
  for (const name of ['mine', 'gone']) expect((await service.post(path, { name }, { token })).status).toBe(201);
  await service.call('DELETE', `${path}/gone`, { token });
  await service.post('/api/admin/projects/default/features', { name: 'starred' });
  await service.post('/api/admin/projects/default/features/starred/favorites', {}, { token });

  const zoe = await dashboard(token);
  expect(idsOf(zoe)).toEqual(['shop']);
  expect(zoe.flags.map(({ name }: { name: string }) => name)).toEqual(['starred', 'mine']);
  expect(zoe.projectOwners).toEqual([{ ownerType: 'user', name: 'zoe', email: null }]);
  expect(zoe.admins).toEqual([{ id: 1, username: 'admin', imageUrl: '' }]);
  expect(idsOf(await dashboard(service.adminToken))).toEqual(expect.arrayContaining(['default', 'shop']));
  expect(idsOf(await dashboard(await newTokenOf(service, { username: 'nobody' })))).toEqual([]);
});
