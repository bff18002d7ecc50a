import { describe, expect, vi } from 'vitest';
import { changeRequestCalls } from '../../harness/change-requests.ts';
import { type FiledFeature, importOf, importPath } from '../../harness/import-file.ts';
import { writesNothing } from '../../harness/imports.ts';
import { protect } from '../../harness/protection.ts';
import { test } from '../../specifications/specify.ts';

const environment = 'production';
const validatePath = '/api/admin/features-batch/validate';
const fileOf = (features: readonly FiledFeature[]) => importOf(features, { environment });
const rollouts = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: 'flexibleRollout',
    parameters: { rollout: `${from + index}` },
  }));
const large = {
  name: 'default',
  constraints: [
    { contextName: 'userId', operator: 'IN', values: Array.from({ length: 250 }, (_, i) => `${i}`.padEnd(100)) },
  ],
};
const fixed = (name: string, weight: number) => ({ name, weight, weightType: 'fix' });
const shared = { name: 'fresh', strategies: rollouts(10, 1) };

describe('An import into a protected environment', () => {
  test.for([
    [
      'more changes than a request has',
      Array.from({ length: 101 }, (_, index) => ({ ...shared, name: `many-${index}`, enabled: true })),
      'The import would request 202 changes; a change request has at most 200: import fewer features at a time.',
      'data.features',
    ],
    [
      'more than a request takes',
      Array.from({ length: 10 }, (_, index) => ({ ...shared, name: `large-${index}`, strategies: [large] })),
      expect.stringMatching(/^The import would request changes of \d+ bytes; a change request takes at most \d+: /),
      'data.features',
    ],
    [
      'variants of more weight than there is',
      [{ name: 'heavy', enabled: false, variants: [fixed('a', 800), fixed('b', 800), { name: 'c', weight: 0 }] }],
      'The variants of the feature "heavy": The fixed weights add up to more than 1000.',
      'data.featureEnvironments',
    ],
    [
      'changes of an archived feature',
      [shared, { ...shared, name: 'old', archived: true }],
      'The feature "old" is archived: a change request for "production" cannot change it.',
      'data.features',
    ],
  ] as const)(
    'that requests %s is refused before anything is written',
    async ([, features, message, path], { service, world }) => {
      vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '1000000');
      const token = await world.tokenOfRole(2);
      await protect(service.table, { projectId: 'default', environment });
      const { status, body } = await writesNothing(service, () =>
        service.post(importPath, fileOf(features), { token }),
      );
      expect([status, body.details]).toEqual([400, [{ message, path }]]);
      const validated = await writesNothing(service, () => service.post(validatePath, fileOf(features), { token }));
      expect(validated.body.errors).toMatchObject([{ message }]);
    },
  );

  test('archives a feature on which others depend only together with them', async ({ service, world }) => {
    const { name: parent } = await world.feature();
    const { name: child } = await world.feature({ parents: [parent] });
    const token = await world.tokenOfRole(2);
    await protect(service.table, { projectId: 'default', environment });
    const archived = (names: readonly string[]) => {
      const features = names.map((name) => ({ name, archived: true, description: 'Over' }));
      return service.post(importPath, fileOf(features), { token });
    };
    const { status, body } = await writesNothing(service, () => archived([parent]));
    expect([status, body.details]).toEqual([
      400,
      [{ message: `Features depend on "${parent}".`, path: 'data.features' }],
    ]);
    expect((await archived([parent, child])).status).toBe(200);
  });

  test('requests one parent of a feature: the change replaces existing ones', async ({ service, world }) => {
    const parents = [(await world.feature()).name, (await world.feature()).name] as const;
    const { name } = await world.feature({ parents: [parents[0]] });
    const token = await world.tokenOfRole(2);
    await protect(service.table, { projectId: 'default', environment });
    const send = (child: string, ...of: string[]) =>
      service.post(importPath, fileOf([{ name: child, parents: of }]), { token });
    const message = `The feature "${name}" would depend on several others, which a change request cannot do.`;
    for (const several of [[parents[1]], parents]) {
      const { status, body } = await writesNothing(service, () => send(name, ...several));
      expect([status, body.details]).toEqual([400, [{ message, path: 'data.dependencies' }]]);
    }
    expect((await send(name, parents[0])).status).toBe(200);
    expect((await send((await world.feature()).name, parents[1])).status).toBe(200);
  });

  test('warns in its validation that it would affect a protected environment from another one', async ({
    service,
    world,
  }) => {
    const { name: parent } = await world.feature();
    const { name } = await world.feature();
    const token = await world.tokenOfRole(2);
    await protect(service.table, { projectId: 'default', environment });
    const file = importOf([{ name, parents: [parent] }]);
    const { status, body } = await service.post(importPath, file, { token });
    expect(status).toBe(403);
    const validated = await service.post(validatePath, file, { token });
    expect(validated.body.errors).toEqual([{ message: body.message, affectedItems: [] }]);
  });

  test('requests a change once if two calls request it at the same time', async ({ service, world }) => {
    const { name } = await world.feature({ environment });
    const token = await world.tokenOfRole(2);
    await protect(service.table, { projectId: 'default', environment });
    const send = () => service.post(importPath, fileOf([{ ...shared, name }]), { token });
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const pending = (await service.get('/api/admin/projects/default/change-requests/pending', { token })).body;
    expect(pending).toMatchObject([{ features: [{ name, changes: [{ action: 'addStrategy' }] }] }]);
    const { message } = (await send()).body;
    const validated = await service.post(validatePath, fileOf([{ ...shared, name }]), { token });
    expect(validated.body.errors).toEqual([{ message, affectedItems: [] }]);
  });

  test('requests no change that exists, also if the file omits defaults', async ({ service, world }) => {
    const variants = ['blue', 'red'].map((name) => ({ name, weight: 300 }));
    const { name } = await world.feature({ environment });
    await service.put(`/api/admin/projects/default/features/${name}/environments/${environment}/variants`, variants);
    await protect(service.table, { projectId: 'default', environment });
    const token = await world.tokenOfRole(2);
    const file = fileOf([{ name, enabled: false, variants }]);
    expect((await service.post(importPath, file, { token })).status).toBe(200);
    expect((await service.get('/api/admin/projects/default/change-requests/pending', { token })).body).toEqual([]);
  });

  test('requests another order of the kept strategies', async ({ service, world }) => {
    const { name } = await world.feature({ environment });
    const send = (strategies: readonly object[], token = service.adminToken) =>
      service.post(importPath, fileOf([{ name, enabled: true, strategies }]), { token });
    await send(rollouts(0, 2));
    const strategies = `/api/admin/projects/default/features/${name}/environments/${environment}/strategies`;
    const [first, second] = (await service.get(strategies)).body;
    await protect(service.table, { projectId: 'default', environment });
    const token = await world.tokenOfRole(2);
    expect((await send(rollouts(0, 2).toReversed(), token)).status).toBe(200);
    expect((await service.get(strategies)).body).toEqual([first, second]);
    const [{ features }] = (await service.get('/api/admin/projects/default/change-requests/pending', { token })).body;
    const payload = [second, first].map(({ id }, sortOrder) => ({ id, sortOrder }));
    expect(features).toMatchObject([{ name, changes: [{ action: 'reorderStrategy', payload }] }]);
  });

  test('requests the replacement of all strategies by the highest allowed number', async ({ service, world }) => {
    const { name } = await world.feature({ environment });
    const full = (from: number) => fileOf([{ name, enabled: true, strategies: rollouts(from, 30) }]);
    await service.post(importPath, full(0));
    await protect(service.table, { projectId: 'default', environment });
    const token = await world.tokenOfRole(2);
    expect((await service.post(importPath, full(50), { token })).status).toBe(200);
    const [{ id }] = (await service.get('/api/admin/projects/default/change-requests/pending', { token })).body;
    const { bring } = changeRequestCalls(world, { projectId: 'default', environment });
    expect((await bring(token, id, 'In review')).status).toBe(200);
    const role = await world.role({
      permissions: ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((each) => ({ name: each, environment })),
    });
    const reviewer = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
    await bring(reviewer, id, 'Approved');
    expect((await bring(reviewer, id, 'Applied')).status).toBe(200);
    const place = `/api/admin/projects/default/features/${name}/environments/${environment}`;
    const { enabled, strategies } = (await service.get(place)).body;
    const shares = strategies.map((each: { parameters: { rollout: string } }) => each.parameters.rollout);
    expect([enabled, shares]).toEqual([true, rollouts(50, 30).map(({ parameters }) => parameters.rollout)]);
  });
});
