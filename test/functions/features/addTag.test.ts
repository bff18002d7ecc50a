import { describe, expect, test } from 'vitest';
import {
  addFeatures,
  eventsAddedBy,
  eventTypesOf,
  featureEventsOf,
  featureMaker,
  frequencies,
  newTokenOf,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('addTag', {
  route: 'POST /api/admin/features/{featureName}/tags',
  versionAt: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
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

  test('keeps any value of 2 to 50 characters as it is', async () => {
    const name = await newFeature();
    const values = ['  ', ' a ', 'x'.repeat(50), 'a\nb', '"quoted" #1/2', '😀'.repeat(50)];
    for (const value of values) expect(await addTag(name, { value })).toMatchObject({ status: 201, body: { value } });
    const { tags } = await readFeature(service, name);
    expect(tags).toEqual(values.map((value) => ({ value, type: 'simple' })));
  });

  // test/lib/tags/tag-schema.test.ts has the others.
  test('refuses a value that is none, and a type that does not exist, and changes nothing', async () => {
    const name = await newFeature();
    for (const value of ['a', 'x'.repeat(51), 'a\0b', undefined]) {
      expect(problemPaths(await addTag(name, { value }))).toEqual(['value']);
    }
    for (const type of ['unknown', 'SIMPLE', '', null, '..']) {
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

  test('finds a feature by its exact name, whatever that may be', async () => {
    await addFeatures(service, ["it's(a)*name!~", '__proto__']);
    for (const name of ["it's(a)*name!~", '__proto__']) {
      const answer = await addTag(name, { value: 'found' });
      expect(answer).toMatchObject({ status: 201, headers: { location: `/api/admin/features/${name}/tags` } });
    }
    expect((await addTag('__PROTO__', { value: 'found' })).status).toBe(404);
  });

  test('makes one tag and one event of four equal ones at the same time', async () => {
    const name = await newFeature();
    const events = await eventsAddedBy(service, name, async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => addTag(name, { value: 'four at once' })));
      expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 4 });
    });
    expect(events).toHaveLength(1);
    expect((await readFeature(service, name)).tags).toHaveLength(1);
    expect(await createdTags('four at once')).toHaveLength(1);
  });

  test('makes a tag known once when four features get it at the same time', async () => {
    const names = await Promise.all(Array.from({ length: 4 }, () => newFeature()));
    const answers = await Promise.all(names.map((name) => addTag(name, { value: 'for four' })));
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 4 });
    for (const name of names) expect(await eventTypesOf(service, name)).toEqual(['feature-created', 'feature-tagged']);
    expect(await createdTags('for four')).toHaveLength(1);
  });

  test('loses none of four different tags at the same time', async () => {
    const name = await newFeature();
    const events = await eventsAddedBy(service, name, () =>
      Promise.all(Array.from({ length: 4 }, (_, index) => addTag(name, { value: `tag ${index}` }))),
    );
    // Each event shows one tag more than the one before it.
    expect(events.map(({ tags }) => tags.length)).toEqual(Array.from({ length: 4 }, (_, index) => index + 1));
    expect((await readFeature(service, name)).tags).toHaveLength(4);
  });
});

describe('The right to tag a feature', () => {
  test('is that in the project of the feature', async () => {
    const name = await newFeature('shop');
    for (const [project, status] of [
      ['shop', 201],
      ['default', 403],
    ] as const) {
      const token = await newTokenOf(service, { username: `of ${project}`, inProject: { project, role: 'Member' } });
      expect((await service.post(paths.tags(name), { value: 'by a user' }, { token })).status).toBe(status);
      expect((await service.post(paths.tags('missing'), { value: 'by a user' }, { token })).status).toBe(403);
    }
  });
});
