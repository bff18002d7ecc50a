import { describe, expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { customRoles } from '../../../lib/people/roles/roles.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';
import { roleBody } from './role-body.ts';

specify('updateRole', {
  route: 'PUT /api/admin/roles/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: await world.role({ permissions: [{ name: 'CREATE_FEATURE' }] }) },
    body: roleBody(world),
  }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  waits: 3,
  again: 'nothing',
});

test('What is left out stays, the type for good, and the event says what was before', async ({ service, world }) => {
  const permissions = [{ name: 'CREATE_FEATURE' }];
  const id = await world.role({ description: 'Builds', permissions });
  const update = (body: object) => service.call('PUT', `/api/admin/roles/${id}`, { body });
  expect((await update({ name: 'Builder' })).body.roles).toEqual({
    ...{ id, name: 'Builder', description: 'Builds', type: 'custom' },
  });
  expect((await service.get(`/api/admin/roles/${id}`)).body.permissions).toHaveLength(1);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'role-updated',
    data: { name: 'Builder', permissions },
    preData: { name: 'role-1', permissions },
  });
  expect((await update({ name: 'Builder', type: 'root-custom' })).status).toBe(400);
  expect((await update({ name: 'Builder', permissions: [{ name: 'ADMIN' }] })).status).toBe(400);
});

test('One that is older than the role of the service with its name can be changed', async ({ service, world }) => {
  const id = await world.role({ name: 'Early' });
  // As an earlier release stored it.
  await customRoles.update(service.table, systemUser, id, (role) => ({ ...role, name: 'Approver' }));
  const update = (name: string) => service.put(`/api/admin/roles/${id}`, { name, description: 'Ours' });
  expect(await update('Approver')).toMatchObject({ status: 200, body: { roles: { id, description: 'Ours' } } });
  expect((await update('Owner')).status).toBe(409);
});

describe('A role of the service', () => {
  test.each([1, 2, 3, 4, 5, 6, 1_000_000_000])('cannot be changed or deleted: %i', async (id) => {
    const service = await freshService();
    expect((await service.call('PUT', `/api/admin/roles/${id}`, { body: { name: 'mine' } })).status).toBe(403);
    expect((await service.call('DELETE', `/api/admin/roles/${id}`)).status).toBe(403);
  });
});

test('Who has a role does what it says, in its project and its environments', async ({ service, world }) => {
  const inDevelopment = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }];
  const role = await world.role({ permissions: inDevelopment });
  const [here, there] = [await world.feature(), await world.feature({ project: await world.project() })];
  const token = await world.tokenOfRole(3, [{ project: here.place.projectId, roles: [role] }]);
  const off = async ({ place }: typeof here, environment: string) =>
    (
      await service.post(
        `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${environment}/off`,
        undefined,
        { token },
      )
    ).status;
  expect(await off(here, 'development')).toBe(200);
  expect(await off(here, 'production')).toBe(403);
  expect(await off(there, 'development')).toBe(403);
  await world.ask('PUT', `/api/admin/roles/${role}`, {
    name: 'Switcher',
    permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT' }],
  });
  const other = await world.tokenOfRole(3, [{ project: here.place.projectId, roles: [role] }]);
  const { projectId, featureName } = here.place;
  const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/production/off`;
  expect((await service.post(path, undefined, { token: other })).status).toBe(200);
});
