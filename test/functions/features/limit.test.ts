import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { worldForEach } from '../../specifications/specify.ts';

let project: string;
const { service, world } = worldForEach();
beforeEach(async () => {
  project = await world.project();
  await world.feature({ project });
  await world.feature({ project, archived: true });
  vi.stubEnv('PROJECT_FEATURES_LIMIT', '2');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const full = /A project may have at most 2 features, archived ones included; "project-1" would have 3/;

test('A project takes no more features than it may have, in whatever way one comes', async () => {
  const other = await world.project();
  const { name } = await world.feature({ project: other });
  const path = `/api/admin/projects/${project}/features`;
  const answers = [
    await service.post(path, { name: 'new' }),
    await service.post(`${path}/feature-1/clone`, { name: 'new' }),
    await service.post(`/api/admin/projects/${other}/features/${name}/changeProject`, { newProjectId: project }),
    await service.post('/api/admin/features-batch/import', {
      project,
      environment: 'development',
      data: { features: [{ name: 'new' }], featureStrategies: [], tagTypes: [] },
    }),
  ];
  for (const { status, body } of answers) expect([status, body.message]).toEqual([400, expect.stringMatching(full)]);
  await world.ask('DELETE', '/api/admin/archive/feature-2');
  expect((await service.post(path, { name: 'new' })).status).toBe(201);
});

test('A project that has many features brings a warning with each further one, and with nothing else', async () => {
  vi.stubEnv('PROJECT_FEATURES_LIMIT', '9');
  const other = await world.project();
  const path = `/api/admin/projects/${project}/features`;
  const adding = async () => {
    const { name } = await world.feature({ project: other });
    return [
      await service.post(path, { name: world.name('new') }),
      await service.post(`${path}/feature-1/clone`, { name: world.name('new') }),
      await service.post(`/api/admin/projects/${other}/features/${name}/changeProject`, { newProjectId: project }),
      await service.post('/api/admin/features-batch/import', {
        ...{ project, environment: 'development' },
        data: { features: [{ name: world.name('new') }], featureStrategies: [], tagTypes: [] },
      }),
    ];
  };
  vi.stubEnv('PROJECT_FEATURES_WARNING', '7');
  for (const { headers } of await adding()) expect(headers.warning).toBeUndefined();
  vi.stubEnv('PROJECT_FEATURES_WARNING', '6');
  const warned = /^199 - "The project has 6 features or more of at most 20, archived ones included: /;
  vi.stubEnv('PROJECT_FEATURES_LIMIT', '20');
  for (const { status, headers } of await adding()) {
    expect(status).toBeLessThan(300);
    expect(headers.warning).toMatch(warned);
  }
  expect((await service.get(path)).headers.warning).toBeUndefined();
});

test('A full project goes on as it is: its features are changed, revived and imported again', async () => {
  expect((await service.post('/api/admin/archive/revive/feature-2', {})).status).toBe(200);
  const data = { features: [{ name: 'feature-1', description: 'x' }], featureStrategies: [], tagTypes: [] };
  const again = await service.post('/api/admin/features-batch/import', { project, environment: 'development', data });
  expect(again.status).toBe(200);
});
