import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';
import { roleBody } from './role-body.ts';

specify('validateRole', {
  route: 'POST /api/admin/roles/validate',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: (world) => ({
    body: roleBody(world, 'root-custom'),
  }),
  required: ['name'],
  nullable: ['description', 'permissions.0.environment'],
  again: 'nothing',
});

test('A name that a role has, of the service or of the team, is a 409, and an unknown environment a 400', async ({
  service,
}) => {
  const validate = async (body: object) => (await service.post('/api/admin/roles/validate', body)).status;
  await service.post('/api/admin/roles', { name: 'Builder' });
  expect(await validate({ name: 'Builder' })).toBe(409);
  expect(await validate({ name: 'Viewer' })).toBe(409);
  const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'nowhere' }];
  expect(await validate({ name: 'Painter', permissions })).toBe(400);
  expect(await validate({ name: 'Painter' })).toBe(200);
});
