import { expect } from 'vitest';
import { listSessions, sessionsMax } from '../../../lib/sign-in/sessions.ts';
import { createToken, listTokens } from '../../../lib/tokens/tokens.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { giveSession } from '../../harness/sign-in.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('deleteUser', {
  route: 'DELETE /api/admin/user-admin/{id}',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { id: (await world.user()).id } }),
  again: 404,
});

const path = '/api/admin/user-admin';

test('A user is deleted with all of their tokens and sessions, and the events say so', async ({ service, world }) => {
  const user = await world.user({ rootRole: 'Editor' });
  // More than are deleted together with their user.
  await world.tokens(user, 42);
  for (let index = 0; index < sessionsMax; index += 1) await giveSession(service.table, user.id);
  const others = await world.token();
  expect(await service.call('DELETE', `${path}/${user.id}`)).toMatchObject({ status: 200, text: '' });
  expect((await listTokens(service.table)).filter(({ userId }) => userId === user.id)).toEqual([]);
  expect(await service.get('/api/admin/projects', { token: others })).toMatchObject({ status: 200 });
  expect(await listSessions(service.table, user.id)).toEqual([]);
  const types = (await serviceEvents(service.table)).map(({ type }) => type);
  expect(types.filter((type) => type === 'pat-deleted')).toHaveLength(42);
  expect(types.at(-1)).toBe('user-deleted');
});

test('A token that is made while its user is deleted does not stay', async ({ service, world }) => {
  const [one, other] = [await world.user(), await world.user()];
  const make = (user: typeof one) => createToken(service.table, { kind: 'user', user });
  const remove = ({ id }: typeof one) => service.call('DELETE', `${path}/${id}`);

  const making = await stuckAfter(service.table, 0, () => make(one));
  expect((await remove(one)).status).toBe(200);
  await expect(making.goOn()).rejects.toThrow('no user');

  const deletion = await stuckAfter(service.table, 0, () => remove(other));
  await make(other);
  expect((await deletion.goOn()).status).toBe(200);
  const owners = (await listTokens(service.table)).map(({ userId }) => userId);
  expect(owners).not.toContain(one.id);
  expect(owners).not.toContain(other.id);
});

test('Two Admins who are deleted at the same moment do not both go', async ({ service }) => {
  const [{ id: first }] = (await service.get(path)).body.users;
  expect(await service.call('DELETE', `${path}/${first}`)).toMatchObject({ status: 400 });
  const { id: second } = (await service.post(path, { username: 'two', rootRole: 1 })).body;
  const answers = await Promise.all([first, second].map((id) => service.call('DELETE', `${path}/${id}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});
