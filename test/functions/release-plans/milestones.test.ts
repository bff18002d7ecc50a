import { describe, expect } from 'vitest';
import type { World } from '../../harness/world.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

const path = '/api/admin/release-plan-templates';
const changed = openTo('Owner', 'RELEASE_PLAN_TEMPLATE_UPDATE', 'UPDATE_PROJECT');
const versionAt = 'GET /api/admin/release-plan-templates/{templateId}';

/** Creates a template with a timed milestone of one strategy and a last one; returns the variables of the path of the strategy. */
async function made(world: World) {
  const project = world.home.projectId;
  const few = {
    ...{ name: 'Few', transitionCondition: { intervalMinutes: 60 } },
    strategies: [await wholeStrategy(world)],
  };
  const { body } = await world.ask('POST', path, {
    ...{ name: world.name('template'), project, milestones: [few, { name: 'All' }] },
  });
  const [milestone] = body.milestones;
  const params = { templateId: body.id, milestoneId: milestone.id, strategyId: milestone.strategies[0].id };
  return { params: params as Record<'templateId' | 'milestoneId' | 'strategyId', string>, project };
}

const wholeMilestone = async (world: World) => ({
  ...{ id: 'some', name: 'Half', sortOrder: 0 },
  strategies: [{ ...(await wholeStrategy(world)), id: 'one', strategyName: 'flexibleRollout' }],
});

const strategies = strategyPlaces('strategies.0');
const milestonePlaces = {
  required: ['name', ...strategies.required.filter((place) => !/strategies\.0\.name$/.test(place))],
  nullable: strategies.nullable,
};
const strategy = strategyPlaces();
const strategyBody = {
  required: strategy.required.filter((place) => place !== 'name'),
  nullable: strategy.nullable,
  // Or `strategyName`.
  needed: ['name'],
};

specify('addMilestoneToReleaseTemplate', {
  route: 'POST /api/admin/release-plan-templates/{templateId}/milestones',
  ...changed,
  request: async (world) => {
    const { params, project } = await made(world);
    return { params: { templateId: params.templateId }, project, body: await wholeMilestone(world) };
  },
  required: milestonePlaces.required,
  nullable: milestonePlaces.nullable,
  again: 400,
  versionAt,
});

specify('updateReleaseTemplateMilestone', {
  route: 'PUT /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}',
  ...changed,
  request: async (world) => {
    const { params, project } = await made(world);
    const { strategyId: _strategyId, ...place } = params;
    const body = { ...(await wholeMilestone(world)), transitionCondition: { intervalMinutes: 90 } };
    return { params: place, project, body };
  },
  required: [...milestonePlaces.required, 'transitionCondition.intervalMinutes'],
  nullable: [...milestonePlaces.nullable, 'transitionCondition'],
  again: 'once more',
  versionAt,
});

specify('removeReleaseTemplateMilestone', {
  route: 'DELETE /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}',
  ...changed,
  request: async (world) => {
    const { params, project } = await made(world);
    const { strategyId: _strategyId, ...place } = params;
    return { params: place, project };
  },
  again: 404,
  versionAt,
});

specify('addStrategyToMilestone', {
  route: 'POST /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}/strategies',
  ...changed,
  request: async (world) => {
    const { params, project } = await made(world);
    const { strategyId: _strategyId, ...place } = params;
    return { params: place, project, body: { ...(await wholeStrategy(world)), id: 'one', strategyName: 'default' } };
  },
  ...strategyBody,
  again: 'once more',
  versionAt,
});

specify('updateMilestoneStrategy', {
  route: 'PUT /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}/strategies/{strategyId}',
  ...changed,
  request: async (world) => {
    const body = { ...(await wholeStrategy(world)), id: 'one', strategyName: 'default', title: 'Other' };
    return { ...(await made(world)), body };
  },
  ...strategyBody,
  again: 'nothing',
  versionAt,
});

specify('remoteMilestoneStrategy', {
  route: 'DELETE /api/admin/release-plan-templates/{templateId}/milestones/{milestoneId}/strategies/{strategyId}',
  ...changed,
  request: (world) => made(world),
  again: 404,
  versionAt,
});

type Part = { readonly id: string; readonly name: string };

