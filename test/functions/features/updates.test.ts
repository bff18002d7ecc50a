import { describe, expect, test } from 'vitest';
import {
  addFeaturesOn,
  enabledCounts,
  eventsAddedBy,
  frequencies,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('updateFeature', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const { name, place } = await world.feature();
    const body = {
      name,
      description: 'Rewritten',
      type: 'experiment',
      stale: true,
      archived: false,
      impressionData: true,
    };
    return { params: place, body };
  },
  others: {
    archive: async (world) => ({ params: (await world.feature({ on: true })).place, body: { archived: true } }),
    revive: async (world) => ({ params: (await world.feature({ archived: true })).place, body: { archived: false } }),
  },
  nullable: ['description'],
  ofArchived: true,
});

const newFeature = async (project?: string) => (await world.feature({ project })).name;

const update = (name: string, body: unknown, project?: string) => service.put(paths.feature(name, project), body);

describe('Updating a feature', () => {
  test('changes all given fields together, with one event for all fields and one each for staleness and archiving', async () => {
    const name = await newFeature();
    const wanted = { description: 'All', type: 'permission', stale: true, archived: true, impressionData: true };
    const events = await eventsAddedBy(service, name, async () => {
      expect(await update(name, wanted)).toMatchObject({ status: 200, body: wanted });
    });
    expect(events.map(({ type }) => type)).toEqual([
      'feature-metadata-updated',
      'feature-stale-on',
      'feature-archived',
    ]);
    expect(new Set(events.map(({ createdAt }) => createdAt)).size).toBe(1);
  });

  // test/lib/features/items/apply-feature-update.test.ts tests more updates without effect.
  test('writes no event for unchanged or unchangeable fields', async () => {
    const name = await newFeature();
    const before = await readFeature(service, name);
    const same = { name, stale: false, archived: false, impressionData: false, type: 'release', description: null };
    const others = { project: 'shop', enabled: true, createdAt: 'now', tags: [], lifecycle: { stage: 'live' } };
    const events = await eventsAddedBy(service, name, async () => {
      for (const body of [same, others]) expect(await update(name, body)).toMatchObject({ status: 200, body: before });
    });
    expect(events).toEqual([]);
  });

  test('refuses another name, even together with a change, and changes nothing', async () => {
    const name = await newFeature();
    const events = await eventsAddedBy(service, name, async () => {
      expect(problemPaths(await update(name, { name: 'other', description: 'x' }))).toEqual(['name']);
      expect(problemPaths(await update(name, { name: name.toUpperCase() }))).toEqual(['name']);
      expect(problemPaths(await update(name, { name: '' }))).toEqual(['name']);
    });
    expect(events).toEqual([]);
  });

  test('succeeds among concurrent changes of all kinds, each with its events', async () => {
    await addFeaturesOn(service, ['busy']);
    const before = await enabledCounts(service);
    const events = await eventsAddedBy(service, 'busy', async () => {
      const answers = await Promise.all([
        ...[1, 2].map((n) => update('busy', { description: `words ${n}` })),
        ...[1, 2].map((n) => service.post(paths.tags('busy'), { value: `tag ${n}` })),
        ...[1, 2].map(() => service.post(paths.strategies('busy'), { name: 'default' })),
        ...[1, 2].map(() => service.post(paths.off(), { features: ['busy'] })),
      ]);
      expect(answers.map(({ status }) => status).every((status) => status < 300)).toBe(true);
    });
    expect(frequencies(events.map(({ type }) => type))).toEqual({
      'feature-metadata-updated': 2,
      'feature-tagged': 2,
      'feature-strategy-add': 2,
      'feature-environment-disabled': 1,
    });
    const { tags, environments } = await readFeature(service, 'busy');
    expect(tags).toHaveLength(2);
    expect(environments[0]).toMatchObject({ enabled: false, strategies: { length: 3 } });
    expect(await enabledCounts(service)).toEqual({ ...before, development: Number(before.development) - 1 });
  });
});

specify('patchFeature', {
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: [{ op: 'replace', path: '/stale', from: '/stale', value: true }],
  }),
  required: ['0.op', '0.path'],
  needed: ['0.value'],
  ofArchived: true,
});

