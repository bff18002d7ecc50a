import { describe, expect, test } from 'vitest';
import { eventsAddedBy, importFileParts, paths, problemPaths, readFeature } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld();

specify('createFeatureLink', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/link',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: { url: 'https://tickets.example.com/7', title: 'The ticket' },
  }),
  required: ['url'],
  nullable: ['title'],
  again: 'once more',
});

describe('Adding a link to a feature', () => {
  const add = (name: string, body: object) => service.post(`${paths.feature(name)}/link`, body);

  test('shows it in the feature, with an id', async () => {
    const { name } = await world.feature();
    await add(name, { url: 'http://example.com/7?a=1#b', title: 'Seven' });
    await add(name, { url: 'example.com' });
    expect((await readFeature(service, name)).links).toEqual([
      { id: expect.any(String), url: 'http://example.com/7?a=1#b', title: 'Seven', feature: name },
      { id: expect.any(String), url: 'https://example.com/', title: null, feature: name },
    ]);
  });

  test('is refused with an invalid address, or one other than http and https', async () => {
    const { name } = await world.feature();
    for (const url of [
      '',
      ' ',
      'javascript:alert(1)',
      'javascript://%0aalert(1)',
      'ftp://example.com',
      'https://',
      'a b',
    ]) {
      expect(problemPaths(await add(name, { url })), url).toEqual(['url']);
    }
    expect((await readFeature(service, name)).links).toEqual([]);
  });

  test('is refused for the eleventh link', async () => {
    const { name } = await world.feature();
    const links = Array.from({ length: 9 }, (_, count) => ({ url: `https://example.com/${'x'.repeat(200)}${count}` }));
    await importFileParts(service, { features: [{ name }], links: [{ feature: name, links }] });
    expect(await add(name, { url: 'https://example.com/9' })).toMatchObject({ status: 204 });
    expect(await add(name, { url: 'https://example.com/10' })).toMatchObject({ status: 400 });
    expect((await readFeature(service, name)).links).toHaveLength(10);
  });
});

specify('updateFeatureLink', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/link/{linkId}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({ params: await world.link(), body: { url: 'https://example.com/8', title: 'Eight' } }),
  required: ['url'],
  nullable: ['title'],
});

describe('Changing a link of a feature', () => {
  test('keeps an omitted title, and its event has the old link', async () => {
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

  test('is refused for a link of another feature, and with an address of another scheme', async () => {
    const [mine, other] = [await world.link(), await world.link()];
    const path = `${paths.feature(mine.featureName)}/link`;
    expect(await service.put(`${path}/${other.linkId}`, { url: 'https://a.b' })).toMatchObject({ status: 404 });
    expect(await service.put(`${path}/${mine.linkId}`, { url: 'file:///etc' })).toMatchObject({ status: 400 });
  });
});
