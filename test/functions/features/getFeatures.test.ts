import { describe, expect, test } from 'vitest';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('getFeatures', {
  route: 'GET /api/admin/projects/{projectId}/features',
  may: 'any token',
  // A project that the process has not read before: what it has read, it asks only for what has changed of it.
  request: async (world) => {
    const project = await world.project();
    await world.feature({ project, on: true, tags: [{ type: 'simple', value: 'beta' }] });
    return { params: { projectId: project }, query: { tag: 'simple:beta', namePrefix: 'feature' } };
  },
});

const { service, world } = sharedWorld();

const listed = async (project: string) => (await service.get(`/api/admin/projects/${project}/features`)).body.features;

describe('The features of a project', () => {
  test('are the live ones, by name, each with what it is in the environments of the project', async () => {
    const project = await world.project({ environments: ['development', 'production'] });
    const tags = [{ type: 'simple', value: 'beta' }];
    const { name } = await world.feature({ project, on: true, description: 'All', tags });
    await world.feature({ project, archived: true });
    await world.feature();
    const [feature, ...others] = await listed(project);
    expect(others).toEqual([]);
    const environment = { lastSeenAt: null, variantCount: 0 };
    const on = { enabled: true, hasStrategies: true, hasEnabledStrategies: true };
    const off = { enabled: false, hasStrategies: false, hasEnabledStrategies: false };
    expect(feature).toMatchObject({ name, project, description: 'All', type: 'release', stale: false, tags });
    expect(feature.environments).toEqual([
      { name: 'development', type: 'development', sortOrder: 2, ...environment, ...on },
      { name: 'production', type: 'production', sortOrder: 3, ...environment, ...off },
    ]);
  });

  test('show each change right after it was answered', async () => {
    const project = await world.project();
    const { name } = await world.feature({ project });
    expect(await listed(project)).toMatchObject([{ name, stale: false }]);
    for (const stale of [true, false]) {
      await world.ask('PUT', `/api/admin/projects/${project}/features/${name}`, { stale });
      expect(await listed(project)).toMatchObject([{ name, stale }]);
    }
    await world.ask('PUT', `/api/admin/projects/${project}/features/${name}`, { archived: true });
    expect(await listed(project)).toEqual([]);
  });

  test('are those with one of the tags that are asked for, and those whose name begins so in any capitals', async () => {
    const project = await world.project();
    const tag = (value: string) => ({ tags: [{ type: 'simple', value }] });
    const [beta, late, plain] = [
      (await world.feature({ project, ...tag('beta') })).name,
      (await world.feature({ project, ...tag('at: 9:30') })).name,
      (await world.feature({ project })).name,
    ];
    const asked = async (query: string) =>
      (await service.get(`/api/admin/projects/${project}/features?${query}`)).body.features.map(
        (feature: { name: string }) => feature.name,
      );
    expect(await asked('tag=simple:beta')).toEqual([beta]);
    expect(await asked('tag=simple:beta&tag=simple:at:%209:30')).toEqual([beta, late]);
    expect(await asked('tag[]=simple:beta')).toEqual([beta]);
    expect(await asked('tag=team:beta')).toEqual([]);
    expect(await asked(`namePrefix=${plain.toUpperCase()}`)).toEqual([plain]);
    expect(await asked(`namePrefix=${plain}&tag=simple:beta`)).toEqual([]);
    expect(await asked('namePrefix=eature')).toEqual([]);
    expect(await asked('namePrefix=&tag=')).toEqual([beta, late, plain]);
  });

  test('are a 400 for a tag without a type', async () => {
    const reply = await service.get('/api/admin/projects/default/features?tag=beta');
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'tag.0' }] } });
  });
});
