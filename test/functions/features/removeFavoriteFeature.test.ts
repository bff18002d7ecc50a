import { expect } from 'vitest';
import { eventsAddedBy, paths } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('removeFavoriteFeature', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/favorites',
  unversioned: 'it changes what the caller sees, and nothing else',
  may: 'any token',
  request: async (world) => {
    const { place } = await world.feature();
    await world.ask('POST', `/api/admin/projects/${place.projectId}/features/${place.featureName}/favorites`);
    return { params: place };
  },
});

test('A favorite ends being one, with one event', async ({ service, world }) => {
  const { name } = await world.feature();
  const path = `${paths.feature(name)}/favorites`;
  await service.call('POST', path);
  const events = await eventsAddedBy(service, name, async () => {
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, text: '' });
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200 });
  });
  expect(events).toMatchObject([{ type: 'feature-unfavorited', data: { feature: name } }]);
  expect((await service.get(paths.feature(name))).body.favorite).toBe(false);
});
