import { describe, expect, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { identityTrustMs } from '../../../lib/people/rights/identity-memory.ts';
import { addEnvironment } from '../../../lib/projects/add-environment.ts';
import { updateEnvironment } from '../../../lib/projects/change-environments.ts';
import { configureChangeRequests } from '../../../lib/projects/change-request-config.ts';
import { createdView, createProject } from '../../../lib/projects/create-project.ts';
import { protect } from '../../harness/protection.ts';
import { test } from '../../specifications/specify.ts';

const inProduction = '/api/admin/projects/default/environments/production/change-requests/config';

describe('A change in a protected environment', () => {
  test('is a 403 in the form of Unleash, which names the permission, and changes nothing', async ({
    service,
    world,
  }) => {
    const { name, place } = await world.feature({ on: true });
    await protect(service.table, place);
    const path = `/api/admin/projects/default/features/${name}/environments/development`;
    const token = await world.token({ rootRole: 'Editor' });
    const before = (await service.get(`/api/admin/projects/default/features/${name}`)).text;
    const reply = await service.post(`${path}/off`, {}, { token });
    const message =
      'Changes in the environment "development" of the project "default" need approval; make a change request, or have ' +
      'SKIP_CHANGE_REQUEST there.';
    expect(reply).toMatchObject({
      status: 403,
      body: { name: 'PermissionError', message, details: [{ message }], permissions: ['SKIP_CHANGE_REQUEST'] },
    });
    expect((await service.get(`/api/admin/projects/default/features/${name}`)).text).toBe(before);
  });

  test('is free where SDKs get nothing else: in other environments, and of what describes a feature', async ({
    service,
    world,
  }) => {
    const { name, place } = await world.feature({ on: true });
    await protect(service.table, place);
    const token = await world.token({ rootRole: 'Editor' });
    const path = `/api/admin/projects/default/features/${name}`;
    const free = [
      service.post('/api/admin/projects/default/features', { name: 'fresh' }, { token }),
      service.put(path, { description: 'Said otherwise', type: 'experiment', stale: true }, { token }),
      service.post(`/api/admin/features/${name}/tags`, { type: 'simple', value: 'one' }, { token }),
      service.post(`${path}/environments/production/on`, {}, { token }),
    ];
    for (const { status, text } of await Promise.all(free)) expect(status, text).toBeLessThan(300);
    // It does nothing, so it can go as it came.
    for (const each of ['/api/admin/projects/default/features/fresh', '/api/admin/archive/fresh'])
      expect((await service.call('DELETE', each, { token })).status).toBeLessThan(300);
    await service.call('DELETE', path);
    expect((await service.call('DELETE', `/api/admin/archive/${name}`, { token })).status).toBe(200);
  });

  test('is free for who may skip approval there, and in no other one', async ({ service, world }) => {
    const [here, there] = await world.features(2, { on: true });
    for (const environment of ['development', 'production'])
      await protect(service.table, { projectId: 'default', environment });
    const permissions = ['UPDATE_FEATURE_ENVIRONMENT', 'CREATE_FEATURE_STRATEGY', 'DELETE_FEATURE'].map((name) => ({
      name,
    }));
    const role = await world.role({
      permissions: [...permissions, { name: 'SKIP_CHANGE_REQUEST', environment: 'production' }],
    });
    const token = await world.tokenOfRole(3, [{ project: 'default', roles: [role] }]);
    const path = `/api/admin/projects/default/features/${here?.name}`;
    expect((await service.post(`${path}/environments/production/on`, {}, { token })).status).toBe(200);
    expect((await service.post(`${path}/environments/development/off`, {}, { token })).status).toBe(403);
    // What concerns all environments needs the permission in each of those where it has an effect.
    expect((await service.call('DELETE', path, { token })).status).toBe(403);
    await service.post(`/api/admin/projects/default/features/${there?.name}/environments/production/on`);
    const features = [here?.name, there?.name];
    const bulk = '/api/admin/projects/default/bulk_features/environments';
    expect((await service.post(`${bulk}/production/off`, { features }, { token })).status).toBe(200);
    expect((await service.post(`${bulk}/development/off`, { features }, { token })).status).toBe(403);
  });

  test('is free again as soon as it needs no approval, and the mark is gone with the project', async ({
    service,
    world,
  }) => {
    const project = await world.project();
    const { name, place } = await world.feature({ project });
    await protect(service.table, place);
    const token = await world.token({ rootRole: 'Editor' });
    const on = () =>
      service.post(`/api/admin/projects/${project}/features/${name}/environments/development/on`, {}, { token });
    expect((await on()).status).toBe(403);
    await service.put(`/api/admin/projects/${project}/environments/development/change-requests/config`, {
      changeRequestsEnabled: false,
    });
    expect((await on()).status).toBe(200);
  });
});

describe('The constraints of a segment', () => {
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];

  test('need approval while strategies use it where changes do; its name does not', async ({ service, world }) => {
    const { id, name } = await world.segment();
    const update = (token: string, body: object) =>
      service.put(`/api/admin/segments/${id}`, { name, constraints: [], ...body }, { token });
    const token = await world.token({ rootRole: 'Editor' });
    const used = await world.feature();
    await protect(service.table, { projectId: 'default', environment: 'production' });
    await world.strategy(used, { name: 'default', segments: [id] });
    expect((await update(token, { constraints })).status).toBe(204);
    await protect(service.table, used.place);
    expect(await update(token, {})).toMatchObject({ status: 403, body: { name: 'PermissionError' } });
    expect((await update(token, { constraints, name: 'renamed' })).status).toBe(204);
  });

  test('tell nobody of a protected project that they must not know of', async ({ service, world }) => {
    const { id, name } = await world.segment();
    const project = await world.project();
    const hidden = await world.feature({ project });
    await world.strategy(hidden, { name: 'default', segments: [id] });
    await service.put(`/api/admin/projects/${project}/settings`, { mode: 'private' });
    await protect(service.table, hidden.place);
    const role = await world.role({ type: 'root-custom', permissions: [{ name: 'UPDATE_SEGMENT' }] });
    const token = await world.tokenOfRole(role);
    const reply = await service.put(`/api/admin/segments/${id}`, { name, constraints }, { token });
    expect(reply).toMatchObject({ status: 403, body: { name: 'PermissionError' } });
    expect(reply.text).not.toContain(project);
  });
});

