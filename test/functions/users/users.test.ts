import { describe, expect } from 'vitest';
import { accessRequests, registerAccessRequest } from '../../../lib/sign-in/access-requests.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import type { World } from '../../harness/world.ts';
import { specify, test } from '../../specifications/specify.ts';

const path = '/api/admin/user-access-requests';

/** The variables of a path to the request of somebody without an account. */
async function asked(world: World, email = `${world.name('somebody')}@example.com`) {
  const { table } = world.service;
  await registerAccessRequest(table, { email });
  const found = await accessRequests.bearers(table, 'email', [email]);
  return { id: found.get(email)?.id ?? 0 };
}

const administered = { may: ['Admin'], needs: ['ADMIN'] } as const;
const unversioned = 'a request for access is approved or rejected once';

specify('getUserAccessRequests', {
  ...administered,
  route: 'GET /api/admin/user-access-requests',
  request: async (world) => {
    await asked(world);
    return {};
  },
});

specify('approveUserAccessRequest', {
  ...administered,
  route: 'POST /api/admin/user-access-requests/{id}/approve',
  request: async (world) => ({ params: await asked(world), body: { rootRole: 3 } }),
  required: ['rootRole'],
  again: 404,
  unversioned,
});

specify('rejectUserAccessRequest', {
  ...administered,
  route: 'DELETE /api/admin/user-access-requests/{id}',
  request: async (world) => ({ params: await asked(world) }),
  again: 404,
  unversioned,
});

describe('Somebody who asks for access', () => {
  test('gets an account when that is approved, and none when it is rejected', async ({ service, world }) => {
    const [zoe, eve] = [await asked(world, 'zoe@example.com'), await asked(world, 'eve@example.com')];
    const { body } = await service.get(path);
    expect(body.userAccessRequests).toEqual([
      { ...zoe, email: 'zoe@example.com', requestedAt: expect.any(String) },
      { ...eve, email: 'eve@example.com', requestedAt: expect.any(String) },
    ]);
    const approved = await service.post(`${path}/${zoe.id}/approve`, { rootRole: 2 });
    expect(approved).toMatchObject({ status: 200, body: { email: 'zoe@example.com', rootRole: 2 } });
    expect((await service.call('DELETE', `${path}/${eve.id}`)).status).toBe(204);
    expect((await service.get(path)).body.userAccessRequests).toEqual([]);
    const { body: all } = await service.get('/api/admin/user-admin');
    expect(all.users.flatMap(({ email }: { email?: string }) => email ?? [])).toEqual(['zoe@example.com']);
    expect((await serviceEvents(service.table)).slice(-5)).toMatchObject([
      { type: 'user-access-request-registered', data: { email: 'zoe@example.com' } },
      { type: 'user-access-request-registered', data: { email: 'eve@example.com' } },
      { type: 'user-created', data: { email: 'zoe@example.com' } },
      { type: 'user-access-request-approved', data: { email: 'zoe@example.com' }, createdBy: 'admin' },
      { type: 'user-access-request-rejected', data: { email: 'eve@example.com' }, createdBy: 'admin' },
    ]);
  });

  test('waits where the role does not exist, or another user has the address meanwhile', async ({ service, world }) => {
    const { id } = await asked(world, 'zoe@example.com');
    expect((await service.post(`${path}/${id}/approve`, { rootRole: 99 })).status).toBe(400);
    await service.post('/api/admin/user-admin', { email: 'Zoe@example.com', rootRole: 3 });
    expect((await service.post(`${path}/${id}/approve`, { rootRole: 3 })).status).toBe(409);
    expect((await service.get(path)).body.userAccessRequests).toHaveLength(1);
  });

  test('is one of a hundred at most, each of them once', async ({ service }) => {
    const ask = (email: string) => registerAccessRequest(service.table, { email });
    for (let index = 0; index < 100; index += 1) expect(await ask(`a${index}@example.com`)).toBe(true);
    expect(await ask('one-more@example.com')).toBe(false);
    expect(await ask('A7@example.com')).toBe(true);
    expect((await service.get(path)).body.userAccessRequests).toHaveLength(100);
  });
});
