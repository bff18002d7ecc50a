import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getContextField', {
  route: 'GET /api/admin/context/{contextField}',
  may: 'any token',
  request: async (world) => ({
    params: { contextField: await world.contextField({ legalValues: [{ value: 'CH' }] }) },
  }),
});

test('A context field is the same alone as in the list', async () => {
  const service = await freshService();
  const fields = (await service.get('/api/admin/context')).body;
  for (const { usedInFeatures: _features, usedInProjects: _projects, ...field } of fields) {
    expect((await service.get(`/api/admin/context/${field.name}`)).body).toEqual(field);
  }
});
