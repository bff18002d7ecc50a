import { expect, test } from 'vitest';
import { groups } from '../../../lib/identity/groups.ts';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { ensureUser } from '../../../lib/people/ensure-user.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { freshService } from '../../harness/service.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getBaseUsersAndGroups', { route: 'GET /api/admin/user-admin/access', may: 'any token' });

const path = '/api/admin/user-admin/access';
const seed = readSeed({
  projects: [{ id: 'shop' }],
  users: [
    { username: 'alice', name: 'Alice', email: 'alice@example.com', rootRole: 'Editor' },
    { username: 'bob', name: '' },
  ],
  groups: [
    {
      name: 'shopkeepers',
      description: 'Those who run the shop',
      rootRole: 'Viewer',
      mappingsSSO: ['sso-shop'],
      users: ['alice', 'bob'],
      projects: ['shop'],
    },
    { name: 'nobody', description: '' },
  ],
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const service = sharedService(seed);

async function access() {
  const { status, body } = await service.get(path);
  expect(status).toBe(200);
  return body;
}

test('A user shows their public properties, without empty ones', async () => {
  const { users } = await access();
  const [admin, alice, bob, ...others] = users;
  expect(others).toEqual([]);
  expect(admin.username).toBe('admin');
  expect(alice).toEqual({
    id: expect.any(Number),
    name: 'Alice',
    username: 'alice',
    email: 'alice@example.com',
    rootRole: 2,
    createdAt: time,
    accountType: 'User',
  });
  expect(bob).toEqual({ id: expect.any(Number), username: 'bob', rootRole: 3, createdAt: time, accountType: 'User' });
});

test('A group shows its properties and members, without empty properties', async () => {
  const { users, groups } = await access();
  const [, alice, bob] = users;
  const made = { id: expect.any(Number), createdBy: 'unleash_system_user', createdAt: time };
  const joined = { joinedAt: time, createdBy: 'unleash_system_user' };
  expect(groups).toEqual([
    {
      ...made,
      name: 'shopkeepers',
      description: 'Those who run the shop',
      mappingsSSO: ['sso-shop'],
      rootRole: 3,
      users: [
        { ...joined, user: alice },
        { ...joined, user: bob },
      ],
      projects: ['shop'],
      userCount: 2,
    },
    { ...made, name: 'nobody', users: [], userCount: 0 },
  ]);
});

test('Neither system users nor secrets are shown', async () => {
  const user = await ensureUser(service.table, { username: 'alice' });
  const { secret, id } = await createToken(service.table, { kind: 'user', user });
  const { text, body } = await service.get(path);
  for (const hidden of [secret, secret.slice(5), id, service.adminToken.slice(4)]) expect(text).not.toContain(hidden);
  for (const word of ['password', 'token', 'hash', 'secret', 'projectRoles', '-1337', '-42']) {
    expect(text.toLowerCase()).not.toContain(word.toLowerCase());
  }
  for (const each of body.users) expect(each.id).toBeGreaterThan(0);
});

test('A new user or role shows at once', async () => {
  await ensureUser(service.table, { username: 'carol' });
  const carol = async () => (await access()).users.find(({ username }: { username: string }) => username === 'carol');
  expect(await carol()).toMatchObject({ rootRole: 3 });
  const { id } = await carol();
  await ensureUser(service.table, { username: 'carol', rootRole: 'Admin' });
  expect(await carol()).toMatchObject({ id, rootRole: 1 });
});

test('A new store has the user admin and no group', async () => {
  const fresh = await freshService();
  expect((await fresh.get(path)).body).toEqual({
    users: [{ id: 1, username: 'admin', rootRole: 1, createdAt: time, accountType: 'User' }],
    groups: [],
  });
});

test.each(['/api/admin/user-admin/access', '/api/admin/groups', '/api/admin/projects/default/access'])(
  'Members that do not fit into the reply of %s are only counted, which a warning says',
  async (list) => {
    const large = await freshService();
    await ensureUser(large.table, { username: 'm'.repeat(100) });
    const at = '2026-01-01T00:00:00.000Z';
    const members = Array.from({ length: 300 }, (_, index) => ({
      // Some of them are gone.
      ...{ userId: index < 290 ? 2 : 1_000 + index, joinedAt: at, createdBy: 'a' },
    }));
    for (let id = 1; id <= 60; id += 1) {
      const group = { id, name: `group ${id}`, createdBy: 'a', createdAt: at, mappingsSSO: [], members };
      const projectRoles = [{ project: 'default', roles: [5], addedAt: at }];
      await transact(large.table, groups.buildCreationEffects({ ...group, projectRoles }, at).writes, undefined);
    }
    const { status, body, headers } = await large.get(list);
    expect(status).toBe(200);
    expect(headers.warning).toContain('Members of groups are left out');
    expect(body.groups).toHaveLength(60);
    for (const group of body.groups) expect(group).toMatchObject({ userCount: 290 });
    for (const group of body.groups) expect(group).not.toHaveProperty('users');
    expect((await large.get('/api/admin/groups/1')).body.users).toHaveLength(290);
  },
);
