import { beforeEach, describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { enabledCounts, featureEventsOf, readFeature, readState } from '../../harness/features.ts';
import { imported, readEnvironments, writesNothing } from '../../harness/imports.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, sharedService, specify, worldForEach } from '../../specifications/specify.ts';

specify('addEnvironmentToProject', {
  route: 'POST /api/admin/projects/{projectId}/environments',
  ...openTo('Owner', 'UPDATE_PROJECT'),
  request: async (world) => ({
    params: { projectId: await world.project() },
    body: {
      environment: await world.environment(),
      changeRequestsEnabled: true,
      defaultStrategy: await wholeStrategy(world),
    },
  }),
  others: {
    'without a default strategy': async (world) => ({
      params: { projectId: await world.project() },
      body: { environment: await world.environment() },
    }),
  },
  required: ['environment', ...strategyPlaces('defaultStrategy').required],
  nullable: strategyPlaces('defaultStrategy').nullable,
  again: 409,
  // The marks of projects are read again.
  waits: 3,
});

/** An environment for each test, since a project has each of them once. */
const fresh = ['staging', 'canary', 'load', 'unguarded', 'guarded', 'recorded', 'raced', 'costly', 'used'];
const seed = readSeed({
  environments: [
    ...fresh.map((name) => ({ name, type: 'preproduction' })),
    { name: 'asleep', type: 'test', enabled: false, sortOrder: 0 },
  ],
  projects: [
    { id: 'empty', environments: [] },
    { id: 'other', environments: [] },
  ],
});

const service = sharedService(seed);

const pathOf = (project: string) => `/api/admin/projects/${project}/environments`;
const add = (body: object, project = 'default', token?: string) =>
  service.post(pathOf(project), body, token === undefined ? {} : { token });

describe('An environment of a project', () => {
  test('is off and empty for all features, older, newer and archived', async () => {
    await imported(service, {
      features: [{ name: 'before' }, { name: 'before-archived', archived: true }],
      featureEnvironments: [{ name: 'before', enabled: true }],
    });
    expect(await add({ environment: 'staging' })).toMatchObject({ status: 200, text: '' });
    await imported(service, { features: [{ name: 'after' }] });
    for (const name of ['before', 'before-archived', 'after']) {
      expect(await readState(service, name, 'staging')).toMatchObject({
        name: 'staging',
        type: 'preproduction',
        enabled: false,
        strategies: [],
        variants: [],
      });
    }
    expect(await readState(service, 'before')).toMatchObject({ enabled: true });
    expect((await featureEventsOf(service, 'before')).at(-1)?.type).toBe('feature-environment-enabled');
  });

  test('is sorted by its sortOrder, may be disabled or protected, and can be used at once', async () => {
    await add({ environment: 'asleep' });
    await add({ environment: 'default' });
    await imported(service, { features: [{ name: 'everywhere' }] });
    const { environments } = await readFeature(service, 'everywhere');
    const names = environments.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 4)).toEqual(['asleep', 'default', 'development', 'production']);
    const path = `/api/admin/projects/default/features/everywhere/environments`;
    for (const environment of ['asleep', 'default']) {
      const { status } = await service.post(`${path}/${environment}/strategies`, { name: 'default' });
      expect(status).toBe(200);
    }
  });

  test('raises its own project count in the list of environments', async () => {
    const before = await readEnvironments(service);
    for (const project of ['default', 'empty']) await add({ environment: 'canary' }, project);
    const canary = { ...before.canary, projectCount: 2 };
    expect(await readEnvironments(service)).toEqual({ ...before, canary });
  });

  test('needs approval for changes if the request says so', async () => {
    expect(await add({ environment: 'unguarded' })).toMatchObject({ status: 200 });
    expect(await add({ environment: 'guarded', changeRequestsEnabled: true })).toMatchObject({ status: 200 });
    const { body } = await service.get('/api/admin/projects/default/change-requests/config');
    expect(body).toContainEqual(expect.objectContaining({ environment: 'unguarded', changeRequestEnabled: false }));
    const guarded = { environment: 'guarded', changeRequestEnabled: true, requiredApprovals: 1 };
    expect(body).toContainEqual(expect.objectContaining(guarded));
  });

  test('has the given default strategy, which features get that are switched on there', async () => {
    const defaultStrategy = { name: 'flexibleRollout', title: 'ours' };
    await add({ environment: 'used', defaultStrategy });
    const data = { features: [{ name: 'switched' }], featureEnvironments: [{ name: 'switched', enabled: true }] };
    await imported(service, data, { environment: 'used' });
    expect(await readState(service, 'switched', 'used')).toMatchObject({ strategies: [defaultStrategy] });
  });

  test('costs the same for any number of features', async () => {
    await imported(service, { features: Array.from({ length: 90 }, (_, index) => ({ name: `many-${index}` })) });
    const [withMany, withNone] = [
      await recordStoreRequests(service.table, () => add({ environment: 'costly' })),
      await recordStoreRequests(service.table, () => add({ environment: 'costly' }, 'empty')),
    ];
    expect(withMany.length).toBe(withNone.length);
    expect(withMany.length).toBeLessThanOrEqual(4);
  });

  test('is added once by three concurrent requests: one 200, two 409', async () => {
    const { projectCount } = (await readEnvironments(service)).raced;
    const events = await serviceEventsAddedBy(service.table, async () => {
      const answers = await Promise.all(Array.from({ length: 3 }, () => add({ environment: 'raced' })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    });
    expect((await readEnvironments(service)).raced.projectCount).toBe(projectCount + 1);
    expect(events).toHaveLength(1);
  });
});

describe('An environment is refused, and nothing is written,', () => {
  test.each([
    ['an unknown environment', 'no-such-environment'],
    ['the wildcard', '*'],
    ['a name longer than any', 'e'.repeat(3000)],
  ])('with 404 for %s', async (_what, environment) => {
    const { status, body } = await writesNothing(service, () => add({ environment }));
    expect([status, body.name]).toEqual([404, 'NotFoundError']);
  });
});

specify('removeEnvironmentFromProject', {
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}',
  ...openTo('Owner', 'UPDATE_PROJECT'),
  // The items that count its features are as many as those of 14 features.
  request: async (world) => ({ params: { projectId: await world.project(), environment: 'development' }, size: 14 }),
  others: {
    'with features that are on': async (world) => {
      const projectId = await world.project();
      await world.features(3, { project: projectId, on: true });
      return { params: { projectId, environment: 'development' }, size: 17, stages: 2 };
    },
  },
  // The features that are on there are read right after it.
  waits: 4,
});

