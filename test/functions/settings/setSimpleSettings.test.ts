import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { signIn } from '../../harness/sign-in.ts';
import { World } from '../../harness/world.ts';
import { oidc } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

const path = '/api/admin/auth/simple/settings';

specify('setSimpleSettings', {
  route: 'POST /api/admin/auth/simple/settings',
  may: ['Admin'],
  needs: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'],
  request: async (world) => {
    await world.ask('POST', '/api/admin/auth/oidc/settings', oidc('client'));
    await world.ask('POST', path, { disabled: false });
    return { body: { disabled: true } };
  },
  waits: 3,
});

test('Passwords can be switched off, but never as the last way in', async () => {
  const service = await freshService();
  const { username, password } = await new World(service).person();
  const statusOfSignIn = async () => (await signIn(service, { username, password })).status;
  expect((await service.get(path)).body).toEqual({ disabled: false });
  expect((await service.post(path, { disabled: true })).status).toBe(400);
  await service.post('/api/admin/auth/oidc/settings', oidc('client'));
  expect((await service.post(path, { disabled: true })).body).toEqual({ disabled: true });
  expect((await service.get(path)).body).toEqual({ disabled: true });
  expect(await statusOfSignIn()).toBe(403);
  // Switching the other way off leaves this one open.
  await service.post('/api/admin/auth/oidc/settings', { ...oidc('client'), enabled: false });
  expect(await statusOfSignIn()).toBe(200);
});
