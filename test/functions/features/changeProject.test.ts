import { beforeAll, describe, expect, test } from 'vitest';
import * as useKeys from '../../../lib/features/use/keys.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { enabledCounts, eventsAddedBy, newTokenOf, paths, readFeature } from '../../harness/features.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { World } from '../../harness/world.ts';
import { openTo, specify } from '../../specifications/specify.ts';

specify('changeProject', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/changeProject',
  ...openTo('Editor', 'MOVE_FEATURE_TOGGLE'),
  request: async (world) => ({
    params: (await world.feature({ project: await world.shared('source', () => world.project()), on: true })).place,
    body: { newProjectId: await world.shared('target', () => world.project()) },
  }),
  others: {
    'an archived one': async (world) => ({
      params: (await world.feature({ project: await world.shared('source', () => world.project()), archived: true }))
        .place,
      body: { newProjectId: await world.shared('target', () => world.project()) },
    }),
  },
  required: ['newProjectId'],
  again: 404,
  differs: '409 for what cannot move, where Unleash answers 403',
  ofArchived: true,
});

describe('Moving a feature to another project', () => {
  let service: Service;
  let world: World;
  beforeAll(async () => {
    service = await freshService(
      readSeed({
        projects: [
          { id: 'from', environments: ['development', 'production'] },
          { id: 'to', environments: ['development', 'production'] },
          { id: 'small', environments: ['development'] },
        ],
        segments: [
          { id: 1_001, name: 'for-all' },
          { id: 1_002, name: 'for-from', project: 'from' },
        ],
      }),
    );
    world = new World(service);
  });
  const move = (name: string, newProjectId: string, project = 'from', token?: string) =>
    service.call('POST', `${paths.feature(name, project)}/changeProject`, {
      body: { newProjectId },
      ...(token && { headers: { authorization: token } }),
    });
  const obstacles = async (name: string, to: string) => {
    const { status, body } = await move(name, to);
    expect([status, body.name]).toEqual([409, 'ConflictError']);
    return body.details.map(({ message }: { message: string }) => message);
  };

  test('moves all its content and the references to it', async () => {
    const { name } = await world.feature({ project: 'from', on: true, variants: [{ name: 'blue', weight: 1000 }] });
    await world.ask('POST', paths.strategies(name, 'production', 'from'), { name: 'default', segments: [1_001] });
    const before = await readFeature(service, name, 'from');
    const counts = await enabledCounts(service);
    const events = await eventsAddedBy(service, name, () => move(name, 'to'));
    expect(events).toMatchObject([{ project: 'to', data: { oldProject: 'from', newProject: 'to' } }]);
    expect(await readFeature(service, name, 'to')).toEqual({ ...before, project: 'to' });
    expect((await service.get(paths.feature(name, 'from'))).status).toBe(404);
    expect(await enabledCounts(service)).toEqual(counts);
    const { body } = await service.get('/api/admin/segments/1001/strategies');
    expect(body.strategies).toMatchObject([{ projectId: 'to', featureName: name, environment: 'production' }]);
  });

  test('moves its entry in the archive', async () => {
    const { name } = await world.feature({ project: 'from', archived: true });
    expect((await move(name, 'to')).status).toBe(200);
    const namesIn = async (project: string) =>
      (await service.get(paths.archive(project))).body.features.map(({ name }: { name: string }) => name);
    expect(await namesIn('from')).not.toContain(name);
    expect(await namesIn('to')).toContain(name);
    expect((await service.post(paths.revived(name))).status).toBe(200);
    expect(await readFeature(service, name, 'to')).toMatchObject({ archived: false });
  });

  test('changes nothing if it is in that project already', async () => {
    const { name } = await world.feature({ project: 'from' });
    expect(await eventsAddedBy(service, name, () => move(name, 'from'))).toEqual([]);
  });

  test('is refused with all obstacles', async () => {
    const { name: parent } = await world.feature({ project: 'from' });
    const { name } = await world.feature({ project: 'from', parents: [parent] });
    await world.ask('POST', paths.strategies(name, 'development', 'from'), { name: 'default', segments: [1_002] });
    expect(await obstacles(name, 'small')).toEqual([
      expect.stringContaining('"production"'),
      expect.stringContaining(`"${parent}"`),
      expect.stringContaining('1002'),
    ]);
    expect(await obstacles(parent, 'to')).toEqual([expect.stringContaining(`"${name}"`)]);
    expect(await readFeature(service, name, 'from')).toMatchObject({ project: 'from' });
  });

  test('needs the permission in both projects', async () => {
    const { name } = await world.feature({ project: 'from' });
    const owner = (project: string) =>
      newTokenOf(service, { username: `owner-of-${project}`, inProject: { project, role: 'Owner' } });
    expect((await move(name, 'to', 'from', await owner('from'))).status).toBe(403);
    expect((await move(name, 'to', 'from', await owner('to'))).status).toBe(403);
    expect((await move(name, 'unknown', 'from', await owner('from'))).status).toBe(403);
    const editor = await newTokenOf(service, { username: 'mover', rootRole: 'Editor' });
    expect((await move(name, 'to', 'from', editor)).status).toBe(200);
  });

  test('answers 404 for an unknown project', async () => {
    const { name } = await world.feature({ project: 'from' });
    expect((await move(name, 'unknown')).status).toBe(404);
  });
});

