import { beforeEach, describe, expect, test } from 'vitest';
import { freshService, type Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

const legalValues = [{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }];

specify('updateContextField', {
  route: 'PUT /api/admin/context/{contextField}',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_CONTEXT_FIELD'],
  request: async (world) => ({
    params: { contextField: await world.contextField() },
    body: { description: 'Where from', stickiness: true, sortOrder: 7, legalValues },
  }),
  required: ['legalValues.0.value'],
  nullable: ['description', 'legalValues.0.description'],
  differs: 'keeps what is left out',
});

describe('Updating a context field', () => {
  let service: Service;
  let path: string;
  beforeEach(async () => {
    service = await freshService();
    path = `/api/admin/context/${await new World(service).contextField({ description: 'As it was', sortOrder: 5 })}`;
  });

  test('changes what it names and keeps the rest', async () => {
    const before = (await service.get(path)).body;
    expect(await service.put(path, { legalValues })).toMatchObject({ status: 200, text: '' });
    expect((await service.get(path)).body).toEqual({ ...before, legalValues });
    await service.put(path, { description: null, stickiness: true });
    expect((await service.get(path)).body).toEqual({ ...before, description: '', stickiness: true, legalValues });
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'context-field-updated',
      data: { description: '', stickiness: true },
      preData: { description: 'As it was', stickiness: false },
    });
  });

  test('of a name that nothing bears is a 404', async () => {
    expect((await service.put('/api/admin/context/missing', { stickiness: true })).status).toBe(404);
  });
});
