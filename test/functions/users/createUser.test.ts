import { expect } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { sendSignIn } from '../../harness/sign-in.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('createUser', {
  route: 'POST /api/admin/user-admin',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => {
    const username = world.name('user');
    const email = `${username}@example.com`;
    return { body: { username, email, name: 'A User', rootRole: 3, password: 'Correct-horse-7', sendEmail: false } };
  },
  required: ['rootRole'],
  needed: ['username', 'email'],
  again: 409,
  differs: '409 for a user who exists, where Unleash answers 400; a weak password is refused',
});

const path = '/api/admin/user-admin';

test('A user is created with their role by id or name, which is answered as sent', async ({ service }) => {
  const one = await service.post(path, { username: 'one', email: 'One@example.com', name: 'The One', rootRole: 2 });
  expect(one).toMatchObject({ status: 201, headers: { location: `${path}/${one.body.id}` } });
  expect(one.body).toEqual({
    ...{
      id: one.body.id,
      accountType: 'User',
      username: 'one',
      email: 'One@example.com',
      name: 'The One',
      rootRole: 2,
    },
    ...{ seenAt: null, loginAttempts: 0, emailSent: false, createdAt: expect.any(String) },
    ...{ imageUrl: '', scimId: null, seatType: null, companyRole: null, productUpdatesEmailConsent: null },
    inviteLink: expect.stringMatching(/^http:\/\/localhost\/new-user\?token=\d+\.[\w-]{43}$/),
  });
  const two = await service.post(path, { email: 'two@example.com', rootRole: 'Editor' });
  expect(two.body).toMatchObject({ rootRole: 'Editor' });
  const found = (await service.get(`${path}/${two.body.id}`)).body;
  expect(found).toMatchObject({ email: 'two@example.com', rootRole: 2 });
  expect(found).not.toHaveProperty('username');
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'user-created',
    data: { id: two.body.id, email: 'two@example.com', rootRole: 2 },
  });
});

test('Two users share neither a name nor an address, in whatever compatible letters', async ({ service }) => {
  await service.post(path, { username: 'one', email: 'one@example.com', rootRole: 3 });
  for (const body of [
    { username: 'ONE' },
    { username: 'ｏne' },
    { username: 'one@example．com' },
    { email: 'ONE@example.com' },
    { username: 'admin' },
    { username: 'One@Example.com' },
  ]) {
    expect(await service.post(path, { ...body, rootRole: 3 })).toMatchObject({
      status: 409,
      body: { name: 'NameExistsError' },
    });
  }
  const same = await Promise.all(
    Array.from({ length: 3 }, () => service.post(path, { email: 'many@example.com', rootRole: 3 })),
  );
  expect(same.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test('A name that is too long for the store once its ligatures are written out is a 400', async ({ service }) => {
  const refused = await service.post(path, { username: '\ufdfa'.repeat(100), rootRole: 3 });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'username' }] } });
  expect((await service.post(path, { username: '\ufdfa'.repeat(14), rootRole: 3 })).status).toBe(201);
});

test('No user name is the address of another user, even if both come at once', async ({ service }) => {
  const names = [{ username: 'Boss@Example.com' }, { email: 'boss@example.COM' }, { username: 'boss@example.com' }];
  const answers = await Promise.all(names.map((body) => service.post(path, { ...body, rootRole: 3 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const { body } = await service.post(path, { username: 'zoe', rootRole: 3 });
  const address = 'zoe@example.com';
  await service.post(path, { username: address, rootRole: 3 });
  expect((await service.put(`${path}/${body.id}`, { email: address.toUpperCase() })).status).toBe(409);
});

test('A name is free again once its user has another one, or is gone', async ({ service }) => {
  const { body } = await service.post(path, { email: 'one@example.com', rootRole: 3 });
  await service.put(`${path}/${body.id}`, { email: 'other@example.com' });
  expect((await service.post(path, { username: 'one@example.com', rootRole: 3 })).status).toBe(201);
  await service.call('DELETE', `${path}/${body.id}`);
  expect((await service.post(path, { username: 'Other@example.com', rootRole: 3 })).status).toBe(201);
});

test('A user without a name of any kind is a 400', async () => {
  expect(await (await freshService()).post(path, { rootRole: 3 })).toMatchObject({ status: 400 });
});

test('A user is given a password, and a weak one is refused with all rules it breaks', async ({ service }) => {
  await service.post(path, { username: 'zoe', rootRole: 3, password: 'Correct-horse-7' });
  const body = { username: 'zoe', password: 'Correct-horse-7' };
  expect((await sendSignIn(service, body)).status).toBe(200);
  const weak = await service.post(path, { username: 'bob', rootRole: 3, password: 'horse' });
  expect(weak.status).toBe(400);
  expect(weak.body.details[0]).toEqual({
    path: 'password',
    message: 'The password must be at least 10 characters long.',
    validationErrors: [
      'The password must be at least 10 characters long.',
      'The password must contain at least one uppercase letter.',
      'The password must contain at least one number.',
      'The password must contain at least one special character.',
    ],
  });
  expect(weak.text).not.toContain('horse');
});

test('A user without a password chooses one by the link, once', async ({ service }) => {
  const { inviteLink } = (await service.post(path, { email: 'zoe@example.com', rootRole: 3 })).body;
  const token = new URL(inviteLink).searchParams.get('token');
  const choose = (password: string) => service.post('/auth/reset/password', { token, password }, { token: null });
  expect((await choose('Correct-horse-7')).status).toBe(200);
  expect((await choose('Another-horse-7')).status).toBe(401);
  const body = { username: 'zoe@example.com', password: 'Correct-horse-7' };
  expect((await sendSignIn(service, body)).status).toBe(200);
});

test('A root role may be one of the team, but not one of projects or an unknown one', async ({ service, world }) => {
  const [ofTeam, ofProjects] = [await world.role({ type: 'root-custom' }), await world.role()];
  const create = (rootRole: number | string) =>
    service.post('/api/admin/user-admin', { username: world.name('user'), rootRole });
  const { status, body } = await create(ofTeam);
  expect([status, body.rootRole]).toEqual([201, ofTeam]);
  for (const rootRole of [ofProjects, 4, 77, 'Owner']) expect((await create(rootRole)).status).toBe(400);
  const { rootRoles } = (await service.get('/api/admin/user-admin')).body;
  expect(rootRoles.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, ofTeam]);
  const update = (rootRole: number) => service.call('PUT', `/api/admin/user-admin/${body.id}`, { body: { rootRole } });
  expect([(await update(ofProjects)).status, (await update(3)).status]).toEqual([400, 200]);
});
