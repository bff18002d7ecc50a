import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getEvents', {
  route: 'GET /api/admin/events',
  may: 'any token',
  request: async (world) => {
    const project = await world.project();
    await world.feature({ project });
    return { query: { project } };
  },
  // The newest events are looked up, and then read.
  waits: 2,
});

test('All events of a project or the service are listed, newest first', async ({ service, world }) => {
  const project = await world.project();
  await service.post(`/api/admin/projects/${project}/features`, { name: 'one' });
  await service.post('/api/admin/tag-types', { name: 'team' });
  await service.post(`/api/admin/projects/${project}/features`, { name: 'two' });

  const typesOf = ({ body }: { body: { events: { type: string; featureName: string | null }[] } }) =>
    body.events.map(({ type, featureName }) => (featureName === null ? type : `${type} ${featureName}`));
  const ofProject = await service.get(`/api/admin/events?project=${project}`);
  expect(typesOf(ofProject)).toEqual(['feature-created two', 'feature-created one', 'project-created']);
  expect(ofProject.body).toMatchObject({ version: 1, totalEvents: 3 });

  const all = await service.get('/api/admin/events');
  expect(typesOf(all).slice(0, 3)).toEqual(['feature-created two', 'tag-type-created', 'feature-created one']);
  expect(all.body.totalEvents).toBe(all.body.events.length);
  const [first] = (await service.get('/api/admin/events/two')).body.events;
  expect(all.body.events[0]).toEqual(first);
});

test('It lists 100 events and counts all', async ({ service }) => {
  const features = Array.from({ length: 101 }, (_, index) => ({ name: `f-${index}` }));
  const data = { features, featureStrategies: [], tagTypes: [] };
  await service.post('/api/admin/features-batch/import', { project: 'default', environment: 'development', data });
  const { body } = await service.get('/api/admin/events?project=default');
  expect(body.events).toHaveLength(100);
  expect(body.events[0].type).toBe('features-imported');
  expect(body.totalEvents).toBeGreaterThan(100);
});
