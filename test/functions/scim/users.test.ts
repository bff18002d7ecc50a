import type { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A person with every attribute, as a directory sends them. */
function personOf(world: World) {
  const address = `${world.name('person')}@example.com`;
  return {
    schemas: [userSchema],
    externalId: world.name('external'),
    userName: address,
    name: { formatted: 'Ann Example', familyName: 'Example', givenName: 'Ann' },
    displayName: 'Ann Example',
    emails: [{ value: address, type: 'work', primary: true }],
    active: true,
  };
}

async function newUser(world: World, more: object = {}) {
  const headers = await world.directory();
  const person = { ...personOf(world), ...more };
  const { body } = await world.ask('POST', '/scim/Users', person, headers);
  return { headers, params: { id: body.id as string }, person };
}

const readAt = 'GET /scim/Users/{id}';

specify('getScimUsers', {
  // The index, and the user.
  waits: 2,
  route: 'GET /scim/Users',
  may: 'signers',
  request: async (world) => {
    const { headers, person } = await newUser(world);
    return {
      headers,
      query: {
        filter: `userName eq "${person.userName}"`,
        startIndex: 1,
        count: 10,
        attributes: 'userName,emails,meta',
        excludedAttributes: 'emails',
      },
    };
  },
});

specify('createScimUser', {
  route: 'POST /scim/Users',
  may: 'signers',
  request: async (world) => ({ headers: await world.directory(), body: personOf(world) }),
  again: 409,
});

specify('getScimUser', {
  route: readAt,
  may: 'signers',
  request: (world) => newUser(world),
});

specify('replaceScimUser', {
  route: 'PUT /scim/Users/{id}',
  may: 'signers',
  request: async (world) => {
    const { headers, params, person } = await newUser(world);
    return { headers, params, body: { ...person, displayName: 'Ann Other' } };
  },
});

specify('patchScimUser', {
  route: 'PATCH /scim/Users/{id}',
  may: 'signers',
  request: async (world) => {
    const { headers, params } = await newUser(world);
    return {
      headers,
      params,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'displayName', value: 'Ann Other' }],
      },
    };
  },
});

specify('deleteScimUser', {
  // The user, then their sessions and tokens, and the change.
  waits: 3,
  route: 'DELETE /scim/Users/{id}',
  may: 'signers',
  request: (world) => newUser(world),
  again: 404,
});
