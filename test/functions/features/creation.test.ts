import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addFeatures,
  eventTypesOf,
  featureEventsOf,
  frequencies,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { sendImport } from '../../harness/imports.ts';
import type { Reply } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedWorld, specify, worldForEach } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

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
  others: { 'only a name': (world) => ({ params: world.home, body: { name: world.name('feature') } }) },
  required: ['name', 'tags.0.value'],
  nullable: ['description'],
  again: 409,
});

let made = 0;

const newFeature = async (project?: string) => (await world.feature({ project })).name;
const newName = () => {
  made += 1;
  return `created-${made}`;
};
const create = (body: object, project = 'default') => service.post(`/api/admin/projects/${project}/features`, body);

describe('Creating a feature', () => {
  test('gives it each tag once, and creates new tags', async () => {
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

  test('refuses the name of a live or archived feature of any project', async () => {
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

  test('is refused with every unknown tag type, and with too many tags', async () => {
    const tags = [
      { type: 'simple', value: 'fine' },
      { type: 'no-type', value: 'aa' },
      { type: 'none', value: 'bb' },
    ];
    expect(problemPaths(await create({ name: newName(), tags }))).toEqual(['tags.1.type', 'tags.2.type']);
    const many = Array.from({ length: 301 }, (_, index) => ({ value: `tag ${index}` }));
    expect(problemPaths(await create({ name: newName(), tags: many }))).toEqual(['tags']);
  });

  test('succeeds once if four requests create the same feature at the same time', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => create({ name }, index % 2 === 0 ? 'default' : 'shop')),
    );
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 3 });
    const winner = answers.find(({ status }) => status === 201);
    expect((await readFeature(service, name, winner?.body.project)).createdAt).toBe(winner?.body.createdAt);
    expect(await eventTypesOf(service, name)).toEqual(['feature-created']);
  });

  test('and importing it at the same time result in one feature', async () => {
    const name = newName();
    const [{ status }] = await Promise.all([create({ name, description: 'mine' }), addFeatures(service, [name])]);
    expect([201, 409]).toContain(status);
    const types = await eventTypesOf(service, name);
    expect(types.filter((type) => type === 'feature-created')).toHaveLength(1);
  });
});

specify('validateFeature', {
  route: 'POST /api/admin/features/validate',
  may: 'any token',
  request: (world) => ({ body: { name: world.name('feature'), projectId: 'default' } }),
  required: ['name'],
  nullable: ['projectId'],
});

describe('The check of a name', () => {
  const validate = (name: unknown) => service.post('/api/admin/features/validate', { name });

  test('is a 409 for the name of a live or archived feature of any project, until it is deleted', async () => {
    await addFeatures(service, ['taken'], { project: 'shop' });
    expect(await validate('taken')).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
    await service.call('DELETE', paths.feature('taken', 'shop'));
    expect(await validate('taken')).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
    await service.call('DELETE', paths.deleted('taken'));
    expect((await validate('taken')).status).toBe(200);
  });

  test('is a 400 for a name that does not match the naming pattern of the project', async () => {
    await service.put('/api/admin/projects/shop/settings', { mode: 'open', featureNaming: { pattern: 'shop-.+' } });
    const statuses = ['cart', 'shop-cart'].map(async (name) => {
      const inProject = async (projectId: string | null) =>
        (await service.post('/api/admin/features/validate', { name, projectId })).status;
      return Promise.all(['shop', 'default', 'nowhere', null].map(inProject));
    });
    expect(await Promise.all(statuses)).toEqual([
      [400, 200, 200, 200],
      [200, 200, 200, 200],
    ]);
  });

  test.each(['', '.', 'two words', 'a/b', 'n'.repeat(101)])('is a 400 for %j', async (name) => {
    expect(problemPaths(await validate(name))).toEqual(['name']);
  });
});

describe('The number of features of a project', () => {
  let project: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    project = await world.project();
    await world.feature({ project });
    await world.feature({ project, archived: true });
    vi.stubEnv('PROJECT_FEATURES_LIMIT', '2');
  });

  const full = /A project may have at most 2 features, archived ones included; "project-1" would have 3/;

  /** Sends all requests that add a feature to the project, and returns the answers. */
  async function adding(): Promise<readonly Reply[]> {
    const other = await world.project();
    const { name } = await world.feature({ project: other });
    return [
      await service.post(path(), { name: world.name('new') }),
      await service.post(`${path()}/feature-1/clone`, { name: world.name('new') }),
      await service.post(`/api/admin/projects/${other}/features/${name}/changeProject`, { newProjectId: project }),
      await bring({ name: world.name('new') }),
    ];
  }

  const path = () => `/api/admin/projects/${project}/features`;
  const bring = (feature: Record<string, string>) => sendImport(service, { features: [feature] }, { project });

  test('No operation adds more features to a project than it may have', async () => {
    for (const { status, body } of await adding()) {
      expect([status, body.message]).toEqual([400, expect.stringMatching(full)]);
    }
    await world.ask('DELETE', '/api/admin/archive/feature-2');
    expect((await service.post(path(), { name: 'new' })).status).toBe(201);
  });

  test('Every operation that adds a feature to a project with many features warns, and no other does', async () => {
    vi.stubEnv('PROJECT_FEATURES_LIMIT', '9');
    vi.stubEnv('PROJECT_FEATURES_WARNING', '7');
    for (const { headers } of await adding()) expect(headers.warning).toBeUndefined();
    vi.stubEnv('PROJECT_FEATURES_WARNING', '6');
    const warned = /^199 - "The project has 6 features or more, archived ones included; .*The limit is 20\./;
    vi.stubEnv('PROJECT_FEATURES_LIMIT', '20');
    for (const { status, headers } of await adding()) {
      expect(status).toBeLessThan(300);
      expect(headers.warning).toMatch(warned);
    }
    expect((await service.get(path())).headers.warning).toBeUndefined();
  });

  test('The features of a full project can be changed, revived and imported again', async () => {
    expect((await service.post('/api/admin/archive/revive/feature-2', {})).status).toBe(200);
    expect((await bring({ name: 'feature-1', description: 'x' })).status).toBe(200);
  });
});
