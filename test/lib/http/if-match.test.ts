import { beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { sharedService } from '../../specifications/specify.ts';

interface Listed {
  readonly what: string;
  readonly create: readonly [path: string, body: object];
  readonly pathOf: (created: { readonly id: number; readonly secret: string }) => string;
  readonly update: object;
}

const listed: readonly Listed[] = [
  {
    what: 'an API token',
    create: ['/api-tokens', { tokenName: 'ci', type: 'client', environment: 'development', projects: ['default'] }],
    pathOf: ({ secret }) => `/api-tokens/${encodeURIComponent(secret)}`,
    update: { expiresAt: '2130-01-01T00:00:00Z' },
  },
  {
    what: 'a service account',
    create: ['/service-account', { username: 'robot', name: 'Robot', rootRole: 1 }],
    pathOf: ({ id }) => `/service-account/${id}`,
    update: { name: 'Another robot' },
  },
];

describe('A project', () => {
  test.each([
    ['environments/development/default-strategy', { name: 'flexibleRollout' }],
    ['access', { roles: [4], users: [1], groups: [] }],
  ])('has a new version when data in its reply change: %s', async (what, body) => {
    const service = await freshService();
    const path = `/api/admin/projects/${await new World(service).project()}`;
    const { etag } = (await service.get(`${path}/overview`)).headers;
    const headers = { 'if-match': String(etag) };
    const first = await service.post(`${path}/${what}`, body, { headers });
    expect(first.status, first.text).toBe(200);
    expect((await service.put(path, { name: 'Shop' }, { headers })).status).toBe(412);
    const next = { 'if-match': String(first.headers.etag) };
    expect((await service.put(path, { name: 'Shop' }, { headers: next })).status).toBe(200);
  });
});

describe('A resource that only lists show', () => {
  const service = sharedService();
  const call = (method: string, path: string, ifMatch: string | undefined, body?: object) =>
    service.call(method, `/api/admin${path}`, { body, headers: { 'if-match': String(ifMatch) } });

  test.each(listed)('heeds the version that its creation and its last change have answered: $what', async (thing) => {
    const { create, pathOf, update } = thing;
    const created = await service.post(`/api/admin${create[0]}`, create[1]);
    expect(created.status, created.text).toBe(201);
    const path = pathOf(created.body);
    const updated = await call('PUT', path, created.headers.etag, update);
    expect(updated.status, updated.text).toBe(200);
    expect(updated.headers.etag).not.toBe(created.headers.etag);
    expect((await call('PUT', path, created.headers.etag, update)).status).toBe(412);
    expect((await call('DELETE', path, created.headers.etag)).status).toBe(412);
    expect((await call('DELETE', path, updated.headers.etag)).status).toBe(200);
  });

  test('checks the version of the last reply to a change: a feature type, which is not created', async () => {
    const set = (days: number, ifMatch: string | undefined) =>
      call('PUT', '/feature-types/release/lifetime', ifMatch, { lifetimeDays: days });
    const first = await set(40, '*');
    const second = await set(50, first.headers.etag);
    expect(second).toMatchObject({ status: 200, body: { lifetimeDays: 50 } });
    expect((await set(60, first.headers.etag)).status).toBe(412);
    expect(await set(60, second.headers.etag)).toMatchObject({ status: 200, body: { lifetimeDays: 60 } });
  });
});

describe('A change in several transactions', () => {
  let service: Service;
  let world: World;
  let users: number[];
  beforeAll(async () => {
    service = await freshService();
    world = new World(service);
    // One transaction holds 40 of them.
    users = [];
    for (let count = 0; count < 42; count += 1) users.push((await world.user()).id);
  });

  /** Sends a change with a version that is not the present one, then with the present one. */
  async function change(method: string, path: string, read: string, body?: object) {
    const before = await service.get(read);
    const refused = await service.call(method, path, { body, headers: { 'if-match': '"1"' } });
    expect(refused.status, refused.text).toBe(412);
    expect((await service.get(read)).text).toBe(before.text);
    const done = await service.call(method, path, { body, headers: { 'if-match': String(before.headers.etag) } });
    expect(done.status, done.text).toBe(200);
    return done;
  }
  const present = async (path: string) => (await service.get(path)).headers.etag?.replace(/-.*/, '"');

  test('of a group checks If-Match before the first one, and returns the version of the last one', async () => {
    const path = `/api/admin/groups/${await world.groupId({})}`;
    const body = { name: 'everybody', users: users.map((id) => ({ user: { id } })) };
    const { headers } = await change('PUT', path, path, body);
    expect(headers.etag).toBe(await present(path));
    expect((await service.get(path)).body.users).toHaveLength(users.length);
    const removed = await service.call('DELETE', path, { headers: { 'if-match': String(headers.etag) } });
    expect(removed.status, removed.text).toBe(200);
    const refused = await service.post(
      '/api/admin/groups',
      { ...body, name: 'late' },
      { headers: { 'if-match': '"1"' } },
    );
    expect(refused.status).toBe(412);
    expect((await service.get('/api/admin/groups')).text).not.toContain('late');
  });

  test('of the access to a project does so, too', async () => {
    const path = `/api/admin/projects/${await world.project()}/access`;
    const { headers } = await change('PUT', path, path, { roles: [{ id: 5, users }] });
    expect(headers.etag).toBe(await present(path));
    expect((await service.get(path)).body.users).toHaveLength(users.length);
  });

  test("that is refused deletes none of the user's tokens", async () => {
    const [user] = (await service.get('/api/admin/user-admin')).body.users.filter(
      ({ id }: { id: number }) => id === users[0],
    );
    for (let count = 0; count < 42; count += 1) await createToken(service.table, { kind: 'user', user });
    const path = `/api/admin/user-admin/${user.id}`;
    const { secret } = await createToken(service.table, { kind: 'user', user });
    const refused = await service.call('DELETE', path, { headers: { 'if-match': '"1"' } });
    expect(refused.status, refused.text).toBe(412);
    expect((await service.get('/api/admin/user/tokens', { token: secret })).body.pats).toHaveLength(43);
    const { etag } = (await service.get(path)).headers;
    const removed = await service.call('DELETE', path, { headers: { 'if-match': String(etag) } });
    expect(removed.status, removed.text).toBe(200);
    expect((await service.get(path)).status).toBe(404);
  });
});
