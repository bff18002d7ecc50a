import { expect } from 'vitest';
import { users } from '../../../lib/people/users.ts';
import { interrupted } from '../../harness/imports.ts';
import { knownPassword, sendSignIn } from '../../harness/sign-in.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('updateUser', {
  route: 'PUT /api/admin/user-admin/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({
    params: { id: (await world.user()).id },
    body: { name: 'A User', email: `${world.name('mail')}@example.com`, rootRole: 'Editor' },
  }),
  again: 'nothing',
});

const path = '/api/admin/user-admin';

test('What is left out stays, as does an empty address; the role is answered as sent', async ({ service }) => {
  const { id } = (await service.post(path, { username: 'one', email: 'one@example.com', rootRole: 3 })).body;
  const updated = await service.put(`${path}/${id}`, { name: 'New', email: '', rootRole: 'Editor' });
  expect(updated).toMatchObject({ status: 200, body: { name: 'New', email: 'one@example.com', rootRole: 'Editor' } });
  expect((await service.put(`${path}/${id}`, { email: 'new@example.com' })).body.rootRole).toBe(2);
  const again = await service.post(path, { email: 'one@example.com', rootRole: 3 });
  expect(again.status).toBe(201);
  expect(await service.put(`${path}/${id}`, { email: 'one@EXAMPLE.com' })).toMatchObject({ status: 409 });
});

test('A sign-in in the middle of an update is kept, be it the first or a later one', async ({ service }) => {
  const { id } = (await service.post(path, { username: 'one', password: knownPassword, rootRole: 3 })).body;
  const enter = () => sendSignIn(service, { username: 'one', password: knownPassword });
  let last = '';
  for (const name of ['First', 'Second']) {
    const since = new Date().toISOString();
    const update = () => service.put(`${path}/${id}`, { name });
    expect(await interrupted(service.table, users.keyOf(id), enter, update)).toMatchObject({
      status: 200,
      body: { name },
    });
    const { seenAt } = (await service.get(`${path}/${id}`)).body;
    expect(seenAt > last && seenAt >= since, `${seenAt}`).toBe(true);
    last = seenAt;
  }
});

test('A link ends with the address that it may have been mailed to, and with no other change', async ({ service }) => {
  const made = (await service.post(path, { email: 'mistyped@example.com', rootRole: 3 })).body;
  const { id } = made;
  const isOpen = async (link: string) =>
    (await service.get(`/auth/reset/validate${new URL(link).search}`, { token: null })).status === 200;
  await service.put(`${path}/${id}`, { name: 'Other', email: 'mistyped@example.com' });
  expect(await isOpen(made.inviteLink)).toBe(true);
  await service.put(`${path}/${id}`, { email: 'right@example.com' });
  expect(await isOpen(made.inviteLink)).toBe(false);
  const { resetPasswordUrl } = (await service.post(`${path}/reset-password`, { id: 'right@example.com' })).body;
  expect(await isOpen(resetPasswordUrl)).toBe(true);
});

test('The last Admin stays one, also where two cease to be at the same moment', async ({ service }) => {
  const [{ id: first }] = (await service.get(path)).body.users;
  expect(await service.put(`${path}/${first}`, { rootRole: 3 })).toMatchObject({ status: 400 });
  const { id: second } = (await service.post(path, { username: 'two', rootRole: 1 })).body;
  const answers = await Promise.all([first, second].map((id) => service.put(`${path}/${id}`, { rootRole: 3 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect((await service.get(`${path}/admin-count`)).body).toEqual({ password: 0, noPassword: 1, service: 0 });
});
