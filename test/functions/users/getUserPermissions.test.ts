import { expect } from 'vitest';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('getUserPermissions', {
  route: 'GET /api/admin/user-admin/{id}/permissions',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.user()).id },
    query: { project: 'default', environment: 'development' },
  }),
  waits: 3,
});

test('Each permission says whether the user has it there, be it by a group', async ({ service, world }) => {
  const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }];
  const role = await world.role({ permissions });
  const { id } = await world.user({ inProject: { project: 'default', role: 'Reader' } });
  const group = await world.groupId({ users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/default/groups/${group}/roles`, { roles: [role] });
  const held = async (query: string) => {
    const { overview, rootRole, projectRoles } = (await service.get(`/api/admin/user-admin/${id}/permissions${query}`))
      .body;
    const all = [...overview.root, ...overview.project, ...overview.environment];
    const names = all.filter(({ hasPermission }) => hasPermission).map(({ name }) => name);
    return { names, rootRole: rootRole.id, projectRoles: projectRoles.map((each: { id: number }) => each.id) };
  };
  expect(await held('?project=default&environment=development')).toEqual({
    ...{ names: ['UPDATE_FEATURE_ENVIRONMENT'], rootRole: 3, projectRoles: [6, role] },
  });
  expect(await held('?project=default&environment=production')).toMatchObject({ names: [] });
  expect(await held('')).toEqual({ names: [], rootRole: 3, projectRoles: [] });
  const admin = (await service.get('/api/admin/user-admin/1/permissions')).body.overview;
  expect(admin.root.every(({ hasPermission }: { hasPermission: boolean }) => hasPermission)).toBe(true);
});
