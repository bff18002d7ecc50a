import { expect } from 'vitest';
import { connectDirectory } from '../../harness/directory.ts';
import { test } from '../../specifications/specify.ts';

/* The requests of Okta, as it sends them for people and for pushed groups. */

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

const ann = {
  schemas: [userSchema],
  userName: 'ann@example.com',
  name: { givenName: 'Ann', familyName: 'Example' },
  emails: [{ primary: true, value: 'ann@example.com', type: 'work' }],
  displayName: 'Ann Example',
  locale: 'en-US',
  externalId: '00u1a2b3c4',
  groups: [],
  password: '1mz050nq',
  active: true,
};

test('Okta tests the connection, creates a person, and finds them again', async ({ service, world }) => {
  const okta = connectDirectory(service, world, '/scim/v2');
  expect((await okta.get('/Users?startIndex=1&count=2')).body).toMatchObject({ totalResults: 0, Resources: [] });
  expect((await okta.get('/Groups?startIndex=1&count=100')).body).toMatchObject({ totalResults: 0, startIndex: 1 });

  const page = '&startIndex=1&count=100';
  const missing = await okta.find('/Users', 'userName eq "ann@example.com"', page);
  expect(missing).toMatchObject({ status: 200, body: { totalResults: 0, itemsPerPage: 0, Resources: [] } });

  const { status, body, headers } = await okta.post('/Users', ann);
  expect(status).toBe(201);
  expect(headers).toMatchObject({ 'content-type': 'application/scim+json', location: body.meta.location });
  const { locale: _, groups: __, password: ___, ...stored } = ann;
  expect(body).toMatchObject(stored);
  expect(Object.keys(body)).not.toContain('password');

  const found = await okta.find('/Users', 'userName eq "Ann@Example.com"', page);
  expect(found.body).toMatchObject({ totalResults: 1, itemsPerPage: 1, Resources: [{ id: body.id }] });
  expect((await okta.post('/Users', ann)).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
});

test('Okta replaces a person whose profile has changed', async ({ service, world }) => {
  const okta = connectDirectory(service, world);
  const { id, ...before } = (await okta.post('/Users', ann)).body;
  const renamed = { ...before, id, name: { givenName: 'Ann', familyName: 'Other' }, displayName: 'Ann Other' };
  const { status, body } = await okta.put(`/Users/${id}`, renamed);
  expect([status, body.displayName, body.name.familyName]).toEqual([200, 'Ann Other', 'Other']);
  const { users } = (await service.get('/api/admin/user-admin')).body;
  expect(users).toContainEqual(expect.objectContaining({ email: 'ann@example.com', name: 'Ann Other', scimId: id }));
});

test('Okta deactivates and reactivates a person by a PATCH without a path', async ({ service, world }) => {
  const okta = connectDirectory(service, world);
  const id = await okta.user('ann@example.com');
  for (const active of [false, true]) {
    const { status, body } = await okta.patch(`/Users/${id}`, { op: 'replace', value: { active } });
    expect([status, body.active]).toEqual([200, active]);
    expect((await okta.get(`/Users/${id}`)).body.active).toBe(active);
  }
});

test('Okta pushes a group, renames it, and changes its members', async ({ service, world }) => {
  const okta = connectDirectory(service, world);
  const [one, two] = [await okta.user('one@example.com'), await okta.user('two@example.com')];
  const group = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Checkout',
    members: [{ value: one, display: 'one@example.com' }],
  };
  const { id } = (await okta.post('/Groups', group)).body;
  const membersOf = async () =>
    ((await okta.get(`/Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value);

  const rename = { op: 'replace', value: { id, displayName: 'Payments' } };
  expect((await okta.patch(`/Groups/${id}`, rename)).body.displayName).toBe('Payments');
  expect((await service.get('/api/admin/groups')).body.groups).toMatchObject([{ name: 'Payments', scimId: id }]);

  await okta.patch(
    `/Groups/${id}`,
    { op: 'remove', path: `members[value eq "${one}"]` },
    { op: 'add', path: 'members', value: [{ value: two, display: 'two@example.com' }] },
  );
  expect(await membersOf()).toEqual([two]);
  await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: [{ value: one }, { value: two }] });
  expect((await membersOf()).toSorted()).toEqual([one, two].toSorted());
  expect((await okta.remove(`/Groups/${id}`)).status).toBe(204);
  expect((await service.get('/api/admin/groups')).body.groups).toEqual([]);
});
