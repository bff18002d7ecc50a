import { describe, expect, test } from 'vitest';
import { groups } from '../../../../lib/identity/groups.ts';
import { syncGroups } from '../../../../lib/people/groups/sync-groups.ts';
import { transact } from '../../../../lib/store/transactions/transact.ts';
import { connectDirectory, numberIn } from '../../../harness/directory.ts';
import { manageGroup, switchScimTo } from '../../../harness/managed.ts';
import { oidcProviderSettings, signOnAt } from '../../../harness/oidc-provider.ts';
import { requestIdIn, samlAnswer, samlProviderSettings } from '../../../harness/saml-provider.ts';
import { serviceEvents } from '../../../harness/service-events.ts';
import { cookieIn } from '../../../harness/sign-in.ts';
import { worldForEach } from '../../../specifications/specify.ts';

const email = 'zoe@example.com';
const anonymous = { token: null };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const { service, world } = worldForEach();

const membersOf = async (id: number) => {
  const { body } = await service.get(`/api/admin/groups/${id}`);
  return body.users.map((each: { user: { email?: string; id: number } }) => each.user.email ?? each.user.id);
};
const idOf = async (address: string): Promise<number> => {
  const { body } = await service.get('/api/admin/user-admin');
  return body.users.find((user: { email?: string }) => user.email === address).id;
};

