import { describe, expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

const constraints = [
  { contextName: 'country', operator: 'IN', caseInsensitive: false, inverted: true, values: ['CH', 'NZ'], value: 'CH' },
];

specify('updateSegment', {
  route: 'PUT /api/admin/segments/{id}',
  ...openTo('Owner', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'),
  request: async (world) => ({
    params: { id: (await world.segment({ project: world.home.projectId })).id },
    body: { name: world.name('segment'), description: 'Some countries', project: world.home.projectId, constraints },
    project: world.home.projectId,
  }),
  required: ['name', 'constraints', 'constraints.0.contextName', 'constraints.0.operator'],
  needed: ['constraints.0.values'],
  nullable: ['description', 'project'],
  again: 'nothing',
});

describe('Updating a segment', () => {
  const { service, world } = worldForEach();
  const update = (id: number, body: object) => service.put(`/api/admin/segments/${id}`, body);

  test('replaces all but its id, its creation and a description that is left out; the event has both states', async () => {
    const { id } = await world.segment({ description: 'Before' });
    const before = (await service.get(`/api/admin/segments/${id}`)).body;
    expect((await update(id, { name: 'after', constraints })).status).toBe(204);
    const { body } = await service.get(`/api/admin/segments/${id}`);
    expect(body).toEqual({ ...before, name: 'after', constraints });
    await update(id, { name: 'after', description: null, constraints });
    expect((await service.get(`/api/admin/segments/${id}`)).body.description).toBe('');
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
      type: 'segment-updated',
      data: { id, name: 'after', description: '' },
      preData: { id, name: 'after', description: 'Before' },
    });
  });

  test('frees the name that it had, and takes none that is in use', async () => {
    const [one, other] = [await world.segment(), await world.segment()];
    expect((await update(one.id, { name: other.name, constraints: [] })).status).toBe(409);
    expect((await update(one.id, { name: 'new', constraints: [] })).status).toBe(204);
    expect((await update(other.id, { name: one.name, constraints: [] })).status).toBe(204);
  });
});

test('Who may in one project changes its segments, and moves none out of it or in', async ({ service, world }) => {
  const [own, other] = [await world.project(), await world.project()];
  const role = await world.role({ permissions: [{ name: 'UPDATE_PROJECT_SEGMENT' }] });
  const token = await world.tokenOfRole(3, [{ project: own, roles: [role] }]);
  const [ofOwn, ofOther, ofAll] = await Promise.all([own, other, null].map((project) => world.segment({ project })));
  const call = (method: string, id: number | undefined, body?: object) =>
    service.call(method, `/api/admin/segments/${id}`, { token, ...(body && { body }) });
  const inProject = (project: string | null) => ({ name: world.name('segment'), project, constraints: [] });

  expect((await call('PUT', ofOwn?.id, inProject(own))).status).toBe(204);
  for (const project of [other, null]) {
    expect((await call('PUT', ofOwn?.id, inProject(project))).status).toBe(403);
    expect((await service.post('/api/admin/segments', inProject(project), { token })).status).toBe(403);
  }
  for (const id of [ofOther?.id, ofAll?.id, 999]) {
    expect((await call('PUT', id, inProject(own))).status).toBe(403);
    expect((await call('DELETE', id)).status).toBe(403);
  }
  expect((await call('DELETE', ofOwn?.id)).status).toBe(204);
});

test('One that is given to a project is used in no other, whatever changes then', async ({ service, world }) => {
  const [own, other] = [await world.project(), await world.project()];
  const strategy = (id: number) => ({ name: 'default', segments: [id] });
  const feature = (project: string) => world.feature({ project });
  const uses: [number, (id: number) => Promise<() => Promise<{ status: number }>>][] = [
    [
      400,
      async (id) => {
        const { name } = await feature(other);
        const path = `${paths.feature(name, other)}/environments/development/strategies`;
        return () => service.post(path, strategy(id));
      },
    ],
    [
      400,
      async (id) => () =>
        service.post(`/api/admin/projects/${other}/environments/development/default-strategy`, strategy(id)),
    ],
    [
      409,
      async (id) => {
        const made = await feature(own);
        await world.strategy(made, strategy(id));
        return () => service.post(`${paths.feature(made.name, own)}/changeProject`, { newProjectId: other });
      },
    ],
  ];
  for (const [status, prepare] of uses) {
    const { id, name } = await world.segment();
    const use = await prepare(id);
    const give = () => world.ask('PUT', `/api/admin/segments/${id}`, { name, constraints: [], project: own });
    expect(await betweenReadAndWrite(service.table, give, use)).toMatchObject({ status });
  }
});
