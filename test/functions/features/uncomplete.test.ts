import { expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('uncomplete', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/uncomplete',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => {
    const { place } = await world.feature();
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/lifecycle/complete`;
    await world.ask('POST', path, { status: 'kept' });
    return { params: place };
  },
});

test('A feature that is not completed after all is in the stage before, and nothing happens to one that was not', async ({
  service,
  world,
}) => {
  const { name } = await world.feature();
  const { lifecycle } = await readFeature(service, name);
  await service.post(`${paths.feature(name)}/lifecycle/complete`, { status: 'kept' });
  const events = await eventsAddedBy(service, name, async () => {
    for (const _ of [1, 2]) {
      const answer = await service.call('POST', `${paths.feature(name)}/lifecycle/uncomplete`);
      expect(answer).toMatchObject({ status: 200, text: '' });
    }
  });
  expect(events).toMatchObject([{ type: 'feature-uncompleted', data: null, preData: null }]);
  expect((await readFeature(service, name)).lifecycle).toEqual(lifecycle);
});
