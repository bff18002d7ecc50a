import { expect, test } from 'vitest';
import { eventsAddedBy, problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { emptyFile } from '../../lib/imports/empty-file.ts';
import { worldForEach } from '../../specifications/specify.ts';

const { service, world } = worldForEach();

const bring = (data: object) =>
  service.post('/api/admin/features-batch/import', {
    project: 'default',
    environment: 'development',
    data: { ...emptyFile, features: [{ name: 'a' }], ...data },
  });
const linksOf = async (name: string) => (await service.get(`/api/admin/projects/default/features/${name}`)).body.links;
const url = 'https://example.com/';

test('Links come with an import, keep their ids when it comes again, and stay where a file says nothing of them', async () => {
  const links = [{ feature: 'a', links: [{ url: 'HTTPS://Example.com', title: 'Ours' }, { url: `${url}2` }] }];
  const added = await eventsAddedBy(service, 'a', async () => {
    expect((await bring({ links })).status).toBe(200);
  });
  expect(added.map(({ type }) => type).filter((type) => type === 'feature-link-added')).toHaveLength(2);
  const before = await linksOf('a');
  expect(before).toMatchObject([
    { url: 'HTTPS://Example.com', title: 'Ours' },
    { url: `${url}2`, title: null },
  ]);
  const again = await eventsAddedBy(service, 'a', async () => {
    await bring({ links });
    await bring({});
  });
  expect([again, await linksOf('a')]).toEqual([[], before]);
  await bring({ links: [{ feature: 'a', links: [{ url: `${url}2` }] }] });
  expect(await linksOf('a')).toEqual(before.slice(1));
  await bring({ links: [] });
  expect(await linksOf('a')).toEqual([]);
});

test('Links of an import are kept as they are given, with https where they name no scheme, so that none is a script', async () => {
  const given = ['http://example.com?b=ü', 'example.com/A', 'javascript:1/alert(1)'];
  await bring({ links: [{ feature: 'a', links: given.map((each) => ({ url: each })) }] });
  expect((await linksOf('a')).map((link: { url: string }) => link.url)).toEqual([
    'http://example.com?b=ü',
    'https://example.com/A',
    'https://javascript:1/alert(1)',
  ]);
});

test('An export brings its links into another service', async () => {
  await world.link();
  const { body: data } = await service.post('/api/admin/features-batch/export', {
    features: ['feature-1'],
    environment: 'development',
  });
  const other = await freshService();
  const body = { project: 'default', environment: 'development', data };
  expect((await other.post('/api/admin/features-batch/import', body)).status).toBe(200);
  const { body: feature } = await other.get('/api/admin/projects/default/features/feature-1');
  expect(feature.links).toMatchObject([{ url: 'https://example.com/7', title: 'Seven' }]);
});

test('The weights of variants that are imported are whole: several SDKs read no flag at all where one is not', async () => {
  const variants = [{ name: 'a', weight: 333.3 }];
  const answer = await bring({ featureEnvironments: [{ name: 'a', enabled: true, variants }] });
  expect(problemPaths(answer)).toEqual(['data.featureEnvironments.0.variants.0.weight']);
});
