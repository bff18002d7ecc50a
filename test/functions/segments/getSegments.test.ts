import { expect } from 'vitest';
import type { MadeFeature } from '../../harness/world.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getSegments', {
  route: 'GET /api/admin/segments',
  may: 'any token',
  given: (world) => world.segment(),
  // The projects are asked for first, and then for what their features use.
  waits: 2,
});

test('Segments are listed by name, each with all that it says', async ({ service, world }) => {
  const last = await world.segment({ name: 'z' });
  const first = await world.segment({
    name: 'first',
    description: 'Swiss',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
  });
  const { body } = await service.get('/api/admin/segments');
  expect(body.segments).toEqual([
    {
      ...first,
      name: 'first',
      description: 'Swiss',
      project: null,
      createdAt: expect.any(String),
      createdBy: expect.any(String),
      constraints: [{ contextName: 'country', operator: 'IN', values: ['CH'] }],
      usedInFeatures: 0,
      usedInProjects: 0,
    },
    expect.objectContaining({ ...last, name: 'z' }),
  ]);
});

test('A segment counts the live features that use it, and their projects, each once', async ({ service, world }) => {
  const [used, unused] = [await world.segment(), await world.segment()];
  const use = (feature: MadeFeature, disabled = false) =>
    world.strategy(feature, { name: 'default', segments: [used.id], disabled });
  const feature = await world.feature();
  await use(feature);
  await use(feature, true);
  await use({ ...feature, place: { ...feature.place, environment: 'production' } });
  await use(await world.feature());
  await use(await world.feature({ project: await world.project() }));
  const archived = await world.feature();
  await use(archived);
  await world.ask('DELETE', `/api/admin/projects/default/features/${archived.name}`);
  expect((await service.get('/api/admin/segments')).body.segments).toMatchObject([
    { id: used.id, usedInFeatures: 3, usedInProjects: 2 },
    { id: unused.id, usedInFeatures: 0, usedInProjects: 0 },
  ]);
});
