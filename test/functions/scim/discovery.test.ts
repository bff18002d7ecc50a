import { specify } from '../../specifications/specify.ts';

specify('getScimServiceProviderConfig', {
  route: 'GET /scim/ServiceProviderConfig',
  may: 'signers',
  request: async (world) => ({ headers: await world.directory() }),
});

specify('getScimResourceTypes', {
  route: 'GET /scim/ResourceTypes',
  may: 'signers',
  request: async (world) => ({ headers: await world.directory() }),
});

specify('getScimResourceType', {
  route: 'GET /scim/ResourceTypes/{id}',
  may: 'signers',
  request: async (world) => ({ params: { id: 'User' }, headers: await world.directory() }),
});

specify('getScimSchemas', {
  route: 'GET /scim/Schemas',
  may: 'signers',
  request: async (world) => ({ headers: await world.directory() }),
});

specify('getScimSchema', {
  route: 'GET /scim/Schemas/{id}',
  may: 'signers',
  request: async (world) => ({
    params: { id: 'urn:ietf:params:scim:schemas:core:2.0:User' },
    headers: await world.directory(),
  }),
});

specify('searchScim', {
  route: 'POST /scim/.search',
  may: 'signers',
  request: async (world) => ({
    headers: await world.directory(),
    body: {
      filter: 'userName eq "nobody@example.com"',
      attributes: ['userName'],
      excludedAttributes: ['members'],
      startIndex: 1,
      count: 10,
    },
  }),
});
