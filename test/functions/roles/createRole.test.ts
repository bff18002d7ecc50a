import { expect } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';
import { roleBody } from './role-body.ts';

specify('createRole', {
  route: 'POST /api/admin/roles',
  versionAt: 'replies',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({
    body: roleBody(world),
  }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  again: 409,
});

test('A role reads back as it was made, and the event says all of it', async ({ service }) => {
  const permissions = [
    { name: 'CREATE_FEATURE' },
    { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
    { name: 'UPDATE_FEATURE_STRATEGY' },
  ];
  const { status, body } = await service.post('/api/admin/roles', { name: 'Builder', permissions });
  expect(status).toBe(200);
  expect(body).toEqual({ version: 1, roles: { id: 7, name: 'Builder', type: 'custom', description: '' } });
  expect((await service.get('/api/admin/roles/7')).body.permissions).toEqual([
    { id: 2, name: 'CREATE_FEATURE', displayName: 'Create feature flags', type: 'project' },
    {
      ...{ id: 25, name: 'CREATE_FEATURE_STRATEGY', displayName: 'Create activation strategies' },
      ...{ type: 'environment', environment: 'development' },
    },
    { id: 26, name: 'UPDATE_FEATURE_STRATEGY', displayName: 'Update activation strategies', type: 'environment' },
  ]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'role-created',
    data: { id: 7, name: 'Builder', type: 'custom', permissions },
  });
});

test('Permissions are given by their ids as well, each one once', async ({ service, world }) => {
  const permissions = [{ id: 2 }, { name: 'CREATE_FEATURE', environment: '' }, { id: 25, environment: 'production' }];
  const id = await world.role({ permissions });
  const { body } = await service.get(`/api/admin/roles/${id}`);
  expect(body.permissions.map((each: { name: string; environment?: string }) => [each.name, each.environment])).toEqual(
    [
      ['CREATE_FEATURE', undefined],
      ['CREATE_FEATURE_STRATEGY', 'production'],
    ],
  );
});

test('All permissions that are none, or do not go with the role, are named', async ({ service }) => {
  const permissions = [
    { name: 'FLY' },
    { id: 4_711 },
    { name: 'CREATE_PROJECT' },
    { name: 'CREATE_FEATURE', environment: 'development' },
    { name: 'UPDATE_FEATURE' },
  ];
  const { status, body } = await service.post('/api/admin/roles', { name: 'Bird', permissions });
  expect(status).toBe(400);
  expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
    'permissions.0.name',
    'permissions.1.id',
    'permissions.2.name',
    'permissions.3.environment',
  ]);
  const inNoPlace = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'nowhere' }];
  expect(await service.post('/api/admin/roles', { name: 'Bird', permissions: inNoPlace })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('nowhere') },
  });
  const inTooLongName = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'a'.repeat(5_000) }];
  expect(problemPaths(await service.post('/api/admin/roles', { name: 'Bird', permissions: inTooLongName }))).toEqual([
    'permissions.0.environment',
  ]);
  expect((await service.post('/api/admin/roles', { name: 'Owner' })).status).toBe(409);
});