const byOidc = async (groups?: unknown, address = email) => {
  const begun = await service.get('/auth/oidc/login', anonymous);
  const back = await signOnAt(begun, { email: address, ...(groups !== undefined && { groups }) });
  return service.get(back, { ...anonymous, headers: { cookie: cookieIn(begun) } });
};
const bySaml = async (groups: readonly string[] = []) => {
  const requestId = requestIdIn(await service.get('/auth/saml/login', anonymous));
  const values = groups.map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`).join('');
  const statement = `<saml:AttributeStatement><saml:Attribute Name="memberOf">${values}</saml:Attribute></saml:AttributeStatement>`;
  const edit = (xml: string) => xml.replace('</saml:Assertion>', `${statement}</saml:Assertion>`);
  return service.call('POST', '/auth/saml/callback', {
    ...{ ...anonymous, headers: form },
    body: await samlAnswer({ requestId, email, edit }),
  });
};
const withOidc = async (more: object = {}) =>
  service.post('/api/admin/auth/oidc/settings', {
    ...(await oidcProviderSettings()),
    ...{ enableGroupSyncing: true, groupJsonPath: 'groups' },
    ...more,
  });
const withSaml = () =>
  service.post('/api/admin/auth/saml/settings', {
    ...samlProviderSettings,
    ...{ enableGroupSyncing: true, groupJsonPath: 'memberOf' },
  });

describe('Memberships follow the identity provider at each sign-on', () => {
  test.each([
    { way: 'OIDC', enable: () => withOidc(), signOn: byOidc },
    { way: 'SAML', enable: withSaml, signOn: bySaml },
  ])('by $way', async ({ enable, signOn }) => {
    await enable();
    const [shop, ops] = [
      await world.groupId({ mappingsSSO: ['shop-devs', 'shop-leads'] }),
      await world.groupId({ mappingsSSO: ['ops'] }),
    ];
    const other = await world.groupId();
    expect((await signOn(['shop-leads', 'unknown'])).status).toBe(302);
    expect([await membersOf(shop), await membersOf(ops), await membersOf(other)]).toEqual([[email], [], []]);
    expect((await signOn(['shop-devs', 'ops'])).status).toBe(302);
    expect([await membersOf(shop), await membersOf(ops)]).toEqual([[email], [email]]);
    expect((await signOn(['ops'])).status).toBe(302);
    expect([await membersOf(shop), await membersOf(ops)]).toEqual([[], [email]]);
    expect(await world.groupsOf(await idOf(email))).toEqual([ops]);
    expect((await signOn()).status).toBe(302);
    expect(await membersOf(ops)).toEqual([]);
  });

  test('with their rights, and an event for each', async () => {
    await withOidc({ defaultRootRole: 'Viewer' });
    const id = await world.groupId({ mappingsSSO: ['admins'], rootRole: 1 });
    const cookie = cookieIn(await byOidc(['admins']));
    expect((await service.get('/api/admin/user-admin', { ...anonymous, headers: { cookie } })).status).toBe(200);
    await byOidc([]);
    expect((await service.get('/api/admin/user-admin', { ...anonymous, headers: { cookie } })).status).toBe(403);
    const userId = await idOf(email);
    const { body } = await service.get(`/api/admin/groups/${id}`);
    const data = { groupId: id, groupName: body.name, userId };
    const events = (await serviceEvents(service.table)).filter(({ type }) => type.startsWith('group-user-'));
    expect(events).toMatchObject([
      { type: 'group-user-added', data },
      { type: 'group-user-removed', preData: data },
    ]);
  });

  test('also if only the user info endpoint has them', async () => {
    await withOidc();
    const id = await world.groupId({ mappingsSSO: ['devs'] });
    const begun = await service.get('/auth/oidc/login', anonymous);
    const back = await signOnAt(begun, { email }, { groups: ['devs'] });
    await service.get(back, { ...anonymous, headers: { cookie: cookieIn(begun) } });
    expect(await membersOf(id)).toEqual([email]);
  });

  test('except those that an administrator added', async () => {
    await withOidc();
    await byOidc([]);
    const users = [{ user: { id: await idOf(email) } }];
    const id = await world.groupId({ mappingsSSO: ['devs'], users });
    await byOidc(['devs']);
    await byOidc([]);
    expect(await membersOf(id)).toEqual([email]);
  });

  test('and do not change if the settings do not synchronise groups', async () => {
    await withOidc();
    const id = await world.groupId({ mappingsSSO: ['devs'] });
    await byOidc(['devs']);
    await withOidc({ enableGroupSyncing: false });
    await byOidc([]);
    expect(await membersOf(id)).toEqual([email]);
  });

  test('and do not change during maintenance', async () => {
    await withOidc();
    const id = await world.groupId({ mappingsSSO: ['devs'] });
    await byOidc(['devs']);
    await service.post('/api/admin/maintenance', { enabled: true });
    expect((await byOidc([])).status).toBe(302);
    expect(await membersOf(id)).toEqual([email]);
  });

  test('except those of groups that a directory manages while SCIM is on', async () => {
    await withOidc();
    const id = await world.groupId({ mappingsSSO: ['devs'] });
    await manageGroup(service, id);
    await switchScimTo(service, true);
    await byOidc(['devs']);
    expect(await membersOf(id)).toEqual([]);
    await switchScimTo(service, false);
    await byOidc(['devs']);
    expect(await membersOf(id)).toEqual([email]);
  });

  test('and end for somebody who joined a group by a sign-on before a directory managed it', async () => {
    await withOidc();
    const id = await world.groupId({ mappingsSSO: ['devs'], rootRole: 2 });
    await byOidc(['devs']);
    const directory = connectDirectory(service, world);
    const colleague = await directory.user('colleague@example.com');
    expect(numberIn(await directory.group('devs', [colleague]))).toBe(id);
    expect(await membersOf(id)).toEqual([email, 'colleague@example.com']);
    await byOidc([]);
    expect(await membersOf(id)).toEqual(['colleague@example.com']);
    await byOidc([], 'colleague@example.com');
    expect(await membersOf(id)).toEqual(['colleague@example.com']);
    await switchScimTo(service, false);
  });

  test('also for many groups, and many people at the same moment', async () => {
    await withOidc();
    // More than change in one transaction.
    const ids = Array.from({ length: 27 }, (_, index) => 100 + index);
    const at = new Date().toISOString();
    const made = ids.map((id) => {
      const common = { createdBy: 'admin', createdAt: at, projectRoles: [], members: [] };
      return groups.buildCreationEffects({ id, name: `group ${id}`, mappingsSSO: ['all'], ...common }, at);
    });
    await transact(
      service.table,
      made.flatMap(({ writes }) => writes),
      undefined,
    );
    await byOidc(['all']);
    expect((await world.groupsOf(await idOf(email))).toSorted((a, b) => a - b)).toEqual(ids);
    await byOidc([]);
    expect(await world.groupsOf(await idOf(email))).toEqual([]);
    const people = await Promise.all(Array.from({ length: 3 }, async () => (await world.user()).id));
    await Promise.all([...people, ...people].map((id) => syncGroups(service.table, id, ['all'])));
    expect((await membersOf(ids[0] as number)).toSorted()).toEqual(people.toSorted());
  });
});

test('The scope for groups is requested if the settings say so', async () => {
  const scope = async () => {
    const { headers } = await service.get('/auth/oidc/login', anonymous);
    return new URL(headers.location ?? '').searchParams.get('scope');
  };
  await withOidc();
  expect(await scope()).toBe('openid email profile');
  await withOidc({ addGroupsScope: true });
  expect(await scope()).toBe('openid email profile groups');
});
