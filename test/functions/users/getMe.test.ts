import { expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getMe', {
  route: 'GET /api/admin/user',
  may: 'any token',
  request: () => ({}),
});

test('It says who the caller is, what they may do, and what the admin UI keeps of them', async () => {
  const service = await freshService(shopSeed);
  const me = async (token: string) => (await service.get('/api/admin/user', { token })).body;
  const admin = await me(service.adminToken);
  expect(admin).toMatchObject({ user: { id: -42 }, permissions: [{ permission: 'ADMIN' }], feedback: [], splash: {} });

  const inProject = { project: 'shop', role: 'Member' } as const;
  const token = await newTokenOf(service, { username: 'zoe', inProject });
  await service.post('/api/admin/feedback', { feedbackId: 'q1', neverShow: true }, { token });
  await service.call('POST', '/api/admin/splash/s1', { token });
  const zoe = await me(token);
  expect(zoe).toMatchObject({ user: { username: 'zoe', rootRole: 3 }, splash: { s1: true } });
  expect(zoe.feedback).toEqual([{ feedbackId: 'q1', neverShow: true, userId: zoe.user.id, given: expect.any(String) }]);
  expect(zoe.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'shop', environment: '*' });
  expect(zoe.permissions).not.toContainEqual({ permission: 'ADMIN' });
  const names = zoe.permissions.map(({ permission }: { permission: string }) => permission);
  expect(names).not.toContain('CREATE_PROJECT');
});
