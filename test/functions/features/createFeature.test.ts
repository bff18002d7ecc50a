import { describe, expect, test } from 'vitest';
import {
  addFeatures,
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
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('createFeature', {
  route: 'POST /api/admin/projects/{projectId}/features',
  ...openTo('Member', 'CREATE_FEATURE'),
  request: async (world) => ({
    params: world.home,
    body: {
      name: world.name('feature'),
      type: 'experiment',
      description: 'Sells more',
      impressionData: true,
      tags: [{ value: world.name('tag'), type: await world.tagType() }],
    },
  }),
  others: {
    'only a name': (world) => ({ params: world.home, body: { name: world.name('feature') } }),
  },
  required: ['name', 'tags.0.value'],
  nullable: ['description'],
  again: 409,
});

let made = 0;

const service = sharedService(shopSeed);

const newFeature = featureMaker(() => service);
const newName = () => {
  made += 1;
  return `created-${made}`;
};
const create = (body: object, project = 'default', token?: string) =>
  service.call('POST', `/api/admin/projects/${encodeURIComponent(project)}/features`, {
    body,
    ...(token && { headers: { authorization: token } }),
  });

describe('Creating a feature', () => {
  test('answers 201 with the complete feature, where it is, and as what it can be read', async () => {
    const name = newName();
    const body = { name, type: 'kill-switch', description: 'Stops it', impressionData: true };
    const answer = await create(body, 'shop');
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `/api/admin/projects/shop/features/${name}`, etag: '"1"' },
      body: {
        ...body,
        project: 'shop',
        stale: false,
        archived: false,
        archivedAt: null,
        enabled: false,
        createdBy: { id: -42, name: 'admin', imageUrl: '' },
        lifecycle: { stage: 'initial', enteredStageAt: answer.body.createdAt },
        tags: [],
        children: [],
        dependencies: [],
      },
    });
    expect(answer.body.environments).toMatchObject([
      { name: 'development', enabled: false, strategies: [], variants: [] },
      { name: 'staging', enabled: false, strategies: [], variants: [] },
    ]);
    expect((await service.get(paths.feature(name, 'shop'))).body).toEqual(answer.body);
  });

  test('writes down what was created and by whom', async () => {
    const name = newName();
    const token = await newTokenOf(service, { username: 'carol', rootRole: 'Editor' });
    const { body } = await create({ name, description: 'x' }, 'default', token);
    expect(body.createdBy).toMatchObject({ name: 'carol' });
    const { createdAt } = body;
    expect(await featureEventsOf(service, name)).toMatchObject([
      {
        type: 'feature-created',
        project: 'default',
        featureName: name,
        createdBy: 'carol',
        createdByUserId: body.createdBy.id,
        data: { name, description: 'x', type: 'release', project: 'default', stale: false, createdAt, archived: false },
        preData: null,
        environment: null,
        tags: [],
      },
    ]);
  });

  test('tags it, each tag once, and makes new tags known', async () => {
    const name = newName();
    const [known, unknown] = [
      { type: 'team', value: `known ${name}` },
      { type: 'simple', value: `unknown ${name}` },
    ];
    await service.post(paths.tags(await newFeature()), known);
    const { status, body } = await create({ name, tags: [known, { value: unknown.value }, known] });
    expect(status).toBe(201);
    expect(body.tags).toEqual([known, unknown]);
    const events = await featureEventsOf(service, name);
    expect(events.map(({ type, tags }) => [type, tags])).toEqual([
      ['feature-created', []],
      ['feature-tagged', [known]],
      ['feature-tagged', [known, unknown]],
    ]);
    const created = (await serviceEvents(service.table)).filter(({ type, data }) => {
      return type === 'tag-created' && String(data?.value).endsWith(` ${name}`);
    });
    expect(created.map(({ data }) => data?.value).toSorted()).toEqual([known.value, unknown.value]);
  });

  test('refuses a name that a feature of any project has, archived or not', async () => {
    const [live, archived] = [await newFeature('shop'), await newFeature()];
    await service.put(paths.feature(archived), { archived: true });
    const answer = await create({ name: live });
    expect(answer).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
    expect(await create({ name: archived }, 'shop')).toMatchObject({
      status: 409,
      body: { name: 'NameExistsError', message: expect.stringContaining('archived') },
    });
    expect(await eventTypesOf(service, live)).toEqual(['feature-created']);
  });

  test('names every unknown tag type, and refuses too many tags', async () => {
    const tags = [
      { type: 'simple', value: 'fine' },
      { type: 'no-type', value: 'aa' },
      { type: 'none', value: 'bb' },
    ];
    expect(problemPaths(await create({ name: newName(), tags }))).toEqual(['tags.1.type', 'tags.2.type']);
    const many = Array.from({ length: 301 }, (_, index) => ({ value: `tag ${index}` }));
    expect(problemPaths(await create({ name: newName(), tags: many }))).toEqual(['tags']);
  });

  test('has one winner where four create the same feature at once', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => create({ name }, index % 2 === 0 ? 'default' : 'shop')),
    );
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 3 });
    const winner = answers.find(({ status }) => status === 201);
    expect((await readFeature(service, name, winner?.body.project)).createdAt).toBe(winner?.body.createdAt);
    expect(await eventTypesOf(service, name)).toEqual(['feature-created']);
  });

  test('and importing it at the same time makes one feature', async () => {
    const name = newName();
    const [{ status }] = await Promise.all([create({ name, description: 'mine' }), addFeatures(service, [name])]);
    expect([201, 409]).toContain(status);
    const types = await eventTypesOf(service, name);
    expect(types.filter((type) => type === 'feature-created')).toHaveLength(1);
  });
});
