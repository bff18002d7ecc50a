import { expect, vi } from 'vitest';
import { sendSignIn } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getInactiveUsers', {
  route: 'GET /api/admin/user-admin/inactive',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: () => ({}),
});

test('Inactive is who has not signed in for 180 days and has no token that is still good', async ({
  service,
  world,
}) => {
  const [never, seen] = [await world.person(), await world.person()];
  await world.token();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100 * 24 * 60 * 60 * 1000 });
  await sendSignIn(service, { username: seen.username, password: seen.password });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 81 * 24 * 60 * 60 * 1000 });
  const { body } = await service.get('/api/admin/user-admin/inactive');
  vi.useRealTimers();
  const names = body.inactiveUsers.map(({ username }: { username: string }) => username);
  expect(names).toEqual(['admin', never.username]);
  expect(body.inactiveUsers[1]).toEqual({
    id: never.id,
    username: never.username,
    seenAt: null,
    createdAt: expect.any(String),
    patSeenAt: null,
  });
});
