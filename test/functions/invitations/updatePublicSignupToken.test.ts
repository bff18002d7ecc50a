import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('updatePublicSignupToken', {
  route: 'PUT /api/admin/invite-link/tokens/{token}',
  needs: ['ADMIN'],
  may: ['Admin'],
  request: async (world) => ({
    params: { token: await world.invitation() },
    body: { expiresAt: '2127-01-01T00:00:00Z', enabled: false },
  }),
});

test('What is left out stays as it is, and an invitation that is switched off is good again once it is on', async ({
  service,
  world,
}) => {
  const secret = await world.invitation();
  const path = `/api/admin/invite-link/tokens/${secret}`;
  const validate = async () => (await service.get(`/invite/${secret}/validate`, { token: null })).status;
  expect((await service.put(path, { enabled: false })).body).toMatchObject({
    enabled: false,
    expiresAt: '2126-01-01T00:00:00.000Z',
  });
  expect(await validate()).toBe(400);
  expect((await service.put(path, { enabled: true })).body).toMatchObject({ enabled: true });
  expect(await validate()).toBe(200);
  expect((await service.put(path, { expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(200);
  expect(await validate()).toBe(400);
});
