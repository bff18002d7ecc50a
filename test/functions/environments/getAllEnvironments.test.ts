import { beforeAll, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { enabledCounts } from '../../harness/features.ts';
import { imported, readEnvironments } from '../../harness/imports.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getAllEnvironments', {
  route: 'GET /api/admin/environments',
  may: 'any token',
});

const path = '/api/admin/environments';
const seed = readSeed({
  environments: [
    { name: 'first', type: 'test', sortOrder: -5 },
    { name: 'also-third', type: 'test', sortOrder: 3 },
    { name: 'asleep', type: 'preproduction', enabled: false, protected: true, sortOrder: 7 },
    { name: 'last', type: 'test' },
  ],
  projects: [{ id: 'other', environments: ['development', 'asleep'] }],
});

let service: Service;
beforeAll(async () => {
  service = await freshService(seed);
});

test('A fresh store has three environments, of which default is disabled, protected and in no project', async () => {
  const fresh = await freshService();
  const counts = { requiredApprovals: null, apiTokenCount: 0, enabledToggleCount: 0 };
  const usual = { enabled: true, protected: false, projectCount: 1, ...counts };
  expect((await fresh.get(path)).body).toEqual({
    version: 1,
    environments: [
      {
        name: 'default',
        type: 'production',
        sortOrder: 1,
        enabled: false,
        protected: true,
        projectCount: 0,
        ...counts,
      },
      { name: 'development', type: 'development', sortOrder: 2, ...usual },
      { name: 'production', type: 'production', sortOrder: 3, ...usual },
    ],
  });
  service = await freshService(seed);
});

test('All are listed by sortOrder, then by name, the disabled ones too', async () => {
  const { status, body } = await service.get(path);
  expect(status).toBe(200);
  expect(body.environments.map(({ name }: { name: string }) => name)).toEqual([
    'first',
    'default',
    'development',
    'also-third',
    'production',
    'asleep',
    'last',
  ]);
  expect(await readEnvironments(service)).toMatchObject({
    asleep: { type: 'preproduction', sortOrder: 7, enabled: false, protected: true },
    last: { sortOrder: 8, enabled: true, protected: false },
  });
});

test('projectCount counts the projects that use an environment', async () => {
  const { development, asleep, first } = await readEnvironments(service);
  expect([development, asleep, first].map(({ projectCount }) => projectCount)).toEqual([2, 1, 0]);
});

test('enabledToggleCount is true after each change, archived features counted, and each environment by itself', async () => {
  const names = ['one', 'two', 'three'];
  const states = (...enabled: boolean[]) => ({
    features: names.map((name) => ({ name })),
    featureEnvironments: names.map((name, index) => ({ name, enabled: enabled[index] })),
  });
  const feature = '/api/admin/projects/default/features/one';
  const off = (...features: string[]) =>
    service.post('/api/admin/projects/default/bulk_features/environments/development/off', { features });
  const counts = async () => {
    const { development, production, asleep } = await enabledCounts(service);
    return [development, production, asleep];
  };
  await imported(service, states(true, true, false));
  expect(await counts()).toEqual([2, 0, 0]);
  await imported(service, states(true, true, true), { environment: 'production' });
  expect(await counts()).toEqual([2, 3, 0]);
  await service.put(feature, { archived: true });
  expect(await counts()).toEqual([2, 3, 0]);
  await service.put(feature, { archived: false });
  await off('one', 'one', 'three');
  expect(await counts()).toEqual([1, 3, 0]);
  await imported(
    service,
    { features: [{ name: 'elsewhere' }], featureEnvironments: [{ name: 'elsewhere', enabled: true }] },
    {
      project: 'other',
      environment: 'asleep',
    },
  );
  expect(await counts()).toEqual([1, 3, 1]);
  await imported(service, states(false, false, false), { environment: 'production' });
  expect(await counts()).toEqual([1, 0, 1]);
});
