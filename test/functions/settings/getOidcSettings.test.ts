import { expect } from 'vitest';
import { oidc } from '../../specifications/bodies.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getOidcSettings', {
  route: 'GET /api/admin/auth/oidc/settings',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: () => ({}),
});

test('The settings are answered as they were stored, the secret included; single sign-on is off where there are none', async ({
  service,
}) => {
  const path = '/api/admin/auth/oidc/settings';
  expect((await service.get(path)).body).toEqual({ enabled: false, defaultRootRoleId: 3 });
  await service.post(path, oidc('client'));
  expect((await service.get(path)).body).toEqual(oidc('client'));
});
