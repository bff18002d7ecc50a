import { describe, expect } from 'vitest';
import { childrenMax } from '../../../lib/features/dependencies/parent-rules.ts';
import { buildSwitchOn, changeRequestCalls, createReviewTeam } from '../../harness/change-requests.ts';
import { protect } from '../../harness/protection.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

/** Creates the people of a project, who request, approve and apply changes. */
async function createTeam(world: World) {
  const { ask, ...people } = await createReviewTeam(world);
  return {
    ...{ ...people, ask: (body: unknown) => ask(people.author, body) },
    features: (count: number) =>
      world.featureNames(count, { project: people.projectId, environment: people.environment }),
  };
}

const pathsOf = ({ body }: { body: { details: { path: string }[] } }) => body.details.map(({ path }) => path);

describe('Changes of one request', () => {
  test('of one feature are applied one after the other', async ({ service, world }) => {
    const { environment, project, approved, apply, features } = await createTeam(world);
    const [feature] = await features(1);
    const place = `${project}/features/${feature}/environments/${environment}`;
    const { id } = (await service.post(`${place}/strategies`, { name: 'default' })).body;
    const request = await approved([
      { feature, action: 'updateStrategy', payload: { id, name: 'default', title: 'first' } },
      { feature, action: 'addStrategy', payload: { name: 'default', title: 'added' } },
      { feature, action: 'updateStrategy', payload: { id, name: 'default', title: 'second' } },
      buildSwitchOn(feature),
      { feature, action: 'deleteStrategy', payload: { id } },
    ]);
    expect(await apply(request)).toMatchObject({ status: 200 });
    expect((await service.get(place)).body).toMatchObject({ enabled: true, strategies: [{ title: 'added' }] });
  });

  test('of several features can have the same parent and use the same segment', async ({ world }) => {
    const { projectId, approved, apply, features } = await createTeam(world);
    const [one, other, parent] = await features(3);
    const { id } = await world.segment({ project: projectId });
    const request = await approved(
      [one, other].flatMap((feature) => [
        { feature, action: 'addDependency', payload: { feature: parent } },
        { feature, action: 'addStrategy', payload: { name: 'default', segments: [id] } },
      ]),
    );
    expect(await apply(request)).toMatchObject({ status: 200 });
  });

  test('do not make a feature depend on one that they archive, or that gets a parent itself', async ({ world }) => {
    const { ask, features } = await createTeam(world);
    const [child, parent, another] = await features(3);
    const depends = { feature: child, action: 'addDependency', payload: { feature: parent } };
    const archived = await ask([depends, { feature: parent, action: 'archiveFeature' }]);
    expect(archived).toMatchObject({ status: 400, body: { details: [{ path: '0.payload.feature' }] } });
    const chained = await ask([{ feature: parent, action: 'addDependency', payload: { feature: another } }, depends]);
    expect(chained).toMatchObject({ status: 400, body: { details: [{ path: '1.payload.feature' }] } });
  });

  test('do not give a parent too many children', async ({ world }) => {
    const { projectId, ask, features } = await createTeam(world);
    const [one, other, parent = ''] = await features(3);
    await world.features(childrenMax - 1, { project: projectId, parents: [parent] });
    const depends = (feature?: string) => ({ feature, action: 'addDependency', payload: { feature: parent } });
    expect(await ask([depends(one), depends(other)])).toMatchObject({
      status: 400,
      body: { details: [{ path: '0.payload.feature' }, { path: '1.payload.feature' }] },
    });
    expect((await ask([depends(one)])).status).toBe(200);
  });

  test('archive a parent and its children in any order, but no parent of other features', async ({
    service,
    world,
  }) => {
    const { project, name: other, ask, approved, apply, features } = await createTeam(world);
    const names = await features(42);
    const [parent, ...children] = names;
    for (const child of children) {
      await world.ask('POST', `${project}/features/${child}/dependencies`, { feature: parent });
    }
    const archived = (feature: string | undefined) => ({ feature, action: 'archiveFeature' });
    const some = [parent, ...children.slice(1)].map(archived);
    expect(await ask(some)).toMatchObject({ status: 409, body: { name: 'InUseError', details: [{ path: '0' }] } });
    const free = { feature: children[0], action: 'deleteDependency' };
    const asked = await approved([...some, free]);
    expect(await apply(asked)).toMatchObject({ status: 200 });
    const { body } = await service.get(`${project}/features`);
    expect(body.features.map(({ name }: { name: string }) => name)).toEqual([other, children[0]]);
  });

  test('that depend on each other are applied as requested', async ({ service, world }) => {
    const { projectId, environment, project, approved, apply, features } = await createTeam(world);
    const [feature, parent] = await features(2);
    const place = `${project}/features/${feature}/environments/${environment}`;
    const [one, two] = await Promise.all(
      ['one', 'two'].map(
        async (title) => (await service.post(`${place}/strategies`, { name: 'default', title })).body.id,
      ),
    );
    const { id, name } = await world.segment({ project: projectId });
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const request = await approved([
      { action: 'updateSegment', payload: { id, name, project: projectId, constraints } },
      { feature, action: 'updateStrategy', payload: { id: one, name: 'default', segments: [id] } },
      { feature, action: 'deleteStrategy', payload: { id: two } },
      { feature, action: 'reorderStrategy', payload: [{ id: one, sortOrder: 5 }] },
      { feature, action: 'addDependency', payload: { feature: parent } },
    ]);
    expect(await apply(request)).toMatchObject({ status: 200 });
    expect((await service.get(place)).body.strategies).toMatchObject([{ id: one, sortOrder: 5, segments: [id] }]);
    const asked = await approved([
      { feature, action: 'deleteDependency' },
      { feature: parent, action: 'archiveFeature' },
      { feature, action: 'archiveFeature' },
    ]);
    expect(await apply(asked)).toMatchObject({ status: 200 });
  });

  test('neither delete a segment that they use, nor give it to another project', async ({ world }) => {
    const { projectId, ask, features } = await createTeam(world);
    const [feature] = await features(1);
    const { id, name } = await world.segment({ project: projectId });
    const uses = { feature, action: 'addStrategy', payload: { name: 'default', segments: [id] } };
    const elsewhere = { id, name, constraints: [], project: await world.project() };
    for (const change of [
      { action: 'deleteSegment', payload: { id } },
      { action: 'updateSegment', payload: elsewhere },
    ]) {
      const answer = await ask([uses, change]);
      expect(answer).toMatchObject({ status: 409, body: { name: 'InUseError', details: [{ path: '1' }] } });
    }
  });

  test('cannot give two segments the same name', async ({ world }) => {
    const { projectId, ask } = await createTeam(world);
    const [one, other] = [await world.segment({ project: projectId }), await world.segment({ project: projectId })];
    const renamed = (id: number, name: string) => ({
      action: 'updateSegment',
      payload: { id, name, project: projectId, constraints: [] },
    });
    const both = await ask([renamed(one.id, 'same'), renamed(other.id, 'same')]);
    expect([both.status, pathsOf(both)]).toEqual([400, ['0', '1']]);
    const swapped = await ask([renamed(one.id, other.name), renamed(other.id, one.name)]);
    expect([swapped.status, pathsOf(swapped)]).toEqual([400, ['0', '1']]);
  });

  test('are refused with the path of every problem', async ({ world }) => {
    const { ask, features } = await createTeam(world);
    const [feature] = await features(1);
    const gone = { feature, action: 'deleteStrategy', payload: { id: 'gone' } };
    const on = buildSwitchOn(feature);
    const strategyWith = (segments: readonly number[]) => ({
      feature,
      action: 'addStrategy',
      payload: { name: 'default', segments },
    });
    expect(await ask([on, gone])).toMatchObject({ status: 404, body: { details: [{ path: '1' }] } });
    expect(await ask([strategyWith([777]), on, gone])).toMatchObject({
      status: 400,
      body: { details: [{ path: '0.payload.segments.0' }, { path: '2' }] },
    });
    expect(await ask(strategyWith([777]))).toMatchObject({
      status: 404,
      body: { details: [{ path: 'payload.segments.0' }] },
    });
    const unknown = { ...on, action: 'explode' };
    expect(await ask([{ ...on, payload: { enabled: 'yes' } }, unknown])).toMatchObject({
      status: 400,
      body: { details: [{ path: '0.payload.enabled' }, { path: '1.action' }] },
    });
  });

  test('are not applied to any feature if one was moved, archived or deleted', async ({ service, world }) => {
    const { environment, project, approved, apply, features } = await createTeam(world);
    const names = await features(4);
    const id = await approved(names.map((feature) => buildSwitchOn(feature)));
    const [kept, moved, archived, deleted] = names;
    await world.ask('POST', `${project}/features/${moved}/changeProject`, { newProjectId: await world.project() });
    for (const name of [archived, deleted]) await world.ask('DELETE', `${project}/features/${name}`);
    await world.ask('DELETE', `/api/admin/archive/${deleted}`);
    const refused = await apply(id);
    expect([refused.status, pathsOf(refused)]).toEqual([409, ['changes.2', 'changes.3', 'changes.4']]);
    expect((await service.get(`${project}/features/${kept}/environments/${environment}`)).body.enabled).toBe(false);
    await world.ask('DELETE', `${project}/environments/${environment}`);
    const homeless = await apply(id);
    expect([homeless.status, pathsOf(homeless).length]).toEqual([409, 4]);
  });
});

