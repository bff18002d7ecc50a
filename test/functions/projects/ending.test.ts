import { beforeEach, describe, expect, test } from 'vitest';
import * as flagKeys from '../../../lib/identity/access-flags/keys.ts';
import * as projectKeys from '../../../lib/projects/keys.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { newTokenOf } from '../../harness/features.ts';
import { readEnvironments } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { stuckAfter } from '../../harness/stuck.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

specify('deleteProject', {
  route: 'DELETE /api/admin/projects/{projectId}',
  ...openTo('Owner', 'DELETE_PROJECT'),
  // The items that count its features are as many as those of 14 features.
  request: async (world) => ({ params: { projectId: await world.project() }, size: 14, stages: 2 }),
  others: {
    'with all that belongs to it': async (world) => {
      const projectId = await world.project();
      await world.features(2, { project: projectId, archived: true, strategies: [{ name: 'default' }] });
      await world.segment({ project: projectId });
      await world.clientToken({ projects: [projectId] });
      return { params: { projectId }, size: 20, stages: 8 };
    },
  },
  again: 404,
  // It reads the parts of the project, and then records that none is left.
  waits: 6,
});

describe('Deleting a project', () => {
  let id: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    id = await world.project();
  });
  const remove = (project = id) => service.call('DELETE', `/api/admin/projects/${project}`);
  const create = (project = id) => service.post('/api/admin/projects', { id: project, name: 'Again' });

  /** Whatever the store holds under the keys of a project, but what says that it takes no features. */
  async function remains(): Promise<string[]> {
    const partitions = ['', '#FEATURES', '#ARCHIVE'].map((part) => ({ pk: `PROJECT#${id}${part}` }));
    const found = await Promise.all(partitions.map((partition) => queryAll<Key>(service.table, partition)));
    return found.flat().flatMap(({ sk }) => (sk.startsWith('MARK#') ? [] : [sk]));
  }

  test('removes the protection of more environments than fit into its transaction', async () => {
    const environments: string[] = [];
    while (environments.length < 45) {
      const name = world.name('environment');
      await world.ask('POST', '/api/admin/environments', { name, type: 'test', requiredApprovals: 1 });
      environments.push(name);
    }
    await world.ask('POST', '/api/admin/projects', { id: 'guarded', name: 'Guarded', environments });
    expect((await remove('guarded')).status).toBe(200);
    expect(await queryAll(service.table, flagKeys.accessFlags())).toEqual([]);
  });

  test('removes its archived features, tokens, segments, context fields, strategies and roles', async () => {
    const parent = await world.feature({ project: id });
    await world.feature({ project: id, parents: [parent.name] });
    const names = (await service.get(`/api/admin/projects/${id}/features`)).body.features.map(
      ({ name }: { name: string }) => name,
    );
    await service.post(`/api/admin/projects/${id}/archive`, { features: names });
    const segment = await world.segment({ project: id });
    await service.post(`/api/admin/projects/${id}/context`, { name: 'region' });
    await service.post(`/api/admin/projects/${id}/environments/development/default-strategy`, {
      name: 'flexibleRollout',
    });
    const [own, shared] = await Promise.all([
      world.clientToken({ projects: [id] }),
      world.clientToken({ projects: [id, 'default'] }),
    ]);
    const owner = await newTokenOf(service, { username: 'owner', inProject: { project: id, role: 'Owner' } });
    await service.post(`/api/admin/projects/${id}/favorites`, {});
    const { projectCount } = (await readEnvironments(service)).development;

    expect(await remove()).toMatchObject({ status: 200, text: '' });
    expect((await service.get(`/api/admin/projects/${id}/overview`)).status).toBe(404);
    expect((await service.get('/api/admin/projects')).body.projects).toHaveLength(1);
    expect((await readEnvironments(service)).development.projectCount).toBe(projectCount - 1);
    expect(await remains()).toEqual([]);
    expect((await service.get(`/api/admin/segments/${segment.id}`)).status).toBe(404);
    expect((await service.get('/api/admin/context/region')).status).toBe(404);
    const { tokens } = (await service.get('/api/admin/api-tokens')).body;
    expect(tokens.map(({ projects }: { projects: string[] }) => projects)).toContainEqual(['default']);
    expect(JSON.stringify(tokens)).not.toContain(`"${id}"`);
    expect((await readEnvironments(service)).development.apiTokenCount).toBe(1);
    const types = (await serviceEvents(service.table)).map(({ type }) => type);
    for (const type of ['project-deleted', 'segment-deleted', 'context-field-deleted', 'api-token-deleted']) {
      expect(types).toContain(type);
    }
    // One of the same id begins with nothing.
    expect((await create()).status).toBe(201);
    const { body } = await service.get('/api/admin/projects');
    expect(body.projects.find((each: { id: string }) => each.id === id)).toMatchObject({
      featureCount: 0,
      memberCount: 0,
      favorite: false,
    });
    const headers = { authorization: owner };
    expect((await service.call('DELETE', `/api/admin/projects/${id}`, { headers })).status).toBe(403);
    await world.feature({ project: id, on: true });
    const poll = (token: string) => service.get('/api/client/features', { headers: { authorization: token } });
    expect((await poll(shared)).body.features).toEqual([]);
    expect([own, shared]).toHaveLength(2);
  });

  test('removes its roles from users, service accounts and groups, so that a later project of the id does not admit them', async () => {
    const account = await world.serviceAccount();
    const { secret } = await world.serviceAccountToken(account.id);
    const headers = { authorization: secret };
    const group = await world.groupId();
    const { id: user } = await world.user();
    const access = { roles: [4], users: [account.id, user], groups: [group] };
    await world.ask('POST', `/api/admin/projects/${id}/access`, access);

    expect((await remove()).status).toBe(200);
    await create();
    const { body } = await service.get(`/api/admin/projects/${id}/access`);
    expect([body.users, body.groups]).toEqual([[], []]);
    const again = await service.call('PUT', `/api/admin/projects/${id}`, { headers, body: { name: 'Mine again' } });
    expect(again.status).toBe(403);
  });

  test('is a 409 for the first project, and while it has live features, which are named', async () => {
    const { name } = await world.feature({ project: id });
    const { status, body } = await remove();
    expect([status, body.name]).toEqual([409, 'InUseError']);
    expect(body.message).toContain(name);
    expect((await service.get(`/api/admin/projects/${id}/overview`)).status).toBe(200);
    expect((await remove('default')).status).toBe(409);
  });

  test('may follow its archival, and is a 404 the second time', async () => {
    await world.feature({ project: id, archived: true });
    await service.post(`/api/admin/projects/archive/${id}`, {});
    const answers = await Promise.all([remove(), remove()]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await remove()).status).toBe(404);
    const types = (await serviceEvents(service.table)).map(({ type }) => type);
    expect(types.filter((type) => type === 'project-deleted')).toHaveLength(1);
    expect(await remains()).toEqual([]);
  });

  test('leaves nothing behind that is added at the same time', async () => {
    const { projectCount } = (await readEnvironments(service)).default;
    const parked = await world.feature({ project: id, archived: true });
    const path = `/api/admin/projects/${id}`;
    const token = { tokenName: 'raced', type: 'client', environment: 'development', projects: [id] };
    const additions: readonly (() => Promise<unknown>)[] = [
      () => service.post(`${path}/features`, { name: world.name('new') }),
      () => service.post(`/api/admin/archive/revive/${parked.name}`, {}),
      () => service.post(`${path}/api-tokens`, token),
      () => service.post('/api/admin/segments', { name: id, project: id, constraints: [] }),
      () => service.post(`${path}/context`, { name: id }),
      () => service.post(`${path}/environments`, { environment: 'default' }),
      () => service.post(`${path}/environments/development/default-strategy`, { name: 'flexibleRollout' }),
      () => service.post(`/api/admin/projects/archive/${id}`, {}),
      () => newTokenOf(service, { username: id, inProject: { project: id, role: 'Owner' } }).catch(() => undefined),
    ];
    // Those under way have read all that they want to know, and are to write.
    const stuck = await Promise.all(additions.map((add) => stuckAfter(service.table, 0, add)));
    expect(stuck.every(({ isStuck }) => isStuck)).toBe(true);
    expect((await remove()).status).toBe(200);
    await Promise.all(stuck.map((addition) => addition.goOn()));
    expect(await remains()).toEqual([]);
    expect(await readItem(service.table, projectKeys.removal('project', id))).toBeUndefined();
    const lists = await Promise.all(
      ['segments', 'context', 'api-tokens', 'user-admin/access'].map((list) => service.get(`/api/admin/${list}`)),
    );
    for (const { text } of lists) expect(text).not.toContain(`"project":"${id}"`);
    expect((await readEnvironments(service)).default.projectCount).toBe(projectCount);
  });
});

