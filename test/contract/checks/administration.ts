import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, expectDone, expectRefusal } from '../client.ts';

/** Fields that tell nothing secret. */
const publicFields = ['accountType', 'createdAt', 'email', 'id', 'name', 'rootRole', 'username'];

/** Users and groups, addons, SAML. */
export function checkAdministration(client: () => Client): void {
  test('the list of users and groups has the users with their roles, and nothing secret', async () => {
    const { users, groups } = bodyOf<{ users: { username: string }[]; groups: unknown[] }>(
      await client().get('/api/admin/user-admin/access'),
    );
    expect(users).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ username: 'admin', rootRole: 1 }),
        expect.objectContaining({ username: 'contract-viewer', rootRole: 3 }),
      ]),
    );
    expect(groups).toBeInstanceOf(Array);
    for (const user of users) expect(publicFields).toEqual(expect.arrayContaining(Object.keys(user)));
  });

  describe('deleting an addon', () => {
    const remove = (id: string) => client().call('DELETE', `/api/admin/addons/${id}`);

    test('is done once: 200, then 404', async () => {
      expectDone(await remove('4711'));
      expectRefusal(await remove('4711'), 404, 'NotFoundError');
    });

    test('is refused with 400 for what is no id', async () => {
      for (const id of ['0', '-1', '1.5', 'abc']) expectRefusal(await remove(id), 400, 'ValidationError');
    });
  });

  describe('SAML settings', () => {
    const path = '/api/admin/auth/saml/settings';
    const required = { entityId: 'entity', signOnUrl: 'https://idp.example.com/on', certificate: 'MII' };

    test('are answered as they are given, read back so, and replaced as a whole', async () => {
      const full = { ...required, enabled: true, autoCreate: true, defaultRootRole: 'Viewer', defaultRootRoleId: 3 };
      for (const settings of [full, required]) {
        expect(bodyOf(await client().post(path, settings))).toEqual(settings);
        expect(bodyOf(await client().get(path))).toEqual(settings);
      }
    });

    test('are refused with a role that does not exist, and stay as they were', async () => {
      expect(await client().post(path, required)).toMatchObject({ status: 200 });
      expectRefusal(await client().post(path, { ...required, defaultRootRole: 'King' }), 400, 'ValidationError');
      expect(bodyOf(await client().get(path))).toEqual(required);
    });
  });
}