describe('Removing an environment from a project', () => {
  let id: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    id = await world.project({ environments: ['development', 'production'] });
  });
  const path = (environment = 'development') => `/api/admin/projects/${id}/environments/${environment}`;
  const remove = (environment?: string) => service.call('DELETE', path(environment));
  const add = (environment = 'development') => service.post(`/api/admin/projects/${id}/environments`, { environment });
  const stateOf = async (name: string) => {
    const { body } = await service.get(`/api/admin/projects/${id}/features/${name}`);
    return body.environments.find((each: { name: string }) => each.name === 'development');
  };

  test('removes it from all features, with its default strategy, and records which are switched off', async () => {
    const features = await world.features(40, { project: id, on: true });
    const before = (await readEnvironments(service)).development;
    await service.post(`${path()}/default-strategy`, { name: 'flexibleRollout' });
    expect(await remove()).toMatchObject({ status: 200, text: '' });
    expect(await stateOf(features[7]?.name ?? '')).toBeUndefined();
    const after = (await readEnvironments(service)).development;
    expect([before.projectCount - after.projectCount, before.enabledToggleCount]).toEqual([1, 40]);
    expect(after.enabledToggleCount).toBe(0);
    const { body } = await service.get(`/api/admin/environments/project/${id}`);
    const { defaultStrategy, ...listed } = body.environments.find(
      (each: { name: string }) => each.name === 'development',
    );
    expect([defaultStrategy, listed.visible, listed.projectEnabledToggleCount]).toEqual([undefined, false, 0]);
    const { body: history } = await service.get(`/api/admin/events/${features[0]?.name}`);
    expect(history.events[0].type).toBe('feature-environment-disabled');
  });

  test('can be undone by adding it again, but all features are off', async () => {
    const { name } = await world.feature({ project: id, on: true, strategies: [{ name: 'default', title: 'ours' }] });
    const archived = await world.feature({ project: id, on: true, archived: true });
    for (let round = 0; round < 2; round += 1) {
      await remove();
      expect((await add()).status).toBe(200);
    }
    expect(await stateOf(name)).toMatchObject({ enabled: false, strategies: [{ title: 'ours' }] });
    await service.post(`/api/admin/archive/revive/${archived.name}`, {});
    expect(await stateOf(archived.name)).toMatchObject({ enabled: false });
    const features = `/api/admin/projects/${id}/features/${name}/environments/development`;
    expect((await service.post(`${features}/on`, {})).status).toBe(200);
    expect(await stateOf(name)).toMatchObject({ enabled: true });
  });

  test('that it does not have changes nothing, and is a 404 if there is no such environment', async () => {
    expect((await remove('default')).status).toBe(200);
    expect((await remove('missing')).status).toBe(404);
    const missing = await service.call('DELETE', '/api/admin/projects/missing/environments/development');
    expect(missing.status).toBe(404);
  });

  test('leaves nothing on and no wrong count, despite concurrent changes of features', async () => {
    const [one, two, three] = await world.features(3, { project: id });
    const pathOf = (feature = one) => `/api/admin/projects/${id}/features/${feature?.name}/environments/development`;
    const bulk = `/api/admin/projects/${id}/bulk_features/environments/development/on`;
    const additions = [
      () => service.post(`${pathOf(one)}/on`, {}),
      () => service.post(bulk, { features: [two?.name] }),
      () => service.post(`${pathOf(three)}/strategies`, { name: 'default' }),
      () => service.post(`${path()}/default-strategy`, { name: 'flexibleRollout' }),
    ];
    // Some have read all that they want to know before the removal, and one is through before it writes.
    const late = await Promise.all(additions.map((addition) => stuckAfter(service.table, 0, addition)));
    const removal = await stuckAfter(service.table, 0, () => remove());
    expect([...late, removal].every(({ isStuck }) => isStuck)).toBe(true);
    expect((await service.post(`${pathOf(three)}/on`, {})).status).toBe(200);
    expect((await removal.goOn()).status).toBe(200);
    for (const addition of late) expect((await addition.goOn()).status).toBe(404);
    expect(await enabledCounts(service)).toMatchObject({ development: 0 });
    expect((await add()).status).toBe(200);
    for (const feature of [one, two, three])
      expect(await stateOf(feature?.name ?? '')).toMatchObject({ enabled: false });
    const { body } = await service.get(`/api/admin/environments/project/${id}`);
    const listed = body.environments.find((each: { name: string }) => each.name === 'development');
    expect(listed).not.toHaveProperty('defaultStrategy');
    expect(await enabledCounts(service)).toMatchObject({ development: 0 });
  });
});
