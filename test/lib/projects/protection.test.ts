import { describe, expect, vi } from 'vitest';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { protect } from '../../harness/protection.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { test } from '../../specifications/specify.ts';

describe('A change in a protected environment', () => {
  test('is a 403 in the form of Unleash that names the permission', async ({ service, world }) => {
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

  test('needs no approval in other environments, nor if it only describes a feature', async ({ service, world }) => {
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

  test('needs no approval of those who may skip it there', async ({ service, world }) => {
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
    // A change for all environments needs the permission in each environment where it has an effect.
    expect((await service.call('DELETE', path, { token })).status).toBe(403);
    await service.post(`/api/admin/projects/default/features/${there?.name}/environments/production/on`);
    const features = [here?.name, there?.name];
    const bulk = '/api/admin/projects/default/bulk_features/environments';
    expect((await service.post(`${bulk}/production/off`, { features }, { token })).status).toBe(200);
    expect((await service.post(`${bulk}/development/off`, { features }, { token })).status).toBe(403);
  });

  test('needs no approval after protection was removed, which ends with the project', async ({ service, world }) => {
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

  test('need approval while a strategy in a protected environment uses it; its name does not', async ({
    service,
    world,
  }) => {
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

  test('need approval if such a strategy begins to use it meanwhile', async ({ service, world }) => {
    const { id, name } = await world.segment();
    const feature = await world.feature();
    await protect(service.table, feature.place);
    const token = await world.token({ rootRole: 'Editor' });
    const reply = await betweenReadAndWrite(
      service.table,
      () => world.strategy(feature, { name: 'default', segments: [id] }),
      () => service.put(`/api/admin/segments/${id}`, { name, constraints }, { token }),
    );
    expect(reply).toMatchObject({ status: 403, body: { name: 'PermissionError' } });
  });

  test('do not reveal a hidden project by needing approval', async ({ service, world }) => {
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

describe('An environment that is protected in all new projects', () => {
  test('protects projects that get it, which may change that later', async ({ service, world }) => {
    const environment = await world.environment();
    const update = (requiredApprovals: number) =>
      service.put(`/api/admin/environments/update/${environment}`, { requiredApprovals });
    expect((await update(12)).body.requiredApprovals).toBe(10);
    const chosen = [{ name: environment, requiredApprovals: 1 }, { name: 'production' }];
    const environments = ['development', 'production', environment];
    const input = { id: 'shop', name: 'Shop', environments, changeRequestEnvironments: chosen };
    expect((await service.post('/api/admin/projects', input)).body.changeRequestEnvironments).toEqual([
      { name: 'production', requiredApprovals: 1 },
      { name: environment, requiredApprovals: 10 },
    ]);
    await service.post('/api/admin/projects/default/environments', { environment });
    const needed = async (project: string) =>
      (await service.get(`/api/admin/projects/${project}/change-requests/config`)).body.map(
        ({ requiredApprovals }: { requiredApprovals: number | null }) => requiredApprovals,
      );
    expect([await needed('shop'), await needed('default')]).toEqual([
      [null, 1, 10],
      [null, null, 10],
    ]);
    expect((await update(0)).body.requiredApprovals).toBeNull();
    const off = { changeRequestsEnabled: false };
    await service.put(`/api/admin/projects/shop/environments/${environment}/change-requests/config`, off);
    expect([await needed('shop'), await needed('default')]).toEqual([
      [null, 1, null],
      [null, null, 10],
    ]);
  });

  test('is protected from the moment on at which a project has it', async ({ service, world }) => {
    const token = await world.token({ rootRole: 'Editor' });
    const project = { id: 'shop', name: 'Shop', changeRequestEnvironments: [{ name: 'production' }] };
    await service.post('/api/admin/projects', project, { token });
    const environment = await world.environment();
    await service.post(
      '/api/admin/projects/shop/environments',
      { environment, changeRequestsEnabled: true },
      { token },
    );
    await service.post('/api/admin/projects/shop/features', { name: 'fresh' }, { token });
    const on = async (where: string) =>
      (await service.post(`/api/admin/projects/shop/features/fresh/environments/${where}/on`, {}, { token })).status;
    expect([await on('production'), await on(environment), await on('development')]).toEqual([403, 403, 200]);
  });

  test('passes its protection on to a clone', async ({ service, world }) => {
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

describe('A person who protects an environment', () => {
  test('is warned where only Admins could approve, and told the role that can', async ({ service, world }) => {
    const project = await world.project();
    const configure = async (more: object) => {
      const path = `/api/admin/projects/${project}/environments/development/change-requests/config`;
      return (await service.put(path, { changeRequestsEnabled: true, ...more })).headers.warning;
    };
    const warning = expect.stringMatching(/Only Admins may approve .* an Editor, .* cannot\. .* Approver/);
    await world.user({ rootRole: 'Editor', inProject: { project, role: 'Owner' } });
    expect(await configure({})).toEqual(warning);
    expect(await configure({ requiredApprovals: 2 })).toEqual(warning);
    expect(await configure({ changeRequestsEnabled: false })).toBeUndefined();
    const environment = await world.environment();
    const added = { environment, changeRequestsEnabled: true };
    const ofAdded = await service.post(`/api/admin/projects/${project}/environments`, added);
    expect(ofAdded.headers.warning).toContain('Approver');
    const changeRequestEnvironments = [{ name: 'development', requiredApprovals: 1 }];
    const created = await service.post('/api/admin/projects', {
      id: 'guarded',
      name: 'Guarded',
      changeRequestEnvironments,
    });
    expect(created).toMatchObject({ status: 201, headers: { warning } });
    await world.user({ inProject: { project, role: 'Approver' } });
    expect(await configure({})).toBeUndefined();
    expect(await configure({ requiredApprovals: 10 })).toContain('Fewer people may approve');
  });
});
