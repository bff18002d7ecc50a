import { describe, expect, test } from 'vitest';
import type { RolePermission } from '../../../lib/identity/permissions.ts';
import { customRoleIdOf, customRoles } from '../../../lib/identity/roles.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { contentOf } from '../../harness/items.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { readModelProblems } from '../../invariants/read-models.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('cloneEnvironment', {
  route: 'POST /api/admin/environments/{name}/clone',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    const from = await world.environment();
    const project = await world.project({ environments: [from] });
    return {
      params: { name: from },
      body: { name: world.name('clone'), type: 'test', projects: [project], clonePermissions: true },
      stages: 2,
    };
  },
  others: {
    'with features': async (world) => {
      const from = await world.environment();
      const project = await world.project({ environments: [from] });
      const strategies = [{ name: 'default' }];
      await world.features(2, { project, environment: from, on: true, strategies });
      return { params: { name: from }, body: { name: world.name('clone'), type: 'test' }, size: 14, stages: 5 };
    },
  },
  required: ['name', 'type'],
  again: 409,
  // It reads what it will copy, and checks that again at the end.
  waits: 12,
});

describe('Cloning an environment', () => {
  const [from, project, other] = ['original', 'home', 'other'];
  const seed = readSeed({
    environments: [{ name: from }],
    projects: [project, other].map((id) => ({ id, environments: [from] })),
  });
  const { service, world } = worldForEach(seed);
  const clone = (body: object, options = {}) =>
    service.post(`/api/admin/environments/${from}/clone`, { name: 'copy', type: 'test', ...body }, options);
  const stateIn = async (place: string, feature: string, environment: string) => {
    const { body } = await service.get(`/api/admin/projects/${place}/features/${feature}`);
    return body.environments.find(({ name }: { name: string }) => name === environment);
  };
  /** The state of a feature in an environment, without the names of the environment and the ids of strategies. */
  const doing = async (place: string, feature: string, environment: string) => {
    const { enabled, strategies, variants } = await stateIn(place, feature, environment);
    return { enabled, variants, strategies: strategies.map(({ id: _id, ...content }: { id: string }) => content) };
  };
  const variants = [{ name: 'a', weight: 1000, weightType: 'variable' }];

  test('gives the chosen projects all that their features do there, archived ones too, and leaves the others alone', async () => {
    const segment = await world.segment();
    const strategies = Array.from({ length: 11 }, (_, index) => ({ name: 'default', title: `${index}` }));
    const feature = await world.feature({ project, environment: from, on: true, variants, strategies });
    await world.strategy(feature, { name: 'default', segments: [segment.id] });
    const parked = await world.feature({
      project,
      environment: from,
      archived: true,
      strategies: [{ name: 'default' }],
    });
    await world.feature({ project: other, environment: from, on: true });
    await service.post(`/api/admin/projects/${project}/environments/${from}/default-strategy`, {
      name: 'flexibleRollout',
      segments: [segment.id],
    });

    const answer = await clone({ projects: [project] });
    expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/environments/copy' } });
    expect(answer.body).toMatchObject({ name: 'copy', type: 'test', enabled: true, protected: false });
    expect((await readEnvironments(service)).copy).toMatchObject({ projectCount: 1, enabledToggleCount: 1 });
    expect(await doing(project, feature.name, 'copy')).toEqual(await doing(project, feature.name, from));
    const [ids, others] = await Promise.all(
      ['copy', from].map(async (name) => (await stateIn(project, feature.name, name)).strategies.map(idOf)),
    );
    expect(new Set([...(ids ?? []), ...(others ?? [])]).size).toBe(24);
    await service.post(`/api/admin/archive/revive/${parked.name}`, {});
    expect(await doing(project, parked.name, 'copy')).toMatchObject({ strategies: [{ name: 'default' }] });
    const { body } = await service.get(`/api/admin/environments/project/${project}`);
    expect(body.environments.find(({ name }: { name: string }) => name === 'copy')).toMatchObject({
      visible: true,
      defaultStrategy: { name: 'flexibleRollout', segments: [segment.id] },
    });
    const overview = await service.get(`/api/admin/projects/${other}/overview`);
    expect(overview.text).not.toContain('"copy"');
    expect((await serviceEvents(service.table)).slice(-3)).toMatchObject([
      { type: 'environment-created', environment: 'copy' },
      { type: 'project-environment-added', environment: 'copy', project },
      { type: 'default-strategy-updated', environment: 'copy', project },
    ]);
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(409);
    expect(readModelProblems(await contentOf(service.table))).toEqual([]);
  });

  const idOf = ({ id }: { id: string }) => id;

  test('is in every project that has the other one where none is named, and in none for an empty list', async () => {
    expect((await clone({})).status).toBe(201);
    expect((await clone({ name: 'alone', projects: [] })).status).toBe(201);
    const { copy, alone } = await readEnvironments(service);
    expect([copy?.projectCount, alone?.projectCount]).toEqual([2, 0]);
  });

  test('is in as many projects as there are, each whole', async () => {
    // More than a transaction has room for.
    const many = await world.projects(48, { environments: [from] });
    const late = many.toSorted().at(-1) ?? '';
    const feature = await world.feature({ project: late, environment: from, on: true, variants });
    expect((await clone({})).status).toBe(201);
    expect((await readEnvironments(service)).copy).toMatchObject({ projectCount: 50, enabledToggleCount: 1 });
    expect(await doing(late, feature.name, 'copy')).toMatchObject({ enabled: true, variants });
  });

  test('is refused for projects that are unknown or do not have the other one, all named, and for a name in use', async () => {
    const without = await world.project();
    const answer = await clone({ projects: [project, without, 'missing'] });
    expect(answer.status).toBe(404);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual(['projects.1', 'projects.2']);
    expect((await clone({ name: 'production' })).status).toBe(409);
    expect((await service.post('/api/admin/environments/missing/clone', { name: 'x', type: 'test' })).status).toBe(404);
    expect(await readEnvironments(service)).not.toHaveProperty('copy');
  });

  test('of a name that there was before is nothing but a clone', async () => {
    const feature = await world.feature({ project, environment: from, variants });
    const earlier = await service.post('/api/admin/environments', { name: 'copy', type: 'test' });
    expect(earlier.status).toBe(201);
    await world.ask('POST', `/api/admin/projects/${project}/environments`, { environment: 'copy' });
    const path = `/api/admin/projects/${project}/features/${feature.name}/environments/copy`;
    await world.ask('POST', `${path}/strategies`, { name: 'default' });
    await world.ask('POST', `${path}/on`, {});
    await world.ask('DELETE', '/api/admin/environments/copy');
    expect((await clone({})).status).toBe(201);
    expect(await doing(project, feature.name, 'copy')).toEqual({ enabled: false, strategies: [], variants });
    expect((await service.post(`${path}/on`, {})).status).toBe(200);
  });

  test('keeps what roles may do there, where that is asked for', async () => {
    const permissions: RolePermission[] = [
      { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: from },
      { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
    ];
    const role = {
      ...{ id: customRoleIdOf(1), name: 'switcher', description: '', type: 'custom' as const, permissions },
      createdAt: new Date().toISOString(),
    };
    await transact(service.table, customRoles.buildCreationEffects(role, role.createdAt).writes, undefined);
    const allowed = async () => (await customRoles.load(service.table, role.id)).value.permissions;
    await clone({ clonePermissions: true });
    expect(await allowed()).toEqual([...permissions, { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'copy' }]);
    await clone({ name: 'without', clonePermissions: false });
    expect(await allowed()).toHaveLength(3);
    // Another environment of the name is not theirs.
    await world.ask('DELETE', '/api/admin/environments/copy');
    expect(await allowed()).toEqual(permissions);
  });

  test('is seen whole or not at all, and completes where it was cut off, with a key and without one', async () => {
    const features = await world.features(2, { project, environment: from, on: true, variants });
    let steps = 0;
    for (; steps < 20; steps += 1) {
      const name = world.name('copy');
      const headers = { 'idempotency-key': name };
      const stuck = await stuckAfter(service.table, steps, () => clone({ name }, { headers }));
      if (!stuck.isStuck) break;
      const isThere = name in (await readEnvironments(service));
      if (!isThere) expect(await stateIn(project, features[0]?.name ?? '', name)).toBeUndefined();
      expect((await clone({ name }, isThere || steps % 2 === 0 ? { headers } : {})).status).toBe(201);
      for (const feature of features) {
        expect(await doing(project, feature.name, name)).toEqual(await doing(project, feature.name, from));
      }
      // Another request has the name by now, or this one was carried out already.
      expect([201, 409]).toContain((await stuck.goOn()).status);
      expect((await readEnvironments(service))[name]).toMatchObject({ projectCount: 2, enabledToggleCount: 2 });
    }
    expect(steps).toBeGreaterThan(2);
    expect(readModelProblems(await contentOf(service.table))).toEqual([]);
  });

  test('leaves nothing of what was prepared in an environment that another request creates under the name meanwhile', async () => {
    const feature = await world.feature({ project, environment: from, on: true, variants });
    for (const steps of [1, 2]) {
      const stuck = await stuckAfter(service.table, steps, () => clone({}));
      expect(stuck.isStuck).toBe(true);
      expect((await service.call('DELETE', '/api/admin/environments/copy')).status).toBe(404);
      await world.ask('POST', '/api/admin/environments', { name: 'copy', type: 'production' });
      await world.ask('POST', `/api/admin/projects/${project}/environments`, { environment: 'copy' });
      expect((await stuck.goOn()).status).toBe(409);
      expect(await doing(project, feature.name, 'copy')).toEqual({ enabled: false, strategies: [], variants: [] });
      await world.ask('DELETE', '/api/admin/environments/copy');
    }
  });
});
