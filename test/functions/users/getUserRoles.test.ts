import { expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getUserRoles', {
  route: 'GET /api/admin/user/roles',
  may: 'any token',
  request: async (world) => ({
    headers: { authorization: await world.knownToken() },
    query: { projectId: 'default' },
  }),
});

test('A caller has the role that holds everywhere, and that in the project', async () => {
  const service = await freshService(shopSeed);
  const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Owner' } });
  const names = async (query: string, as = token) => {
    const { roles } = (await service.get(`/api/admin/user/roles${query}`, { token: as })).body;
    return roles.map(({ name, project }: { name: string; project?: string }) => [name, project]);
  };
  expect(await names('?projectId=shop')).toEqual([
    ['Viewer', undefined],
    ['Owner', 'shop'],
  ]);
  expect(await names('?projectId=default')).toEqual([['Viewer', undefined]]);
  expect(await names('', service.adminToken)).toEqual([['Admin', undefined]]);
  expect((await service.get('/api/admin/user/profile', { token })).body).toMatchObject({
    projects: ['shop'],
    rootRole: { id: 3 },
  });
});
