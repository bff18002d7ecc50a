import { describe, expect, test } from 'vitest';
import { eventsAddedBy, featureMaker, paths, problemPaths, readFeature, shopSeed } from '../../harness/features.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('updateTags', {
  route: 'PUT /api/admin/features/{featureName}/tags',
  versionAt: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const type = await world.shared('tag type', () => world.tagType());
    const [lost, received] = [world.name('tag'), world.name('tag')];
    return {
      params: (await world.feature({ tags: [{ type, value: lost }] })).place,
      body: { addedTags: [{ type, value: received }], removedTags: [{ type, value: lost }] },
      project: world.home.projectId,
    };
  },
  required: [
    'addedTags',
    'addedTags.0.value',
    'addedTags.0.type',
    'removedTags',
    'removedTags.0.value',
    'removedTags.0.type',
  ],
});

const service = sharedService(shopSeed);

const newFeature = featureMaker(() => service);
const simple = (...values: string[]) => values.map((value) => ({ type: 'simple', value }));
const shown = (...values: string[]) => simple(...values).map((tag) => ({ ...tag, color: '#FFFFFF' }));
const update = (name: string, addedTags: object[], removedTags: object[] = []) =>
  service.put(paths.tags(name), { addedTags, removedTags });

describe('Updating the tags of a feature', () => {
  test('adds and removes at once, answers all that it has then, and tells of each', async () => {
    const name = await newFeature();
    await update(name, simple('one', 'two'));
    const events = await eventsAddedBy(service, name, async () => {
      const answer = await update(name, [{ type: 'team', value: 'shop' }, ...simple('two')], simple('one', 'missing'));
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toEqual({
        version: 1,
        tags: [...shown('two'), { type: 'team', value: 'shop', color: null }],
      });
    });
    expect(events).toMatchObject([
      { type: 'feature-tagged', data: { type: 'team', value: 'shop' }, preData: null },
      { type: 'feature-untagged', data: null, preData: { type: 'simple', value: 'one' } },
    ]);
  });

  test('adds once what is listed twice, and removes what is both added and removed, which becomes no known tag', async () => {
    const name = await newFeature();
    expect((await update(name, simple('one', 'one', 'never'), simple('never'))).body.tags).toEqual(shown('one'));
    expect((await service.get('/api/admin/tags/simple')).text).not.toContain('never');
    expect((await update(name, simple('one'), simple('one'))).body.tags).toEqual([]);
  });

  test('names every unknown type, and changes nothing then', async () => {
    const name = await newFeature();
    const answer = await update(name, [
      ...simple('one'),
      { type: 'missing', value: 'xx' },
      { type: 'none', value: 'xx' },
    ]);
    expect(problemPaths(answer)).toEqual(['addedTags.1.type', 'addedTags.2.type']);
    expect((await readFeature(service, name)).tags).toEqual([]);
  });

  test('gives a feature at most 300 tags', async () => {
    const name = await newFeature();
    const values = (from: number, count: number) =>
      simple(...Array.from({ length: count }, (_, i) => `tag ${from + i}`));
    for (let from = 0; from < 300; from += 60) expect((await update(name, values(from, 60))).status).toBe(200);
    expect((await update(name, simple('one too many'))).status).toBe(400);
    expect((await update(name, simple('one in place'), values(0, 1))).body.tags).toHaveLength(300);
  });
});
