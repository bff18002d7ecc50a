import { beforeEach, describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

const legalValues = [{ value: 'CH', description: 'Switzerland' }, { value: 'NZ' }];

specify('updateContextField', {
  route: 'PUT /api/admin/context/{contextField}',
  ...openTo('Editor', 'UPDATE_CONTEXT_FIELD'),
  request: async (world) => ({
    params: { contextField: await world.contextField() },
    body: { description: 'Where from', stickiness: true, sortOrder: 7, legalValues, project: world.home.projectId },
  }),
  required: ['legalValues.0.value'],
  nullable: ['description', 'legalValues.0.description', 'project'],
  differs: 'keeps the sort order that is left out',
});

describe('Updating a context field', () => {
  let path: string;
  const service = serviceForEach();
  beforeEach(async () => {
    path = `/api/admin/context/${await new World(service).contextField({ description: 'As it was', sortOrder: 5 })}`;
  });

  test('changes what it names, empties legal values and stickiness that it leaves out, as Unleash does, and keeps the rest', async () => {
    const before = (await service.get(path)).body;
    expect(await service.put(path, { legalValues })).toMatchObject({ status: 200, text: '' });
    expect((await service.get(path)).body).toEqual({ ...before, legalValues });
    await service.put(path, { description: null, stickiness: true });
    expect((await service.get(path)).body).toEqual({ ...before, description: null, stickiness: true });
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'context-field-updated',
      data: { description: null, stickiness: true },
      preData: { description: 'As it was', stickiness: false },
    });
    await service.put(path, {});
    expect((await service.get(path)).body).toEqual({ ...before, description: null });
  });

  test('gives it to a project, and back to all of them', async () => {
    const shown = async () => (await service.get(path)).body;
    const before = await shown();
    expect(await service.put(path, { project: 'nowhere' })).toMatchObject({ status: 404 });
    expect(await service.put(path, { project: 'default' })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ ...before, project: 'default' });
    expect(await service.put(path, { sortOrder: 6 })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ ...before, sortOrder: 6, project: 'default' });
    expect(await service.put(path, { project: null })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual({ ...before, sortOrder: 6 });
  });
});