specify('archiveProject', {
  route: 'POST /api/admin/projects/archive/{projectId}',
  versionAt: 'GET /api/admin/projects/{projectId}',
  ...openTo('Owner', 'DELETE_PROJECT'),
  // The items that count its features are as many as those of 14 features.
  request: async (world) => ({ params: await world.projectWithFeature({ archived: true }), size: 14 }),
});

describe('An archived project', () => {
  let id: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    id = await world.project();
  });
  const archive = () => service.post(`/api/admin/projects/archive/${id}`, {});
  const listed = async (query = '') => {
    const { projects } = (await service.get(`/api/admin/projects${query}`)).body;
    return projects.map((project: { id: string }) => project.id);
  };

  test('is listed only among archived projects, with the time of archival', async () => {
    expect(await archive()).toMatchObject({ status: 200, text: '' });
    expect(await listed()).toEqual(['default']);
    expect(await listed('?archived=true')).toEqual([id]);
    const { archivedAt } = (await service.get(`/api/admin/projects/${id}/overview`)).body;
    expect(archivedAt).toEqual(expect.any(String));
  });

  test('must not have live features, which are named', async () => {
    const { name } = await world.feature({ project: id });
    const { status, body } = await archive();
    expect([status, body.name]).toEqual([409, 'InUseError']);
    expect(body.message).toContain(name);
    expect(await listed()).toContain(id);
  });

  test('takes no features by creation, clone, import, move or revival', async () => {
    const features = `/api/admin/projects/${id}/features`;
    const archived = await world.feature({ project: id, archived: true });
    const other = await world.feature({ project: await world.project() });
    await archive();
    const refused = await Promise.all([
      service.post(features, { name: 'new' }),
      service.post(`${features}/${archived.name}/clone`, { name: 'new' }),
      service.post(`/api/admin/projects/${other.place.projectId}/features/${other.name}/changeProject`, {
        newProjectId: id,
      }),
      service.post(`/api/admin/archive/revive/${archived.name}`, {}),
      service.post(`/api/admin/projects/${id}/revive`, { features: [archived.name] }),
      service.put(`${features}/${archived.name}`, { archived: false }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(6).fill(404));
    for (const { body } of refused) expect(body.message).toContain('is archived');
    await expect(world.feature({ project: id })).rejects.toThrow('is archived');
    const { status } = await service.put(`${features}/${archived.name}`, { description: 'still to be read' });
    expect(status).toBe(200);
    expect((await service.call('DELETE', `/api/admin/archive/${archived.name}`)).status).toBe(200);
  });

  test('gets no live features from concurrent requests', async () => {
    const from = await world.project();
    const other = await world.feature({ project: from });
    const parked = await world.feature({ project: id, archived: true });
    const features = async () => (await service.get(`/api/admin/projects/${id}/features`)).body.features;
    const additions = [
      () => service.post(`/api/admin/projects/${id}/features`, { name: world.name('new') }),
      () => service.post(`/api/admin/archive/revive/${parked.name}`, {}),
      () => service.post(`/api/admin/projects/${from}/features/${other.name}/changeProject`, { newProjectId: id }),
    ];
    // Those that have read all that they want to know come too late.
    const stuck = await Promise.all(additions.map((add) => stuckAfter(service.table, 0, add)));
    expect(stuck.map(({ isStuck }) => isStuck)).toEqual([true, true, true]);
    expect((await archive()).status).toBe(200);
    const late = await Promise.all(stuck.map((addition) => addition.goOn()));
    expect(late.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await features()).toEqual([]);

    await service.post(`/api/admin/projects/revive/${id}`, {});
    for (const add of additions) {
      const archiving = await stuckAfter(service.table, 0, archive);
      expect((await add()).status).toBeLessThan(300);
      expect([archiving.isStuck, (await archiving.goOn()).status]).toEqual([true, 409]);
      const names = (await features()).map(({ name }: { name: string }) => name);
      expect(names).toHaveLength(1);
      await service.post(`/api/admin/projects/${id}/archive`, { features: names });
    }
  });
});
