import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getContextField', {
  route: 'GET /api/admin/context/{contextField}',
  may: 'any token',
  request: async (world) => ({
    params: { contextField: await world.contextField({ legalValues: [{ value: 'CH' }] }) },
  }),
});

test('A context field is the same alone as in the list', async ({ service }) => {
  const fields = (await service.get('/api/admin/context')).body;
  for (const { usedInFeatures: _features, usedInProjects: _projects, ...field } of fields) {
    expect((await service.get(`/api/admin/context/${field.name}`)).body).toEqual(field);
  }
});