describe('The configuration of approval', () => {
  test('is listed, and each change of it is an event with what it was', async ({ service }) => {
    const place = { projectId: 'default', environment: 'production' };
    const set = (config: object) =>
      configureChangeRequests(service.table, systemUser, place, { changeRequestsEnabled: true, ...config });
    const usual = { changeRequestsEnabled: true, requiredApprovals: 1, onDrift: 'refuse', selfApproval: 'never' };
    const most = { ...usual, requiredApprovals: 10, onDrift: 'overwrite' };
    await set({});
    await set({ requiredApprovals: 11, onDrift: 'overwrite' });
    await set({});
    const listed = async () => (await service.get('/api/admin/projects/default/change-requests/config')).body;
    const { changeRequestsEnabled: _on, ...shown } = most;
    expect(await listed()).toEqual([
      { environment: 'development', type: 'development', changeRequestEnabled: false, requiredApprovals: null },
      { environment: 'production', type: 'production', changeRequestEnabled: true, ...shown },
    ]);
    const { body: overview } = await service.get('/api/admin/projects/default/overview');
    expect(overview.environments).toMatchObject([{ changeRequestsEnabled: false }, { changeRequestsEnabled: true }]);
    expect((await service.put(inProduction, { changeRequestsEnabled: false, requiredApprovals: 0 })).status).toBe(204);
    const { body } = await service.get('/api/admin/events');
    const of = { type: 'change-request-configuration-updated', project: 'default', environment: 'production' };
    expect(body.events.slice(0, 3)).toMatchObject([
      { ...of, data: { changeRequestsEnabled: false }, preData: most },
      { ...of, data: most, preData: usual },
      { ...of, data: usual, preData: { changeRequestsEnabled: false } },
    ]);
  });
});

describe('An environment in which changes need approval wherever it is', () => {
  test('gives that to projects which get it, whatever they choose, and leaves it to them afterwards', async ({
    service,
    world,
  }) => {
    const { table } = service;
    const environment = await world.environment();
    await updateEnvironment(table, systemUser, environment, { requiredApprovals: 12 } as never);
    expect((await service.get(`/api/admin/environments/${environment}`)).body.requiredApprovals).toBe(10);
    const chosen = [
      { name: environment, requiredApprovals: 1 },
      { name: 'production', requiredApprovals: 2 },
    ];
    const { value: created } = await createProject(table, systemUser, {
      ...{ id: 'shop', name: 'Shop', environments: ['development', 'production', environment] },
      changeRequestEnvironments: chosen,
    });
    expect(createdView(created).changeRequestEnvironments).toEqual([
      { name: 'production', requiredApprovals: 2 },
      { name: environment, requiredApprovals: 10 },
    ]);
    await addEnvironment(table, systemUser, 'default', { environment });
    const needed = async (project: string) =>
      (await service.get(`/api/admin/projects/${project}/change-requests/config`)).body.map(
        ({ requiredApprovals }: { requiredApprovals: number | null }) => requiredApprovals,
      );
    expect([await needed('shop'), await needed('default')]).toEqual([
      [null, 2, 10],
      [null, null, 10],
    ]);
    await service.put(`/api/admin/environments/update/${environment}`, { requiredApprovals: 0 });
    const off = { changeRequestsEnabled: false };
    await service.put(`/api/admin/projects/shop/environments/${environment}/change-requests/config`, off);
    expect([await needed('shop'), await needed('default')]).toEqual([
      [null, 2, null],
      [null, null, 10],
    ]);
  });

  test('is refused for a project that is not to have it', async ({ service }) => {
    const input = {
      id: 'shop',
      name: 'Shop',
      environments: ['development'],
      changeRequestEnvironments: [{ name: 'production' }],
    };
    await expect(createProject(service.table, systemUser, input)).rejects.toMatchObject({
      ...{ name: 'NotFoundError', details: [{ path: 'changeRequestEnvironments.0.name' }] },
    });
  });

  test('leaves its protection to a copy of it', async ({ service, world }) => {
    const { place } = await world.feature({ on: true });
    await protect(service.table, place);
    await service.post('/api/admin/environments/development/clone', { name: 'copy', type: 'test' });
    const path = `/api/admin/projects/default/features/${place.featureName}/environments/copy/off`;
    const { body } = await service.get('/api/admin/projects/default/change-requests/config');
    expect(body).toContainEqual(expect.objectContaining({ environment: 'copy', changeRequestEnabled: true }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
    const token = await world.token({ rootRole: 'Editor' });
    expect(await service.post(path, {}, { token })).toMatchObject({ status: 403, body: { name: 'PermissionError' } });
    vi.useRealTimers();
  });
});
