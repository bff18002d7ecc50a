import { beforeEach, describe, expect, test } from 'vitest';
import { enabledCounts } from '../../harness/features.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('removeEnvironmentFromProject', {
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}',
  ...openTo('Owner', 'UPDATE_PROJECT'),
  request: async (world) => {
    const projectId = await world.project();
    // The items that count its features are as many as those of 14 features.
    return { params: { projectId, environment: 'development' }, size: 14 };
  },
  others: {
    'with features that are on': async (world) => {
      const projectId = await world.project();
      await world.features(3, { project: projectId, on: true });
      return { params: { projectId, environment: 'development' }, size: 17, stages: 2 };
    },
  },
  // What is on there is looked for right after it.
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

  test('takes it away from all its features, with the default strategy, and records it with what is switched off', async () => {
    const features = await world.features(40, { project: id, on: true });
    const before = (await readEnvironments(service)).development;
    await service.post(`${path()}/default-strategy`, { name: 'default' });
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
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'project-environment-removed',
      project: id,
      environment: 'development',
      data: null,
      preData: null,
    });
    const { body: history } = await service.get(`/api/admin/events/${features[0]?.name}`);
    expect(history.events[0].type).toBe('feature-environment-disabled');
  });

  test('is undone by adding it again, but what was on is off', async () => {
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

  test('that it does not have changes nothing, and is a 404 where nobody has it', async () => {
    expect((await remove('default')).status).toBe(200);
    expect((await remove('missing')).status).toBe(404);
    const missing = await service.call('DELETE', '/api/admin/projects/missing/environments/development');
    expect(missing.status).toBe(404);
  });

  test('leaves nothing on and no count behind while others switch on or add a strategy at the same time', async () => {
    const [one, two, three] = await world.features(3, { project: id });
    const pathOf = (feature = one) => `/api/admin/projects/${id}/features/${feature?.name}/environments/development`;
    const bulk = `/api/admin/projects/${id}/bulk_features/environments/development/on`;
    const additions = [
      () => service.post(`${pathOf(one)}/on`, {}),
      () => service.post(bulk, { features: [two?.name] }),
      () => service.post(`${pathOf(three)}/strategies`, { name: 'default' }),
      () => service.post(`${path()}/default-strategy`, { name: 'default' }),
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
