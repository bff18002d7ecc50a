import { describe, expect, test } from 'vitest';
import {
  eventsAddedBy,
  eventTypesOf,
  featureEventsOf,
  featureMaker,
  frequencies,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

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

const service = sharedService(shopSeed);

const newFeature = featureMaker(() => service);

const addTag = (name: string, tag: unknown) => service.post(paths.tags(name), tag);

/** The events that tell of new tags with this value. */
async function createdTags(value: string) {
  return (await serviceEvents(service.table)).filter(
    ({ type, data }) => type === 'tag-created' && data?.value === value,
  );
}

describe('Adding a tag to a feature', () => {
  test('answers 201 with the tag, of the type simple where none is named, and where the tags are', async () => {
    const name = await newFeature();
    const answer = await addTag(name, { value: 'hello' });
    expect(answer).toMatchObject({ status: 201, headers: { location: `/api/admin/features/${name}/tags` } });
    expect(answer.body).toEqual({ value: 'hello', type: 'simple' });
    expect((await readFeature(service, name)).tags).toEqual([{ value: 'hello', type: 'simple' }]);
  });

  test('tells of it with the tags that the feature has then', async () => {
    const name = await newFeature('shop');
    await addTag(name, { value: 'first' });
    const events = await eventsAddedBy(service, name, () => addTag(name, { value: 'second', type: 'team' }));
    const tags = [
      { value: 'first', type: 'simple' },
      { value: 'second', type: 'team' },
    ];
    expect(events).toMatchObject([
      {
        type: 'feature-tagged',
        project: 'shop',
        environment: null,
        data: { value: 'second', type: 'team' },
        preData: null,
        tags,
        createdBy: 'admin',
        createdByUserId: -42,
      },
    ]);
    expect((await readFeature(service, name, 'shop')).tags).toEqual(tags);
  });

  test('tells once of a tag that no feature had before', async () => {
    const [one, other] = [await newFeature(), await newFeature('shop')];
    expect(await createdTags('brand new')).toEqual([]);
    for (const name of [one, other, one]) expect((await addTag(name, { value: 'brand new' })).status).toBe(201);
    const [tagged] = (await featureEventsOf(service, one)).slice(-1);
    expect(await createdTags('brand new')).toMatchObject([
      { featureName: null, project: null, environment: null, tags: [], createdByUserId: -42 },
    ]);
    const [created] = await createdTags('brand new');
    expect(created?.data).toEqual({ value: 'brand new', type: 'simple' });
    expect(created?.id).not.toBe(tagged?.id);
    await addTag(one, { value: 'brand new', type: 'team' });
    expect(await createdTags('brand new')).toHaveLength(2);
  });

  // test/lib/tags/tag-schema.test.ts has the others.
  test('refuses a value that is none, and a type that does not exist, and changes nothing', async () => {
    const name = await newFeature();
    expect(problemPaths(await addTag(name, { value: 'a' }))).toEqual(['value']);
    for (const type of ['unknown', 'SIMPLE']) {
      expect(problemPaths(await addTag(name, { value: 'value', type }))).toEqual(['type']);
    }
    expect(await eventTypesOf(service, name)).toEqual(['feature-created']);
  });

  test('takes tags for different that differ in type, or in letter case', async () => {
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

  test('makes one tag and one event of equal ones at the same time, and loses none of the others', async () => {
    const name = await newFeature();
    const events = await eventsAddedBy(service, name, async () => {
      const values = ['at once', 'at once', 'at once', 'other', 'another'];
      const answers = await Promise.all(values.map((value) => addTag(name, { value })));
      expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 5 });
    });
    // Each event shows one tag more than the one before it.
    expect(events.map(({ tags }) => tags.length)).toEqual([1, 2, 3]);
    expect((await readFeature(service, name)).tags).toHaveLength(3);
    expect(await createdTags('at once')).toHaveLength(1);
  });

  test('makes a tag known once when four features get it at the same time', async () => {
    const names = await Promise.all(Array.from({ length: 4 }, () => newFeature()));
    const answers = await Promise.all(names.map((name) => addTag(name, { value: 'for four' })));
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 4 });
    for (const name of names) expect(await eventTypesOf(service, name)).toEqual(['feature-created', 'feature-tagged']);
    expect(await createdTags('for four')).toHaveLength(1);
  });
});