describe('Milestones of a template', () => {
  const { service, world } = worldForEach();
  const rollout = (percent: string) => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
  const create = async (...milestones: object[]) =>
    (await service.post(path, { name: world.name('template'), milestones })).body;
  const timed = (name: string, strategies: object[] = []) => ({
    ...{ name, strategies, transitionCondition: { intervalMinutes: 60 } },
  });
  const call = (method: string, target: string, body?: object) =>
    service.call(method, `${path}/${target}`, body === undefined ? {} : { body });
  const read = async (id: string) => (await call('GET', id)).body;
  const names = async (id: string) => (await read(id)).milestones.map(({ name }: Part) => name);
  const details = async (reply: ReturnType<typeof call>) => {
    const { status, body } = await reply;
    return [status, ...(body.details ?? []).map((detail: { path?: string }) => detail.path)];
  };

  test('are added at their position or as the last one, as parts of their own', async () => {
    const { id, milestones } = await create(timed('Few', [rollout('10')]), { name: 'All' });
    const [few] = milestones;
    const { body } = await call('POST', `${id}/milestones`, { ...few, name: 'Half', transitionCondition: null });
    expect(body).toMatchObject({ name: 'Half', sortOrder: 0, releasePlanDefinitionId: id });
    expect([body.id, body.strategies[0].id]).not.toContain(few.id);
    expect(body.strategies[0].id).not.toBe(few.strategies[0].id);
    await call('POST', `${id}/milestones`, { name: 'Later' });
    expect(await names(id)).toEqual(['Few', 'Half', 'All', 'Later']);
    expect((await read(id)).milestones[0]).toEqual(few);
  });

  test('move, and keep the ids of their own strategies only', async () => {
    const { id, milestones } = await create(
      ...[timed('Few', [rollout('10')]), { name: 'All', strategies: [rollout('100')] }, { name: 'Later' }],
    );
    const [few, all] = milestones;
    const { body } = await call('PUT', `${id}/milestones/${all.id}`, {
      ...{ ...all, name: 'Everybody', sortOrder: -1, transitionCondition: { intervalMinutes: 5 } },
      strategies: [...all.strategies, ...few.strategies],
    });
    expect(body).toMatchObject({ id: all.id, name: 'Everybody', transitionCondition: { intervalMinutes: 5 } });
    const ids = body.strategies.map((strategy: Part) => strategy.id);
    expect(ids[0]).toBe(all.strategies[0].id);
    expect(ids[1]).not.toBe(few.strategies[0].id);
    expect(body.strategies).toHaveLength(2);
    expect(await names(id)).toEqual(['Everybody', 'Few', 'Later']);
  });

  test('have names of their own, and no transition at the end', async () => {
    const { id, milestones } = await create(timed('Few'), { name: 'All' });
    const [few, all] = milestones;
    expect(await details(call('POST', `${id}/milestones`, { name: 'Few', sortOrder: -1 }))).toEqual([400, 'name']);
    expect(await details(call('POST', `${id}/milestones`, timed('More')))).toEqual([400, 'transitionCondition']);
    const put = (part: Part, body: object) => call('PUT', `${id}/milestones/${part.id}`, { name: part.name, ...body });
    expect(await details(put(few, { name: 'All' }))).toEqual([400, 'name']);
    expect(await details(put(all, timed('All')))).toEqual([400, 'transitionCondition']);
    expect(await details(put(all, { sortOrder: -1 }))).toEqual([400, 'sortOrder']);
    expect(await read(id)).toMatchObject({ milestones });
  });

  test('lose their transition if the last one is removed behind them', async () => {
    const { id, milestones } = await create(timed('Few'), timed('Half'), { name: 'All' });
    await call('DELETE', `${id}/milestones/${milestones[2].id}`);
    const left = (await read(id)).milestones;
    expect(left.map(({ transitionCondition }: { transitionCondition?: object }) => transitionCondition)).toEqual([
      { intervalMinutes: 60 },
      undefined,
    ]);
  });

  test('get, change and lose single strategies', async () => {
    const { id, milestones } = await create({ name: 'All', strategies: [rollout('10')] });
    const strategies = `${id}/milestones/${milestones[0].id}/strategies`;
    const { body } = await call('POST', strategies, {
      ...milestones[0].strategies[0],
      strategyName: 'x',
      sortOrder: 0,
    });
    const [old, added] = body.strategies;
    expect([old.id, added.id !== old.id]).toEqual([milestones[0].strategies[0].id, true]);
    const { body: updated } = await call('PUT', `${strategies}/${old.id}`, { ...rollout('20'), title: 'More' });
    expect(updated).toEqual({ ...old, title: 'More', parameters: { ...old.parameters, rollout: '20' } });
    expect((await call('DELETE', `${strategies}/${added.id}`)).status).toBe(204);
    expect((await read(id)).milestones[0].strategies).toEqual([updated]);
  });

  test('are refused with paths in the part that is sent', async () => {
    await service.post('/api/admin/context', { name: 'plan', legalValues: [{ value: 'gold' }] });
    const { id: foreign } = await world.segment({ project: await world.project() });
    const { id, milestones } = await create({ name: 'Few' }, { name: 'All', strategies: [rollout('100')] });
    const [, all] = milestones;
    const unusable = {
      ...{ name: 'unknown', segments: [foreign, 999] },
      constraints: [{ contextName: 'plan', operator: 'IN', values: ['tin'] }],
    };
    const wrong = ['segments.1', 'name', 'segments', 'constraints.0'];
    const inMilestone = wrong.map((place) => `strategies.1.${place}`);
    const body = { name: 'More', strategies: [rollout('1'), unusable] };
    const one = `${id}/milestones/${all.id}`;
    expect(await details(call('POST', `${id}/milestones`, body))).toEqual([400, ...inMilestone]);
    expect(await details(call('PUT', one, body))).toEqual([400, ...inMilestone]);
    expect(await details(call('POST', `${one}/strategies`, unusable))).toEqual([400, ...wrong]);
    expect(await details(call('PUT', `${one}/strategies/${all.strategies[0].id}`, unusable))).toEqual([400, ...wrong]);
  });

  test('are as many, and have as many strategies, as a whole template may have', async () => {
    const many = (count: number, make: (index: number) => object) =>
      Array.from({ length: count }, (_, index) => make(index));
    const strategies = many(30, () => ({ name: 'default' }));
    const { id, milestones } = await create(
      ...many(20, (index) => ({ name: `${index}`, strategies: index === 0 ? strategies : [] })),
    );
    expect((await call('POST', `${id}/milestones`, { name: 'More' })).body.details[0].message).toContain(
      '20 milestones',
    );
    const added = await call('POST', `${id}/milestones/${milestones[0].id}/strategies`, { name: 'default' });
    expect(added.body.details[0].message).toContain('30 strategies');
  });
});