test('A change that affects other environments needs their approvals, too', async ({ service, world }) => {
  const projectId = await world.project({ environments: ['development', 'production'] });
  await protect(service.table, { projectId, environment: 'development' });
  await changeRequestCalls(world, { projectId, environment: 'production' }).configure({ requiredApprovals: 2 });
  const roleIn = (...environments: string[]) =>
    world.role({
      permissions: environments.flatMap((environment) =>
        ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((name) => ({ name, environment })),
      ),
    });
  const [narrow, wide] = [await roleIn('development'), await roleIn('development', 'production')];
  const [author, stranger, one, other] = (await Promise.all(
    [5, narrow, wide, wide].map((role) => world.tokenOfRole(3, [{ project: projectId, roles: [role] }])),
  )) as [string, string, string, string];
  const { name: feature } = await world.feature({ project: projectId, on: true });
  const { project, ask, ...calls } = changeRequestCalls(world, { projectId, environment: 'development' });
  const asked = await ask(author, { feature, action: 'archiveFeature' });
  expect(asked).toMatchObject({ status: 200, body: { minApprovals: 2 } });
  const bring = (token: string, state: string) => calls.bring(token, asked.body.id, state);
  await bring(author, 'In review');
  for (const [token, total] of [
    [author, 0],
    [stranger, 0],
    [one, 1],
  ] as const) {
    const { body } = await service.get(`${project}/change-requests/actionable`, { token });
    expect(body).toEqual({ total });
  }
  expect(await bring(stranger, 'Approved')).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('"production"') },
  });
  expect(await bring(one, 'Approved')).toMatchObject({ body: { state: 'In review' } });
  expect(await bring(other, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
  expect(await bring(stranger, 'Applied')).toMatchObject({ status: 403 });
  expect(await bring(one, 'Applied')).toMatchObject({ body: { state: 'Applied' } });
});
