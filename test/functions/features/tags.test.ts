import { describe, expect, test } from 'vitest';
import { tagsMax } from '../../../lib/tags/tag-schema.ts';
import {
  eventsAddedBy,
  eventTypesOf,
  frequencies,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('addTag', {
  route: 'POST /api/admin/features/{featureName}/tags',
  versionAt: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: { value: world.name('tag'), type: await world.shared('tag type', () => world.tagType()) },
    project: world.home.projectId,
  }),
  others: {
    'a tag that another feature has': async (world) => {
      const tag = { value: world.name('tag'), type: await world.tagType() };
      await world.feature({ tags: [tag] });
      return { params: (await world.feature()).place, body: tag };
    },
  },
  required: ['value'],
});

const newFeature = async (project?: string) => (await world.feature({ project })).name;

const addTag = (name: string, tag: unknown) => service.post(paths.tags(name), tag);

/** Reads the events of new tags with a value. */
async function createdTags(value: string) {
  return (await serviceEvents(service.table)).filter(
    ({ type, data }) => type === 'tag-created' && data?.value === value,
  );
}

describe('Adding a tag to a feature', () => {
  test('answers 201 with the tag, of the type simple by default, and with the location of the tags', async () => {
    const name = await newFeature();
    const answer = await addTag(name, { value: 'hello' });
    expect(answer).toMatchObject({ status: 201, headers: { location: `/api/admin/features/${name}/tags` } });
    expect(answer.body).toEqual({ value: 'hello', type: 'simple' });
    expect((await readFeature(service, name)).tags).toEqual([{ value: 'hello', type: 'simple' }]);
  });

  test('has an event with the tags of the feature after it', async () => {
    const name = await newFeature('shop');
    await addTag(name, { value: 'first' });
    const events = await eventsAddedBy(service, name, () => addTag(name, { value: 'second', type: 'team' }));
    const tags = [
      { value: 'first', type: 'simple' },
      { value: 'second', type: 'team' },
    ];
    expect(events).toMatchObject([{ type: 'feature-tagged', data: { value: 'second', type: 'team' }, tags }]);
    expect((await readFeature(service, name, 'shop')).tags).toEqual(tags);
  });

  test('has one event for a tag that no feature had before', async () => {
    const [one, other] = [await newFeature(), await newFeature('shop')];
    expect(await createdTags('brand new')).toEqual([]);
    for (const name of [one, other, one]) expect((await addTag(name, { value: 'brand new' })).status).toBe(201);
    expect(await createdTags('brand new')).toHaveLength(1);
    await addTag(one, { value: 'brand new', type: 'team' });
    expect(await createdTags('brand new')).toHaveLength(2);
  });

  // test/lib/tags/tag-schema.test.ts tests other invalid values.
  test('refuses an invalid value and an unknown type, and changes nothing', async () => {
    const name = await newFeature();
    expect(problemPaths(await addTag(name, { value: 'a' }))).toEqual(['value']);
    for (const type of ['unknown', 'SIMPLE']) {
      expect(problemPaths(await addTag(name, { value: 'value', type }))).toEqual(['type']);
    }
    expect(await eventTypesOf(service, name)).toEqual(['feature-created']);
  });

  test('distinguishes tags by type and by case', async () => {
    const name = await newFeature();
    const tags = [
      { value: 'same', type: 'simple' },
      { value: 'same', type: 'team' },
      { value: 'same', type: 'Team' },
      { value: 'Same', type: 'team' },
    ];
    for (const tag of tags) expect((await addTag(name, { ...tag, bogus: 1 })).status).toBe(201);
    expect((await readFeature(service, name)).tags).toEqual(tags);
    expect((await eventTypesOf(service, name)).filter((type) => type === 'feature-tagged')).toHaveLength(4);
  });

  test('adds equal tags at the same time once, with one event, and loses no other tag', async () => {
    const name = await newFeature();
    const events = await eventsAddedBy(service, name, async () => {
      const values = ['at once', 'at once', 'at once', 'other', 'another'];
      const answers = await Promise.all(values.map((value) => addTag(name, { value })));
      expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 5 });
    });
    // Each event has one tag more than the event before it.
    expect(events.map(({ tags }) => tags.length)).toEqual([1, 2, 3]);
    expect((await readFeature(service, name)).tags).toHaveLength(3);
    expect(await createdTags('at once')).toHaveLength(1);
  });
});

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

const simple = (...values: string[]) => values.map((value) => ({ type: 'simple', value }));
const shown = (...values: string[]) => simple(...values).map((tag) => ({ ...tag, color: '#FFFFFF' }));
const update = (name: string, addedTags: object[], removedTags: object[] = []) =>
  service.put(paths.tags(name), { addedTags, removedTags });

describe('Updating the tags of a feature', () => {
  test('adds and removes tags together, returns all tags, and has an event for each', async () => {
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

  test('adds a repeated tag once, and removes a tag that is both added and removed without creating it', async () => {
    const name = await newFeature();
    expect((await update(name, simple('one', 'one', 'never'), simple('never'))).body.tags).toEqual(shown('one'));
    expect((await service.get('/api/admin/tags/simple')).text).not.toContain('never');
    expect((await update(name, simple('one'), simple('one'))).body.tags).toEqual([]);
  });

  test('is refused with every unknown type, and changes nothing', async () => {
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
  const simple = (...values: string[]) => values.map((value) => ({ type: 'simple', value }));
  const change = (features: readonly string[], addedTags: object[], removedTags: object[] = []) =>
    service.put('/api/admin/projects/default/tags', { features, tags: { addedTags, removedTags } });

  test('adds missing tags and removes existing ones, with events, and creates a new tag once', async () => {
    const [first, second] = (await world.featureNames(2)) as [string, string];
    await change([first], simple('old'));
    expect(await change([first, second, first], simple('new'), simple('old'))).toMatchObject({ status: 200, text: '' });
    for (const name of [first, second]) expect((await readFeature(service, name)).tags).toEqual(simple('new'));
    expect((await eventTypesOf(service, first)).slice(-2)).toEqual(['feature-tagged', 'feature-untagged']);
    expect((await eventTypesOf(service, second)).slice(-1)).toEqual(['feature-tagged']);
    const created = (await serviceEvents(service.table)).filter(({ type }) => type === 'tag-created');
    expect(created.slice(-2).map(({ data }) => data)).toEqual([...simple('old'), ...simple('new')]);
  });

  test('changes all of 80 features', async () => {
    const names = await world.featureNames(80);
    expect((await change(names, simple('many'))).status).toBe(200);
    const { body } = await service.get('/api/admin/search/features?tag=INCLUDE:simple:many&limit=1');
    expect(body.total).toBe(80);
  });

  test('creates as many tags at once as a feature can have', async () => {
    const names = await world.featureNames(2);
    const tags = simple(...Array.from({ length: tagsMax }, (_, index) => `new ${index}`));
    expect(await change(names, tags)).toMatchObject({ status: 200, text: '' });
    for (const name of names) expect((await readFeature(service, name)).tags).toEqual(tags);
    const created = (await serviceEvents(service.table)).filter(({ type }) => type === 'tag-created');
    expect(created.slice(-tagsMax).map(({ data }) => data)).toEqual(tags);
  });

  test('changes nothing if a type is unknown', async () => {
    const { name } = await world.feature();
    expect(problemPaths(await change([name], [{ type: 'none', value: 'one' }]))).toEqual(['tags.addedTags.0.type']);
    expect((await readFeature(service, name)).tags).toEqual([]);
  });
});
