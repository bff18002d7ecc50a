import { describe, expect } from 'vitest';
import type { World } from '../../harness/world.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

const path = '/api/admin/release-plan-templates';

/** A body with every property, and two milestones of which the first is timed. */
async function wholeTemplate(world: World) {
  const strategy = await wholeStrategy(world);
  return {
    name: world.name('template'),
    description: 'Slowly, then for everybody',
    project: world.home.projectId,
    milestones: [
      {
        ...{ id: 'first', name: 'Few', sortOrder: 0, transitionCondition: { intervalMinutes: 60 } },
        strategies: [{ ...strategy, id: 'one', strategyName: 'flexibleRollout', sortOrder: 0 }],
      },
      { id: 'last', name: 'All', sortOrder: 1, strategies: [{ name: 'default', sortOrder: 0 }] },
    ],
  };
}

const places = strategyPlaces('milestones.0.strategies.0');
const bodyPlaces = {
  required: [
    'name',
    'milestones.0.name',
    'milestones.0.transitionCondition.intervalMinutes',
    ...places.required.filter((place) => !/strategies\.0\.name$/.test(place)),
  ],
  nullable: ['description', 'project', 'milestones.0.transitionCondition', ...places.nullable],
};

/** Creates a template; returns the variables of its path. */
async function made(world: World, more: object = {}) {
  const { body } = await world.ask('POST', path, { ...(await wholeTemplate(world)), ...more });
  return { params: { templateId: body.id as string }, project: world.home.projectId };
}

specify('getReleasePlanTemplates', {
  route: 'GET /api/admin/release-plan-templates',
  may: 'any token',
  given: (world) => made(world, { project: null }),
});

specify('getProjectReleaseTemplates', {
  route: 'GET /api/admin/projects/{projectId}/release-templates',
  may: 'any token',
  request: async (world) => {
    await made(world);
    return { params: { projectId: world.home.projectId }, query: { include: 'root' } };
  },
});

specify('getReleasePlanTemplate', {
  route: 'GET /api/admin/release-plan-templates/{templateId}',
  may: 'any token',
  request: async (world) => ({ params: (await made(world)).params }),
});

specify('createReleasePlanTemplate', {
  route: 'POST /api/admin/release-plan-templates',
  ...openTo('Owner', 'RELEASE_PLAN_TEMPLATE_CREATE', 'UPDATE_PROJECT'),
  request: async (world) => ({ body: await wholeTemplate(world), project: world.home.projectId }),
  ...bodyPlaces,
  again: 409,
});

specify('updateReleasePlanTemplate', {
  route: 'PUT /api/admin/release-plan-templates/{templateId}',
  ...openTo('Owner', 'RELEASE_PLAN_TEMPLATE_UPDATE', 'UPDATE_PROJECT'),
  request: async (world) => ({ ...(await made(world)), body: await wholeTemplate(world) }),
  ...bodyPlaces,
  again: 'once more',
});

specify('archiveReleasePlanTemplate', {
  route: 'POST /api/admin/release-plan-templates/archive/{templateId}',
  ...openTo('Owner', 'RELEASE_PLAN_TEMPLATE_DELETE', 'UPDATE_PROJECT'),
  request: (world) => made(world),
  again: 'nothing',
  versionAt: 'GET /api/admin/release-plan-templates/{templateId}',
});

specify('reviveReleasePlanTemplate', {
  route: 'POST /api/admin/release-plan-templates/revive/{templateId}',
  ...openTo('Owner', 'RELEASE_PLAN_TEMPLATE_UPDATE', 'UPDATE_PROJECT'),
  request: async (world) => {
    const template = await made(world);
    await world.ask('POST', `${path}/archive/${template.params.templateId}`);
    return template;
  },
  again: 'nothing',
  versionAt: 'GET /api/admin/release-plan-templates/{templateId}',
});

specify('deleteReleasePlanTemplate', {
  route: 'DELETE /api/admin/release-plan-templates/{templateId}',
  ...openTo('Owner', 'RELEASE_PLAN_TEMPLATE_DELETE', 'UPDATE_PROJECT'),
  request: (world) => made(world),
  again: 404,
});

