import { describe, expect, test } from 'vitest';
import { tagsMax } from '../../../lib/tags/tag-schema.ts';
import { eventTypesOf, problemPaths, readFeature } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('addTagToFeatures', {
  route: 'PUT /api/admin/projects/{projectId}/tags',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const type = await world.shared('tag type', () => world.tagType());
    const [lost, received] = [world.name('tag'), world.name('tag')];
    const { name } = await world.feature({ tags: [{ type, value: lost }] });
    const tags = { addedTags: [{ type, value: received }], removedTags: [{ type, value: lost }] };
    return { params: world.home, body: { features: [name], tags } };
  },
  eachOf: 'live',
  required: [
    'features',
    'tags',
    'tags.addedTags',
    'tags.addedTags.0.value',
    'tags.addedTags.0.type',
    'tags.removedTags',
    'tags.removedTags.0.value',
    'tags.removedTags.0.type',
  ],
  differs: '404 for an unknown or an archived feature, where Unleash answers 500',
});

describe('Tagging several features', () => {
  const { service, world } = sharedWorld();
  const simple = (...values: string[]) => values.map((value) => ({ type: 'simple', value }));
  const change = (features: readonly string[], addedTags: object[], removedTags: object[] = []) =>
    service.put('/api/admin/projects/default/tags', { features, tags: { addedTags, removedTags } });

  test('gives each what it lacks and takes what it has, with its events; a new tag becomes known once', async () => {
    const [first, second] = (await world.featureNames(2)) as [string, string];
    await change([first], simple('old'));
    expect(await change([first, second, first], simple('new'), simple('old'))).toMatchObject({ status: 200, text: '' });
    for (const name of [first, second]) expect((await readFeature(service, name)).tags).toEqual(simple('new'));
    expect((await eventTypesOf(service, first)).slice(-2)).toEqual(['feature-tagged', 'feature-untagged']);
    expect((await eventTypesOf(service, second)).slice(-1)).toEqual(['feature-tagged']);
    const created = (await serviceEvents(service.table)).filter(({ type }) => type === 'tag-created');
    expect(created.map(({ data }) => data)).toEqual([...simple('old'), ...simple('new')]);
  });

  test('is complete for 80 features at once', async () => {
    const names = await world.featureNames(80);
    expect((await change(names, simple('many'))).status).toBe(200);
    const { body } = await service.get('/api/admin/search/features?tag=INCLUDE:simple:many&limit=1');
    expect(body.total).toBe(80);
  });

  test('makes as many tags known at once as a feature may have', async () => {
    const names = await world.featureNames(2);
    const tags = simple(...Array.from({ length: tagsMax }, (_, index) => `new ${index}`));
    expect(await change(names, tags)).toMatchObject({ status: 200, text: '' });
    for (const name of names) expect((await readFeature(service, name)).tags).toEqual(tags);
    const created = (await serviceEvents(service.table)).filter(({ type }) => type === 'tag-created');
    expect(created.slice(-tagsMax).map(({ data }) => data)).toEqual(tags);
  });

  test('changes nothing where a type is unknown', async () => {
    const { name } = await world.feature();
    expect(problemPaths(await change([name], [{ type: 'none', value: 'one' }]))).toEqual(['tags.addedTags.0.type']);
    expect((await readFeature(service, name)).tags).toEqual([]);
  });
});
