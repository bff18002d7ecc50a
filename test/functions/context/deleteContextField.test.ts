import { describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('deleteContextField', {
  route: 'DELETE /api/admin/context/{contextField}',
  ...openTo('Editor', 'DELETE_CONTEXT_FIELD'),
  request: async (world) => ({ params: { contextField: await world.contextField() } }),
  again: 404,
  // The projects are asked for first, and then for what the strategies of their features compare.
  waits: 3,
});

describe('Deleting a context field', () => {
  const { service, world } = worldForEach();
  const remove = (name: string) => service.call('DELETE', `/api/admin/context/${name}`);
  const constraint = (contextName: string) => ({ contextName, operator: 'IN', values: ['CH'] });

  test('takes it out of the list, and records what it was', async () => {
    const name = await world.contextField({ description: 'Where from' });
    expect(await remove(name)).toMatchObject({ status: 200, text: '' });
    expect((await service.get(`/api/admin/context/${name}`)).status).toBe(404);
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'context-field-deleted',
      preData: { name, description: 'Where from' },
    });
  });

  test('is refused while a strategy, a disabled one included, or a segment compares it, and names all of them', async () => {
    const name = await world.contextField();
    const feature = await world.feature();
    const strategy = await world.strategy(feature, {
      name: 'default',
      disabled: true,
      constraints: [constraint(name)],
    });
    const segment = await world.segment({ constraints: [constraint(name)] });
    await world.feature({ strategies: [{ name: 'default', constraints: [constraint('userId')] }] });
    const answer = await remove(name);
    expect(answer).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(answer.body.message).toContain(
      `the feature "${feature.name}" in "development", the segment "${segment.id}"`,
    );

    await world.ask('DELETE', `/api/admin/segments/${segment.id}`);
    const { projectId, featureName, environment } = feature.place;
    const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/strategies`;
    await world.ask('DELETE', `${path}/${strategy}`);
    expect((await remove(name)).status).toBe(200);
  });
});