const rollout = (percent: string, more: object = {}) => ({
  ...{ name: 'flexibleRollout', sortOrder: 0, parameters: { rollout: percent } },
  ...more,
});
const milestone = (name: string, ...strategies: object[]) => ({ name, strategies });

describe('Templates of release plans', () => {
  const { service, world } = worldForEach();
  const create = (...milestones: object[]) => service.post(path, { name: world.name('template'), milestones });
  const read = (id: string) => service.get(`${path}/${id}`);
  const names = async (list = path) => (await service.get(list)).body.map(({ name }: { name: string }) => name);

  test('have their milestones and strategies in order, with all properties', async () => {
    const { body } = await create(
      {
        ...milestone('All', rollout('100', { sortOrder: 1 }), { strategyName: 'default', sortOrder: 0 }),
        sortOrder: 1,
      },
      { ...milestone('Few', rollout('10')), sortOrder: 0, transitionCondition: { intervalMinutes: 90 } },
    );
    const [few, all] = body.milestones;
    expect(body).toMatchObject({ discriminator: 'template', project: null, archivedAt: null, description: '' });
    expect(few).toEqual({
      ...{ id: few.id, name: 'Few', sortOrder: 0, releasePlanDefinitionId: body.id },
      transitionCondition: { intervalMinutes: 90 },
      strategies: [
        {
          ...{
            id: few.strategies[0].id,
            milestoneId: few.id,
            name: 'flexibleRollout',
            strategyName: 'flexibleRollout',
          },
          ...{ sortOrder: 0, title: null, disabled: false, constraints: [], variants: [], segments: [] },
          parameters: { rollout: '10', stickiness: 'default', groupId: '{{featureName}}' },
        },
      ],
    });
    expect(all.strategies.map(({ name }: { name: string }) => name)).toEqual(['default', 'flexibleRollout']);
    expect(all).not.toHaveProperty('transitionCondition');
    expect((await read(body.id)).body).toEqual(body);
    const listed = (await service.get(path)).body.find(({ id }: { id: string }) => id === body.id);
    const { milestones: _milestones, ...outline } = body;
    expect(listed).toEqual(outline);
  });

  test('keep the ids of the milestones and strategies that are sent with them, each once', async () => {
    const { body } = await create(milestone('Few', rollout('10')), milestone('All', rollout('100')));
    const [few, all] = body.milestones;
    const change = (milestones: object[]) => service.put(`${path}/${body.id}`, { name: body.name, milestones });
    expect((await change(body.milestones)).body).toEqual(body);
    const { milestones } = (await change([few, { ...few, name: 'Half' }, all])).body;
    const ids = (list: { id: string }[]) => list.map(({ id }) => id);
    expect(ids(milestones)).toEqual([few.id, expect.any(String), all.id]);
    expect(new Set(ids(milestones)).size).toBe(3);
    const strategies = milestones.flatMap((one: { strategies: { id: string }[] }) => ids(one.strategies));
    expect([strategies[0], strategies[2]]).toEqual([few.strategies[0].id, all.strategies[0].id]);
    expect(new Set(strategies).size).toBe(3);
  });

  test('are refused with everything that is wrong in their form', async () => {
    const timed = { transitionCondition: { intervalMinutes: 0 } };
    const { status, body } = await create(
      { ...milestone('', rollout('110'), { sortOrder: 1 }), ...timed },
      milestone('All', { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] }),
    );
    expect(status).toBe(400);
    expect(body.details.map((detail: { path: string }) => detail.path)).toEqual([
      'milestones.0.name',
      'milestones.0.transitionCondition.intervalMinutes',
      'milestones.0.strategies.0.parameters.rollout',
      'milestones.0.strategies.1.name',
      'milestones.1.strategies.0.constraints.0',
    ]);
  });

  test('have milestones with different names, of which the last has no transition', async () => {
    const timed = (name: string, sortOrder: number) => ({
      ...{ name, sortOrder, transitionCondition: { intervalMinutes: 60 } },
    });
    const { body } = await create(timed('Same', 1), timed('Same', 0));
    expect(body.details).toEqual([
      { message: 'Two milestones have the name "Same".', path: 'milestones.1.name' },
      { message: expect.stringContaining('The last milestone'), path: 'milestones.0.transitionCondition' },
    ]);
  });

  test('are refused with everything that their strategies refer to and cannot use', async () => {
    await service.post('/api/admin/context', { name: 'plan', legalValues: [{ value: 'gold' }] });
    const constrain = (value: string) => [{ contextName: 'plan', operator: 'IN', values: [value] }];
    const { id } = await world.segment({ project: await world.project() });
    const { status, body } = await create(
      { ...milestone('All', rollout('100', { segments: [999] }), rollout('100', { segments: [id] })), sortOrder: 1 },
      { ...milestone('Few', { name: 'unknown' }, rollout('10', { constraints: constrain('tin') })), sortOrder: 0 },
    );
    expect(status).toBe(400);
    expect(body.details.map((detail: { path: string }) => detail.path)).toEqual([
      'milestones.0.strategies.0.segments.0',
      'milestones.0.strategies.1.segments',
      'milestones.1.strategies.0.name',
      'milestones.1.strategies.1.constraints.0',
    ]);
  });

  test('may keep a value that has become illegal, but not get it anew', async () => {
    await service.post('/api/admin/context', { name: 'plan', legalValues: [{ value: 'gold' }, { value: 'old' }] });
    const constrain = (value: string) => ({ constraints: [{ contextName: 'plan', operator: 'IN', values: [value] }] });
    const { body } = await create(milestone('Few', rollout('10', constrain('old'))));
    await service.put('/api/admin/context/plan', { legalValues: [{ value: 'gold' }] });
    const change = (...milestones: object[]) => service.put(`${path}/${body.id}`, { name: 'other', milestones });
    expect((await change(...body.milestones)).status).toBe(200);
    expect((await change(milestone('Few', rollout('10', constrain('old'))))).status).toBe(400);
  });

  test('leave the lists when they are archived, but can still be read and keep their names', async () => {
    const { body } = await create(milestone('All', rollout('100')));
    expect(await names()).toContain(body.name);
    expect(await names(`${path}?archived=true`)).not.toContain(body.name);
    const { body: archived } = await service.post(`${path}/archive/${body.id}`);
    expect(archived).toEqual({ ...body, archivedAt: expect.any(String) });
    expect(await names()).not.toContain(body.name);
    expect(await names(`${path}?archived=true`)).toEqual([body.name]);
    expect((await read(body.id)).body).toEqual(archived);
    expect((await service.post(path, { name: body.name })).status).toBe(409);
  });

  test('are as before once they are revived', async () => {
    const { body } = await create(milestone('All', rollout('100')));
    await service.post(`${path}/archive/${body.id}`);
    expect((await service.post(`${path}/revive/${body.id}`)).body).toEqual(body);
    expect(await names()).toContain(body.name);
    const { events } = (await service.get('/api/admin/events')).body;
    const types = events.slice(0, 2).map(({ type }: { type: string }) => type);
    expect(types).toEqual(['release-plan-template-revived', 'release-plan-template-archived']);
  });

  test('protect the segments, context fields and strategy types of their strategies from deletion', async () => {
    const segment = `/api/admin/segments/${(await world.segment()).id}`;
    await service.post('/api/admin/context', { name: 'plan' });
    await service.post('/api/admin/strategies', { name: 'own', parameters: [] });
    const used = [segment, '/api/admin/context/plan', '/api/admin/strategies/own'];
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }];
    const { body } = await create(
      milestone('Few', rollout('10', { segments: [Number(segment.split('/').at(-1))], constraints })),
      milestone('All', { name: 'own' }),
    );
    for (const thing of used) {
      const { status, body: error } = await service.call('DELETE', thing);
      expect({ status, message: error.message }, thing).toEqual({
        status: 409,
        message: expect.stringContaining(`the release template "${body.name}"`),
      });
    }
    const inProject = { name: 'moved', project: await world.project(), constraints: [] };
    expect((await service.put(segment, inProject)).status).toBe(409);
    expect((await service.get(`${segment}/strategies`)).body.strategies).toEqual([]);
    await service.call('DELETE', `${path}/${body.id}`);
    for (const thing of used) expect((await service.call('DELETE', thing)).status, thing).toBeLessThan(300);
  });

  test('of a project are listed there, beside those of the whole service if these are asked for', async () => {
    const [own, other] = [await world.project(), await world.project()];
    const { body: ofAll } = await create();
    const { body: ofOwn } = await service.post(path, { name: 'own', project: own });
    const inProject = (project: string, query = '') => `/api/admin/projects/${project}/release-templates${query}`;
    expect(await names()).not.toContain(ofOwn.name);
    expect(await names(inProject(own))).toEqual(['own']);
    expect(await names(inProject(other))).toEqual([]);
    expect(await names(inProject(own, '?include=root'))).toEqual(expect.arrayContaining([ofAll.name, 'own']));
    await service.post(`${path}/archive/${ofOwn.id}`);
    expect(await names(inProject(own, '?archived=true'))).toEqual(['own']);
    expect(await names(inProject(own))).toEqual([]);
    expect((await service.get(inProject('nowhere'))).status).toBe(404);
    expect((await service.post(path, { name: 'lost', project: 'nowhere' })).status).toBe(404);
  });

  test('of a project go with it, together with the segments that they use', async () => {
    const project = await world.project();
    const { id } = await world.segment({ project });
    const { body } = await service.post(path, {
      ...{ name: 'own', project, milestones: [milestone('All', rollout('100', { segments: [id] }))] },
    });
    expect((await service.call('DELETE', `/api/admin/projects/${project}`)).status).toBe(200);
    expect((await read(body.id)).status).toBe(404);
    expect((await service.get(`/api/admin/segments/${id}`)).status).toBe(404);
    expect((await service.post(path, { name: 'own' })).status).toBe(201);
  });

  test('are changed in a project by its owners, who can move none into or out of it', async () => {
    const [own, other] = [await world.project(), await world.project()];
    const role = await world.role({ permissions: [{ name: 'UPDATE_PROJECT' }] });
    const token = await world.tokenOfRole(3, [{ project: own, roles: [role] }]);
    const [ofOwn, ofOther, ofAll] = await Promise.all(
      [own, other, null].map(async (project) => {
        const { body } = await service.post(path, { name: world.name('template'), project });
        return body.id as string;
      }),
    );
    const call = (method: string, target: string, body?: object) =>
      service.call(method, `${path}${target}`, { token, ...(body && { body }) });
    const inProject = (project: string | null) => ({ name: world.name('template'), project });
    expect((await call('PUT', `/${ofOwn}`, { name: 'renamed' })).status).toBe(200);
    expect((await call('POST', '', inProject(own))).status).toBe(201);
    for (const project of [other, null]) {
      expect((await call('PUT', `/${ofOwn}`, inProject(project))).status).toBe(403);
      expect((await call('POST', '', inProject(project))).status).toBe(403);
    }
    for (const id of [ofOther, ofAll, 'unknown']) {
      expect((await call('PUT', `/${id}`, inProject(own))).status).toBe(403);
      expect((await call('POST', `/archive/${id}`)).status).toBe(403);
      expect((await call('DELETE', `/${id}`)).status).toBe(403);
    }
    expect((await call('DELETE', `/${ofOwn}`)).status).toBe(204);
  });

  test('are at most as many as the limits say, of at most 20 milestones with 30 strategies each', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => milestone(`${index}`));
    const { status, body } = await create(...many(21));
    expect([status, body.details[0].path]).toEqual([400, 'milestones']);
    const strategies = Array.from({ length: 31 }, () => ({ name: 'default' }));
    expect((await create(milestone('All', ...strategies))).body.details[0].path).toBe('milestones.0.strategies');
    expect((await create(...many(20))).status).toBe(201);
    const { releaseTemplates: limit } = (await service.get('/api/admin/ui-config')).body.resourceLimits;
    const left = limit - (await service.get(path)).body.length;
    for (let index = 0; index < left; index += 1) expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(400);
    const count = async () => (await service.get('/api/admin/instance-admin/statistics')).body.releaseTemplates;
    expect(await count()).toBe(limit);
    // As on Unleash, statistics leave out archived ones.
    await service.post(`${path}/archive/progressive-rollout`);
    expect(await count()).toBe(limit - 1);
  });
});
