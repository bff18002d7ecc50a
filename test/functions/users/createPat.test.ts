import { expect } from 'vitest';
import { newTokenOf } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('createPat', {
  route: 'POST /api/admin/user/tokens',
  unversioned: 'it is there or not, and never changes',
  may: 'any token',
  request: async (world) => ({
    headers: { authorization: await world.knownToken() },
    body: { description: world.name('token'), expiresAt: '2126-01-01T00:00:00Z' },
  }),
  required: ['description', 'expiresAt'],
  again: 409,
});

const path = '/api/admin/user/tokens';
const expiresAt = '2126-01-01T00:00:00.000Z';

test('A token acts as its user, and shows its secret once', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe', rootRole: 'Editor' });
  const { status, body } = await service.post(path, { description: 'laptop', expiresAt }, { token });
  expect(status).toBe(201);
  const { secret, ...pat } = body;
  expect(pat).toEqual({
    id: pat.id,
    description: 'laptop',
    expiresAt,
    userId: pat.userId,
    createdAt: pat.createdAt,
    seenAt: null,
  });
  const { pats } = (await service.get(path, { token: secret })).body;
  expect(pats).toHaveLength(2);
  expect(pats).toContainEqual(pat);
  const event = (await serviceEvents(service.table)).at(-1);
  expect(event).toMatchObject({ type: 'pat-created', createdBy: 'zoe' });
  expect(JSON.stringify(event)).not.toContain(secret);
});

test('A user has a description once and no more than 100 tokens, an admin token none', async ({ service, world }) => {
  const token = await newTokenOf(service, { username: 'zoe' });
  const create = (description: string, as = token, at = expiresAt) =>
    service.post(path, { description, expiresAt: at }, { token: as });
  expect(await create('past', token, '2020-01-01T00:00:00Z')).toMatchObject({ status: 400 });
  expect((await create('one')).status).toBe(201);
  expect(await create('one')).toMatchObject({ status: 409 });
  const { userId } = (await service.get(path, { token })).body.pats[0];
  const user = { id: userId, username: 'zoe' };
  await world.tokens(user, 97);
  expect(await create('the last')).toMatchObject({ status: 201 });
  expect(await create('too many')).toMatchObject({ status: 400 });
  expect(await create('admin', service.adminToken)).toMatchObject({ status: 403 });
});

test('A token that is made by a token ends with it at the latest', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe' });
  const soon = new Date(Date.now() + 60_000).toISOString();
  const make = (until: string, by: string) =>
    service.post(path, { description: until, expiresAt: until }, { token: by });
  const { secret } = (await make(soon, token)).body;
  expect(await make(expiresAt, secret)).toMatchObject({ status: 400, body: { details: [{ path: 'expiresAt' }] } });
  expect((await make(new Date(Date.parse(soon) - 1).toISOString(), secret)).status).toBe(201);
});
