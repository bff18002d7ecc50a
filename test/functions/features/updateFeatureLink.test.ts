import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('updateFeatureLink', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({ params: await world.link(), body: { url: 'https://example.com/8', title: 'Eight' } }),
  required: ['url'],
  nullable: ['title'],
});

describe('Changing a link of a feature', () => {
  const { service, world } = sharedWorld();

  test('leaves a title that is left out, and tells what it was', async () => {
    const { featureName, linkId } = await world.link();
    const update = (body: object) => service.put(`${paths.feature(featureName)}/link/${linkId}`, body);
    const [before] = (await readFeature(service, featureName)).links;
    const events = await eventsAddedBy(service, featureName, async () => {
      await update({ url: 'https://example.com/8' });
      await update({ url: 'https://example.com/8' });
    });
    const { id: _id, feature: _feature, ...shown } = before;
    expect(events).toMatchObject([
      { type: 'feature-link-updated', preData: shown, data: { ...shown, url: 'https://example.com/8' } },
    ]);
    await update({ url: 'https://example.com/8', title: null });
    expect((await readFeature(service, featureName)).links).toEqual([
      { id: linkId, feature: featureName, url: 'https://example.com/8', title: null },
    ]);
  });

  test('is refused of a link of another feature, and with an address of another scheme', async () => {
    const [mine, other] = [await world.link(), await world.link()];
    const path = `${paths.feature(mine.featureName)}/link`;
    expect(await service.put(`${path}/${other.linkId}`, { url: 'https://a.b' })).toMatchObject({ status: 404 });
    expect(await service.put(`${path}/${mine.linkId}`, { url: 'file:///etc' })).toMatchObject({ status: 400 });
  });
});
