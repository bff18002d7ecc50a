import { beforeEach, describe, expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { listAccess } from '../../../lib/people/access-list.ts';
import { createServiceAccount } from '../../../lib/people/administer-service-accounts.ts';
import { ensureUser } from '../../../lib/people/ensure-user.ts';
import type { Request } from '../../../lib/request.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';

let table: Request;
beforeEach(async () => {
  ({ table } = await freshService());
});

const inDefault = (role: 'Owner' | 'Member') => ({ project: 'default', role });

describe('Ensuring a user', () => {
  test('creates a new one with an event, as a Viewer by default', async () => {
    const user = await ensureUser(table, { username: 'alice' });
    expect(user).toMatchObject({ id: 2, username: 'alice', rootRole: 3, projectRoles: [] });
    expect((await serviceEvents(table)).at(-1)).toMatchObject({
      type: 'user-created',
      data: { id: 2, username: 'alice', rootRole: 3 },
    });
  });

  test('gives an existing user the roles with an event, and keeps others', async () => {
    await ensureUser(table, { username: 'alice', rootRole: 'Editor' });
    await ensureUser(table, { username: 'alice', inProject: inDefault('Member') });
    const user = await ensureUser(table, { username: 'alice', inProject: inDefault('Owner') });
    expect(user).toMatchObject({ id: 2, rootRole: 2, projectRoles: [{ project: 'default', roles: [4] }] });
    expect((await serviceEvents(table)).at(-1)).toMatchObject({
      type: 'user-updated',
      data: { projectRoles: { default: [4] } },
      preData: { projectRoles: { default: [5] } },
    });
  });

  test('who has the roles already writes nothing', async () => {
    await ensureUser(table, { username: 'alice', rootRole: 'Editor', inProject: inDefault('Member') });
    const before = await serviceEvents(table);
    await ensureUser(table, { username: 'alice', rootRole: 'Editor', inProject: inDefault('Member') });
    await ensureUser(table, { username: 'alice' });
    expect(await serviceEvents(table)).toEqual(before);
  });

  test('with the name of a service account is an error that says so', async () => {
    await createServiceAccount(table, systemUser, { username: 'ci', name: 'CI', rootRole: 3 });
    await expect(ensureUser(table, { username: 'ci' })).rejects.toMatchObject({
      name: 'NameExistsError',
      message: 'There is already a service account with the user name "ci".',
    });
  });

  test('concurrently makes one user per name, with unique ids', async () => {
    const names = ['alice', 'bob', 'carol', 'alice', 'bob', 'carol'];
    const made = await Promise.all(names.map((username) => ensureUser(table, { username })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
    const { users } = await listAccess(table);
    expect(users.map(({ username }) => username).toSorted()).toEqual(['admin', 'alice', 'bob', 'carol']);
    expect((await serviceEvents(table)).filter(({ type }) => type === 'user-created')).toHaveLength(4);
  });
});
