import type { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

async function newMember(world: World) {
  const userName = `${world.name('person')}@example.com`;
  const { body } = await world.ask('POST', '/scim/Users', { userName }, await world.directory());
  return { value: body.id as string, $ref: body.meta.location as string, type: 'User' };
}

/** A group with every attribute, as a directory sends it. */
async function groupOf(world: World) {
  return {
    schemas: [groupSchema],
    externalId: world.name('external'),
    displayName: world.name('group'),
    members: [await newMember(world)],
  };
}

async function newGroup(world: World) {
  const headers = await world.directory();
  const group = await groupOf(world);
  const { body } = await world.ask('POST', '/scim/Groups', group, headers);
  return { headers, params: { id: body.id as string }, group };
}

const readAt = 'GET /scim/Groups/{id}';

specify('getScimGroups', {
  // The index, and the group.
  waits: 2,
  route: 'GET /scim/Groups',
  may: 'signers',
  request: async (world) => {
    const { headers, group } = await newGroup(world);
    return {
      headers,
      query: {
        filter: `displayName eq "${group.displayName}"`,
        startIndex: 1,
        count: 10,
        attributes: 'displayName,members',
        excludedAttributes: 'members',
      },
    };
  },
});

specify('createScimGroup', {
  // The members that exist, the group, their accounts, and the change.
  waits: 5,
  bodyBytesMax: 2_097_152,
  route: 'POST /scim/Groups',
  may: 'signers',
  request: async (world) => ({ headers: await world.directory(), body: await groupOf(world) }),
  again: 409,
});

specify('getScimGroup', {
  route: readAt,
  may: 'signers',
  request: (world) => newGroup(world),
});

specify('replaceScimGroup', {
  // The members that exist, the group, their accounts, and the change.
  waits: 4,
  bodyBytesMax: 2_097_152,
  route: 'PUT /scim/Groups/{id}',
  may: 'signers',
  request: async (world) => {
    const { headers, params, group } = await newGroup(world);
    return { headers, params, body: { ...group, members: [await newMember(world)] } };
  },
});

specify('patchScimGroup', {
  // The members that exist, the group, their accounts, and the change.
  waits: 4,
  bodyBytesMax: 2_097_152,
  route: 'PATCH /scim/Groups/{id}',
  may: 'signers',
  request: async (world) => {
    const { headers, params } = await newGroup(world);
    return {
      headers,
      params,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'add', path: 'members', value: [await newMember(world)] }],
      },
    };
  },
});

specify('deleteScimGroup', {
  // The group, to see who made it, then the group and its members, and the change.
  waits: 4,
  route: 'DELETE /scim/Groups/{id}',
  may: 'signers',
  request: (world) => newGroup(world),
  again: 404,
});