/** So many environments that a move has no room for all tags and times of last use. */
const wide = Array.from({ length: 40 }, (_, index) => `environment-${index}`);

test('A feature with many tags and a state in many environments can be moved', async () => {
  const service = await freshService(
    readSeed({
      environments: wide.map((name) => ({ name, type: 'test' })),
      projects: ['wide', 'wider'].map((id) => ({ id, environments: wide })),
    }),
  );
  const last = '2999-01-01T00:00:00.000Z';
  const tags = Array.from({ length: 60 }, (_, index) => ({ type: 'simple', value: `tag-${index}` }));
  await service.post('/api/admin/projects/wide/features', { name: 'broad', tags });
  for (const environment of wide) {
    await service.post(paths.strategies('broad', environment, 'wide'), { name: 'default' });
    const seen = {
      put: useKeys.featureSeen('wide', 'broad', environment),
      item: { lastSeenAt: environment === wide.at(-1) ? last : '2998-01-01T00:00:00.000Z' },
    };
    await transact(service.table, [seen], undefined);
  }
  const { status } = await service.post(`${paths.feature('broad', 'wide')}/changeProject`, { newProjectId: 'wider' });
  expect(status).toBe(200);
  const { tags: moved, lastSeenAt } = (await service.get(paths.feature('broad', 'wider'))).body;
  expect([moved.length, lastSeenAt]).toEqual([60, last]);
});

test('A feature can be moved if one of its unguarded tags was removed while the feature received it', async () => {
  const service = await freshService(
    readSeed({ projects: [{ id: 'to', environments: ['development', 'production'] }] }),
  );
  const tags = Array.from({ length: 60 }, (_, index) => ({ type: 'simple', value: `tag-${index}` }));
  await service.post('/api/admin/tags', tags[59]);
  const remove = () => service.call('DELETE', '/api/admin/tags/simple/tag-59');
  const create = () => service.post('/api/admin/projects/default/features', { name: 'broad', tags });
  expect((await betweenReadAndWrite(service.table, remove, create)).status).toBe(201);
  await service.put('/api/admin/features/broad/tags', { addedTags: [], removedTags: tags.slice(0, 30) });
  const { status } = await service.post(`${paths.feature('broad')}/changeProject`, { newProjectId: 'to' });
  expect(status).toBe(200);
  expect((await service.get('/api/admin/tags/simple/tag-59')).status).toBe(200);
});
