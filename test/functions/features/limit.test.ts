import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reply } from '../../harness/service.ts';
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

/** The answers to whatever brings a feature into the project. */
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
const bring = (feature: object) =>
  service.post('/api/admin/features-batch/import', {
    ...{ project, environment: 'development' },
    data: { features: [feature], featureStrategies: [], tagTypes: [] },
  });

test('A project takes no more features than it may have, in whatever way one comes', async () => {
  for (const { status, body } of await adding()) {
    expect([status, body.message]).toEqual([400, expect.stringMatching(full)]);
  }
  await world.ask('DELETE', '/api/admin/archive/feature-2');
  expect((await service.post(path(), { name: 'new' })).status).toBe(201);
});

test('A project that has many features brings a warning with each further one, and with nothing else', async () => {
  vi.stubEnv('PROJECT_FEATURES_LIMIT', '9');
  vi.stubEnv('PROJECT_FEATURES_WARNING', '7');
  for (const { headers } of await adding()) expect(headers.warning).toBeUndefined();
  vi.stubEnv('PROJECT_FEATURES_WARNING', '6');
  const warned = /^199 - "The project has 6 features or more of at most 20, archived ones included: /;
  vi.stubEnv('PROJECT_FEATURES_LIMIT', '20');
  for (const { status, headers } of await adding()) {
    expect(status).toBeLessThan(300);
    expect(headers.warning).toMatch(warned);
  }
  expect((await service.get(path())).headers.warning).toBeUndefined();
});

test('A full project goes on as it is: its features are changed, revived and imported again', async () => {
  expect((await service.post('/api/admin/archive/revive/feature-2', {})).status).toBe(200);
  expect((await bring({ name: 'feature-1', description: 'x' })).status).toBe(200);
});