describe('Patching a feature', () => {
  const patch = (name: string, operations: unknown) =>
    service.call('PATCH', `/api/admin/projects/default/features/${name}`, { body: operations });

  test('applies its operations in their order, as one update', async () => {
    const { name } = await world.feature({ description: 'Before' });
    const events = await eventsAddedBy(service, name, () =>
      patch(name, [
        { op: 'test', path: '/description', value: 'Before' },
        { op: 'replace', path: '/description', value: 'experiment' },
        { op: 'copy', from: '/description', path: '/type' },
        { op: 'remove', path: '/description' },
        { op: 'add', path: '/stale', value: true },
      ]),
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual(['feature-metadata-updated', 'feature-stale-on']);
    const { body } = await patch(name, []);
    expect(body).toMatchObject({ name, description: null, type: 'experiment', stale: true });
  });

  test('ignores changes of fields such as the project, as Unleash does', async () => {
    const { name } = await world.feature();
    const before = await readFeature(service, name);
    const answer = await patch(name, [
      { op: 'replace', path: '/project', value: 'shop' },
      { op: 'replace', path: '/createdAt', value: '2020-01-01T00:00:00.000Z' },
    ]);
    expect([answer.status, answer.body]).toEqual([200, before]);
  });

  test('is refused for a path to variants, which have their own operations', async () => {
    const { name } = await world.feature();
    const value = [{ name: 'blue', weight: 1000 }];
    for (const path of ['/variants', '/variants/0/name']) {
      const operations = [
        { op: 'replace', path: '/stale', value: true },
        { op: 'replace', path, value },
      ];
      expect(await patch(name, operations)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('environments/{environment}/variants') },
      });
    }
    expect(await readFeature(service, name)).toMatchObject({ stale: false });
  });

  test('archives it only with the permission, by a patch or an update', async () => {
    const { name } = await world.feature();
    const role = await world.role({ permissions: [{ name: 'UPDATE_FEATURE' }] });
    const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
    const path = `/api/admin/projects/default/features/${name}`;
    const archive = [{ op: 'replace', path: '/archived', value: true }];
    const answers = [
      await service.call('PATCH', path, { token, body: archive }),
      await service.put(path, { archived: true }, { token }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.message]).toEqual([403, expect.stringContaining('DELETE_FEATURE')]);
    }
    expect((await service.put(path, { archived: false, stale: true }, { token })).status).toBe(200);
    expect((await patch(name, archive)).status).toBe(200);
    expect((await service.put(path, { archived: true, stale: false }, { token })).status).toBe(200);
  });

  test('revives an enabled feature only with the permission to switch it on', async () => {
    const { name } = await world.feature({ on: true });
    await addFeaturesOn(service, [name], { environment: 'production' });
    await service.put(paths.feature(name), { archived: true });
    const mayUpdate = { name: 'UPDATE_FEATURE' };
    const maySwitchIn = (environment: string) => ({ name: 'UPDATE_FEATURE_ENVIRONMENT', environment });
    const reviveWith = async (...permissions: object[]) => {
      const role = await world.role({ permissions });
      const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
      return service.put(paths.feature(name), { archived: false }, { token });
    };
    const { status, body } = await reviveWith(mayUpdate);
    expect(status).toBe(403);
    expect(body.message).toContain('"UPDATE_FEATURE_ENVIRONMENT"');
    expect((await reviveWith(mayUpdate, maySwitchIn('development'))).status).toBe(403);
    expect((await service.get(paths.feature(name))).status).toBe(404);
    const both = [maySwitchIn('development'), maySwitchIn('production')];
    expect((await reviveWith(mayUpdate, ...both)).status).toBe(200);
  });
});

test('The ETag of a feature changes only with it, and is also that of its variants', async () => {
  const { name } = await world.feature();
  const { etag } = (await service.put(paths.feature(name))).headers;
  expect(etag).toMatch(/^"[1-9]\d*"$/);
  expect((await service.put(paths.feature(name))).headers.etag).toBe(etag);
  expect((await service.get(paths.variants(name))).headers.etag).toBe(etag);
});

test('A change of an unknown feature is a 404 with any If-Match', async () => {
  const bound = { headers: { 'if-match': '"1"' } };
  const answers = [
    await service.put(paths.feature('missing'), { stale: true }, bound),
    await service.post(paths.strategies('missing'), { name: 'default' }, bound),
    await service.post(paths.tags('missing'), { value: 'blue' }, bound),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

specify('complete', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/lifecycle/complete',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({ params: (await world.feature()).place, body: { status: 'kept', statusValue: 'blue' } }),
  required: ['status'],
});

describe('Completing a feature', () => {
  const complete = (name: string, body: object) => service.post(`${paths.feature(name)}/lifecycle/complete`, body);
  const stages = async (name: string) => (await service.get(`${paths.feature(name)}/lifecycle`)).body;

  test('sets its stage, with the outcome', async () => {
    const { name } = await world.feature();
    const events = await eventsAddedBy(service, name, () => complete(name, { status: 'kept', statusValue: 'blue' }));
    expect(events).toMatchObject([{ data: { status: 'kept', statusValue: 'blue', kept: true } }]);
    const { lifecycle } = await readFeature(service, name);
    expect(lifecycle).toEqual({ stage: 'completed', status: 'kept', enteredStageAt: expect.any(String) });
    expect((await stages(name)).map(({ stage }: { stage: string }) => stage)).toEqual(['initial', 'completed']);
  });

  test('again changes the outcome, and keeps the time', async () => {
    const { name } = await world.feature();
    await complete(name, { status: 'kept' });
    const before = (await readFeature(service, name)).lifecycle;
    const events = await eventsAddedBy(service, name, () => complete(name, { status: 'discarded' }));
    expect(events).toMatchObject([{ data: { status: 'discarded', kept: false } }]);
    expect((await readFeature(service, name)).lifecycle).toEqual({ ...before, status: 'discarded' });
  });
});
