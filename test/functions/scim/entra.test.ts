import { expect } from 'vitest';
import { connectDirectory } from '../../harness/directory.ts';
import { test } from '../../specifications/specify.ts';

/* The requests of Entra ID, in its own dialect of PATCH. */

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const ben = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'ben@contoso.onmicrosoft.com',
  active: true,
  displayName: 'Ben Contoso',
  emails: [{ primary: true, type: 'work', value: 'ben@example.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ben Contoso', familyName: 'Contoso', givenName: 'Ben' },
  title: 'Engineer',
  roles: [],
  [enterprise]: { department: 'Sales' },
};

test('Entra tests the connection with a random name, and expects an empty list', async ({ service, world }) => {
  const entra = connectDirectory(service, world);
  const { status, body } = await entra.find('/Users', `userName eq "${crypto.randomUUID()}"`);
  expect([status, body.totalResults, body.Resources]).toEqual([200, 0, []]);
  const groups = await entra.find('/Groups', `displayName eq "${crypto.randomUUID()}"`, '&excludedAttributes=members');
  expect([groups.status, groups.body.totalResults]).toEqual([200, 0]);
});

test('Entra creates a person, of whom both names sign in, and changes them', async ({ service, world }) => {
  const entra = connectDirectory(service, world);
  const { status, body: created } = await entra.post('/Users', ben);
  expect(status).toBe(201);
  expect(created).not.toHaveProperty('title');
  expect(created).not.toHaveProperty([enterprise]);
  const shown = (await service.get('/api/admin/user-admin')).body.users;
  expect(shown).toContainEqual(
    expect.objectContaining({ username: ben.userName, email: 'ben@example.com', name: 'Ben Contoso' }),
  );

  const place = `/Users/${created.id}`;
  const { body } = await entra.patch(
    place,
    { op: 'Replace', path: 'displayName', value: 'Benjamin' },
    { op: 'Replace', path: 'name.familyName', value: 'Fabrikam' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'benjamin@example.com' },
    { op: 'Add', path: `${enterprise}:department`, value: 'Marketing' },
    { op: 'Replace', path: 'title', value: 'Manager' },
  );
  expect(body).toMatchObject({
    displayName: 'Benjamin',
    name: { familyName: 'Fabrikam', givenName: 'Ben' },
    emails: [{ type: 'work', value: 'benjamin@example.com', primary: true }],
  });
  const dotted = { 'name.givenName': 'Benny', 'emails[type eq "home"].value': 'b@example.org', Active: 'True' };
  expect((await entra.patch(place, { op: 'Add', value: dotted })).body).toMatchObject({
    name: { givenName: 'Benny' },
    emails: [{ type: 'work' }, { type: 'home', value: 'b@example.org' }],
    active: true,
  });
});

test('Entra deactivates a person with text, and finds them by each of their names', async ({ service, world }) => {
  const entra = connectDirectory(service, world);
  const { id } = (await entra.post('/Users', ben)).body;
  expect((await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
    false,
  );
  const filters = [
    'userName eq "BEN@contoso.onmicrosoft.com"',
    `externalId eq "${ben.externalId}"`,
    'emails[type eq "work"].value eq "ben@example.com"',
    'emails.value eq "Ben@Example.com"',
    `id eq "${id}" and active eq False`,
    'displayName sw "ben" and not (active eq true)',
    '(userName co "contoso" or userName ew ".org") and meta.created gt "2020-01-01T00:00:00Z"',
  ];
  for (const filter of filters) {
    const { body } = await entra.find('/Users', filter);
    expect([filter, body.totalResults, body.Resources?.[0]?.id]).toEqual([filter, 1, id]);
  }
  expect((await entra.find('/Users', `id eq "${id}" and active eq true`)).body.totalResults).toBe(0);
});

test('Entra provisions a group and its members, and asks for both without the list of members', async ({
  service,
  world,
}) => {
  const entra = connectDirectory(service, world);
  const [one, two] = [await entra.user('one@example.com'), await entra.user('two@example.com')];
  const sent = {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Checkout',
    meta: { resourceType: 'Group' },
  };
  const { id } = (await entra.post('/Groups', sent)).body;
  const place = `/Groups/${id}`;
  const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: one }, { value: two }] };
  expect((await entra.patch(place, add)).status).toBe(200);
  expect((await entra.patch(place, add)).body.members).toHaveLength(2);

  expect((await entra.get(`${place}?excludedAttributes=members`)).body).not.toHaveProperty('members');
  const named = await entra.find('/Groups', 'displayName eq "checkout"', '&excludedAttributes=members');
  expect(named.body).toMatchObject({ totalResults: 1, Resources: [{ id, displayName: 'Checkout' }] });
  expect(named.body.Resources[0]).not.toHaveProperty('members');
  const isMember = (user: string) => entra.find('/Groups', `id eq "${id}" and members eq "${user}"`);
  expect((await isMember(one)).body.totalResults).toBe(1);
  expect((await entra.find('/Groups', `members.value eq "${two}"`)).body.totalResults).toBe(1);

  await entra.patch(place, { op: 'Remove', path: 'members', value: [{ value: one }] });
  expect((await isMember(one)).body.totalResults).toBe(0);
  const left = await entra.patch(place, { op: 'Remove', path: `members[value eq "${two}"]` });
  expect(left.body).not.toHaveProperty('members');
});
