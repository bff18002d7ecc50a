import { describe, expect } from 'vitest';
import { createReviewTeam } from '../../harness/change-requests.ts';
import { readDelivered } from '../../harness/delivered.ts';
import { paths } from '../../harness/features.ts';
import { makePlanned } from '../../harness/release-plans.ts';
import type { Reply } from '../../harness/service.ts';
import type { MadeFeature, World } from '../../harness/world.ts';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

specify('getFeatureThen', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/then',
  may: 'any token',
  request: async (world) => {
    const { place } = await world.feature();
    return { params: place, query: { at: new Date().toISOString() } };
  },
  ofArchived: true,
  waits: 3,
});

specify('compareFeature', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/difference',
  may: 'any token',
  request: async (world) => {
    const { strategyId: _strategyId, ...place } = await world.strategyPlace();
    return { params: place, query: { from: '2000-01-01T12:00:00Z', to: new Date().toISOString() } };
  },
  ofArchived: true,
  waits: 3,
});

/** Prepares a request that takes a feature back to the moment right after its creation. */
async function backToCreation(world: World) {
  const { name, place } = await world.feature();
  const { body } = await world.service.call('GET', `/api/admin/events/${name}?limit=1`);
  await world.strategy({ name, place } as MadeFeature);
  const { environment, ...params } = place;
  return { params, environment, to: `after:${body.events[0].id}` };
}

specify('compareProject', {
  route: 'GET /api/admin/projects/{projectId}/difference',
  may: 'any token',
  request: async (world) => {
    const { projectId } = await world.projectWithFeature();
    return {
      params: { projectId },
      query: { from: new Date(0).toISOString(), to: new Date().toISOString(), limit: 1, after: 'a' },
    };
  },
  waits: 4,
});

specify('getProjectThen', {
  route: 'GET /api/admin/projects/{projectId}/then',
  may: 'any token',
  request: async (world) => {
    const { projectId } = await world.projectWithFeature();
    return { params: { projectId }, query: { at: new Date().toISOString(), limit: 1, after: 'a' } };
  },
  waits: 4,
});

specify('previewFeatureRevert', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/revert',
  may: 'any token',
  request: async (world) => {
    const { params, environment, to } = await backToCreation(world);
    return { params, query: { to, environment } };
  },
  waits: 4,
});

specify('revertFeature', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/revert',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const { params, environment, to } = await backToCreation(world);
    return { params, body: { to, environments: [environment] } };
  },
  required: ['to'],
  versionAt: 'GET /api/admin/projects/{projectId}/features/{featureName}',
  waits: 5,
});

/** Returns the present time, once it has passed, so that nothing else happens in its millisecond. */
async function nextMillisecond(): Promise<string> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
  return new Date(now).toISOString();
}

describe('A feature at a moment', () => {
  const { service, world } = sharedWorld();
  const environment = 'development';

  /** Keeps the delivered feature after each step, and compares it with the one that is rebuilt for that moment. */
  function follow({ name, place }: Pick<MadeFeature, 'name' | 'place'>) {
    const steps: {
      readonly step: string;
      readonly moments: readonly string[];
      readonly expected: readonly unknown[];
    }[] = [];
    const path = paths.feature(name, place.projectId);
    const record = async (step: string) => {
      const { features, segments } = await readDelivered(service.table, environment);
      const { body } = await service.get(`/api/admin/events/${name}?limit=1`);
      const [last] = body.events;
      const feature = features.get(name) ?? null;
      const used = new Set(feature?.strategies.flatMap(({ segments: ids = [] }) => ids));
      const expected = [step, feature, [...segments.values()].filter(({ id }) => used.has(id)), true];
      // A segment that changes later shares the event with the step before.
      steps.push({ step, moments: [await nextMillisecond(), `after:${last.id}`], expected });
    };
    const ask = async (step: string, method: string, target: string, body?: unknown) => {
      const reply = await service.call(method, target, { body });
      expect([step, reply.status < 300, reply.body?.message]).toEqual([step, true, undefined]);
      await record(step);
      return reply.body;
    };
    const compare = async (only: 'times' | 'events') => {
      for (const { step, moments, expected } of steps) {
        const { state, exact } = (await service.get(`${path}/then?at=${moments[only === 'times' ? 0 : 1]}`)).body;
        const own = state?.environments.find((each: { name: string }) => each.name === environment);
        const delivered = own?.delivered ?? null;
        expect([step, delivered, delivered === null ? [] : state.segments, exact]).toEqual(expected);
      }
    };
    const revertToAll = async () => {
      for (const { step, moments, expected } of steps.toReversed()) {
        const { body: plan } = await service.get(`${path}/revert?to=${moments[1]}`);
        const reply = await service.post(`${path}/revert`, { to: moments[1] });
        expect([step, reply.status, reply.body?.message, plan.obstacles]).toEqual([step, 200, undefined, []]);
        const { features } = await readDelivered(service.table, environment);
        expect([step, features.get(name) ?? null]).toEqual(expected.slice(0, 2));
      }
    };
    return { path, ask, record, compare, revertToAll };
  }

  test('is what SDKs got then, after each kind of change', async () => {
    const feature = await world.feature();
    const [one, other] = [await world.segment(), await world.segment()];
    const [parent, second] = await world.featureNames(2);
    const { path, ask, compare, record } = follow(feature);
    await record('created');
    const strategies = `${path}/environments/${environment}/strategies`;
    const add = (step: string, body: object) => ask(step, 'POST', strategies, { name: 'default', ...body });
    const first = await add('a strategy', { segments: [one.id], sortOrder: 1 });
    const tied = await add('another at the same position', { sortOrder: 1, parameters: { tied: 'yes' } });
    await add('a third at the same position', { sortOrder: 1, parameters: { third: 'yes' } });
    await ask('on', 'POST', `${path}/environments/${environment}/on`);
    await ask('moved up', 'PATCH', `${strategies}/${tied.id}`, [{ op: 'replace', path: '/sortOrder', value: 0 }]);
    await ask('moved back', 'PATCH', `${strategies}/${tied.id}`, [{ op: 'replace', path: '/sortOrder', value: 1 }]);
    await ask('removed', 'DELETE', `${strategies}/${tied.id}`);
    await ask('reordered', 'POST', `${strategies}/set-sort-order`, [{ id: first.id, sortOrder: 9 }]);
    await ask('updated', 'PUT', `${strategies}/${first.id}`, { name: 'default', segments: [one.id, other.id] });
    await ask('disabled', 'PATCH', `${strategies}/${first.id}`, [{ op: 'replace', path: '/disabled', value: true }]);
    await ask('variants', 'PUT', `${path}/environments/${environment}/variants`, [
      { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' },
    ]);
    await ask('a parent', 'POST', `${path}/dependencies`, { feature: parent });
    await ask('with a variant', 'POST', `${path}/dependencies`, { feature: parent, variants: ['blue'] });
    await ask('another parent', 'POST', `${path}/dependencies`, { feature: second, enabled: false });
    await ask('none', 'DELETE', `${path}/dependencies/${second}`);
    await ask('a parent again', 'POST', `${path}/dependencies`, { feature: parent });
    await ask('fields', 'PUT', path, { description: 'New', type: 'experiment', impressionData: true, stale: true });
    await ask('off', 'POST', `${path}/environments/${environment}/off`);
    await ask('archived', 'DELETE', path);
    await ask('revived', 'POST', `/api/admin/archive/revive/${feature.name}`);
    await ask('on again', 'POST', `${path}/environments/${environment}/on`);
    await ask('archived again', 'DELETE', path);
    await ask('deleted', 'DELETE', `/api/admin/archive/${feature.name}`);
    await compare('events');
    await compare('times');
  });

  test('comes back by a revert, from each moment to each other', async () => {
    const { templateId, ...feature } = await makePlanned(world);
    const [one, parent] = [await world.segment(), (await world.feature()).name];
    const { path, ask, record, compare, revertToAll } = follow(feature);
    const { environment: planned } = feature.place;
    expect(planned).toBe(environment);
    const strategies = `${path}/environments/${environment}/strategies`;
    await record('created, with a plan');
    const [few, all] = feature.plan.milestones.map(({ id }) => id);
    await ask('a milestone', 'POST', `${feature.path}/${feature.plan.id}/milestones/${all}/start`);
    await ask('a milestone back', 'POST', `${feature.path}/${feature.plan.id}/milestones/${few}/start`);
    const add = (step: string, body: object) => ask(step, 'POST', strategies, { name: 'default', ...body });
    const first = await add('a strategy', { segments: [one.id], sortOrder: 3 });
    const second = await add('another', { sortOrder: 3, parameters: { second: 'yes' } });
    await ask('reordered', 'POST', `${strategies}/set-sort-order`, [{ id: second.id, sortOrder: 1 }]);
    await ask('no plan', 'DELETE', `${feature.path}/${feature.plan.id}`);
    await ask('only disabled', 'PATCH', `${strategies}/${second.id}`, [
      { op: 'replace', path: '/disabled', value: true },
    ]);
    await ask('none enabled', 'DELETE', `${strategies}/${first.id}`);
    await ask('variants', 'PUT', `${path}/environments/${environment}/variants`, [
      { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' },
    ]);
    await ask('a parent', 'POST', `${path}/dependencies`, { feature: parent, variants: ['blue'] });
    await ask('fields', 'PUT', path, { description: 'New', type: 'experiment', impressionData: true, stale: true });
    await ask('a plan again', 'POST', feature.path, { templateId });
    await ask('on', 'POST', `${path}/environments/${environment}/on`);
    await compare('events');
    await revertToAll();
    await revertToAll();
    await compare('events');
  });
});

describe('A revert', () => {
  const { service, world } = sharedWorld();

  test('needs approval in a protected environment, where its changes can be requested', async () => {
    const { place, projectId, environment, name, author, approved, apply } = await createReviewTeam(world);
    const path = paths.feature(name, projectId);
    await world.ask('POST', `${place}/strategies`, { name: 'default', parameters: { before: 'yes' } });
    await world.ask('POST', `${place}/on`);
    const [before, lastId] = [await readDelivered(service.table, environment), await lastEventId(name)];
    await world.ask('POST', `${place}/strategies`, { name: 'default', parameters: { after: 'yes' } });
    await world.ask('POST', `${place}/off`);

    const target = { to: `after:${lastId}` };
    expect(await service.post(`${path}/revert`, target, { token: author })).toMatchObject({ status: 403 });
    const { body } = await service.get(`${path}/revert?to=${target.to}`, { token: author });
    expect(body).toMatchObject({ obstacles: [], environments: [{ name: environment, needsApproval: true }] });
    await apply(await approved(body.environments[0].changes.map(withoutOldValue)));
    expect((await readDelivered(service.table, environment)).features.get(name)).toEqual(before.features.get(name));
  });

  test('is refused with the names of everything that no longer exists', async () => {
    const { name, place } = await world.feature();
    const path = paths.feature(name, place.projectId);
    const [segment, parent] = [await world.segment(), (await world.feature()).name];
    const strategies = `${path}/environments/${place.environment}/strategies`;
    const { body: strategy } = await world.ask('POST', strategies, { name: 'default', segments: [segment.id] });
    await world.ask('POST', `${path}/dependencies`, { feature: parent });
    const lastId = await lastEventId(name);
    await world.ask('DELETE', `${strategies}/${strategy.id}`);
    await world.ask('DELETE', `${path}/dependencies`);
    await world.ask('DELETE', `/api/admin/segments/${segment.id}`);
    await world.ask('DELETE', paths.feature(parent, place.projectId));
    await world.ask('DELETE', `/api/admin/archive/${parent}`);

    const reply = await service.post(`${path}/revert`, { to: `after:${lastId}` });
    expect(reply).toMatchObject({ status: 409, body: { name: 'ConflictError' } });
    const messages = reply.body.details.map(({ message }: { message: string }) => message);
    expect(messages).toEqual([expect.stringContaining(parent), expect.stringContaining(`"${segment.id}"`)]);
    expect(await lastEventId(name)).toBeGreaterThan(lastId);
  });

  test('of one environment does not archive the feature in the others', async () => {
    const { name, place } = await world.feature();
    const path = paths.feature(name, place.projectId);
    await world.ask('DELETE', path);
    const target = { to: `after:${await lastEventId(name)}` };
    await world.ask('POST', `/api/admin/archive/revive/${name}`);
    const some = { ...target, environments: [place.environment] };
    expect(await service.post(`${path}/revert`, some)).toMatchObject({ status: 409 });
    expect(await service.get(`${path}/revert?to=${target.to}&environment=${place.environment}`)).toMatchObject({
      status: 409,
    });
    expect((await service.post(`${path}/revert`, target)).status).toBe(200);
  });

  test('has an event of its own before those of its changes', async () => {
    const { name, place } = await world.feature();
    const path = paths.feature(name, place.projectId);
    const lastId = await lastEventId(name);
    await world.ask('PUT', path, { description: 'New' });
    await world.ask('POST', `${path}/revert`, { to: `after:${lastId}` });
    const { body } = await service.get(`/api/admin/events/${name}?limit=2`);
    expect(body.events).toMatchObject([
      { type: 'feature-metadata-updated', data: { description: null } },
      { type: 'feature-reverted', data: { lastEvent: lastId } },
    ]);
  });

  const lastEventId = async (name: string): Promise<number> =>
    (await service.get(`/api/admin/events/${name}?limit=1`)).body.events[0].id;
  const withoutOldValue = ({ before: _before, ...change }: { readonly before?: unknown }) => change;
});

describe('The past', () => {
  const { service, world } = sharedWorld();

  test('in a project that a caller may not see is hidden', async () => {
    const [projectId, hidden] = [await world.project(), await world.project()];
    const { name } = await world.feature({ project: hidden });
    await world.ask('POST', `${paths.feature(name, hidden)}/changeProject`, { newProjectId: projectId });
    const moved = (await service.get(`/api/admin/events/${name}?limit=1`)).body.events[0].id;
    await world.ask('PUT', `/api/admin/projects/${hidden}/settings`, { mode: 'private', defaultStickiness: 'default' });
    const token = await world.tokenOfRole(3, []);
    const then = (project: string, at: string) =>
      service.get(`${paths.feature(name, project)}/then?at=${at}`, { token });
    expect(await then(projectId, `after:${moved}`)).toMatchObject({
      status: 200,
      body: { state: { project: projectId } },
    });
    const earlier = await then(projectId, `before:${moved}`);
    expect(earlier).toMatchObject({ status: 404 });
    expect(earlier.text).not.toContain(hidden);
    expect(await then(hidden, `before:${moved}`)).toMatchObject({ status: 404 });
  });

  test('of a project names no feature that has moved between two others, not even as the end of a page', async () => {
    const [open, from, to] = [await world.project(), await world.project(), await world.project()];
    const time = await nextMillisecond();
    const { name: visible } = await world.feature({ project: open });
    for (const name of [`a-secret-${visible}`, `z-secret-${visible}`]) {
      await world.ask('POST', `/api/admin/projects/${from}/features`, { name });
      await world.ask('POST', `${paths.feature(name, from)}/changeProject`, { newProjectId: to });
    }
    for (const project of [from, to])
      await world.ask('PUT', `/api/admin/projects/${project}/settings`, {
        mode: 'private',
        defaultStickiness: 'default',
      });
    const token = await world.tokenOfRole(3, []);
    for (const query of [`then?at=${new Date().toISOString()}`, `then?at=${time}`, `difference?from=${time}`])
      for (const limit of [1, 50]) {
        const { status, text } = await service.get(`/api/admin/projects/${open}/${query}&limit=${limit}`, { token });
        expect(status).toBe(200);
        expect(text).not.toContain('secret');
      }
  });

  test('of a project tells nothing of what a feature became in a project that a caller may not see', async () => {
    const [open, hidden] = [await world.project(), await world.project()];
    const { name } = await world.feature({ project: open });
    const time = await nextMillisecond();
    await world.ask('POST', `${paths.feature(name, open)}/changeProject`, { newProjectId: hidden });
    await world.ask('PUT', paths.feature(name, hidden), { description: 'Secret launch' });
    await world.ask('PUT', `/api/admin/projects/${hidden}/settings`, { mode: 'private', defaultStickiness: 'default' });
    const token = await world.tokenOfRole(3, []);
    const difference = await service.get(`/api/admin/projects/${open}/difference?from=${time}`, { token });
    expect(difference.text).not.toContain(hidden);
    expect(difference.text).not.toContain('Secret launch');
    expect(difference.body.features).toMatchObject([{ name, to: { exists: false } }]);

    const later = await nextMillisecond();
    await world.ask('POST', `${paths.feature(name, hidden)}/changeProject`, { newProjectId: open });
    await world.ask('PUT', paths.feature(name, open), { description: 'Public' });
    const back = await service.get(`/api/admin/projects/${open}/difference?from=${later}`, { token });
    expect(back.text).not.toContain(hidden);
    expect(back.text).not.toContain('Secret launch');
    expect(back.body.features).toMatchObject([{ name, from: { exists: false }, to: { exists: true } }]);
  });

  test('does not name a segment that has become one of a project that a caller may not see', async () => {
    const { name, place } = await world.feature();
    const hidden = await world.project();
    const segment = await world.segment();
    const strategies = `${paths.feature(name, place.projectId)}/environments/${place.environment}/strategies`;
    const { body: strategy } = await world.ask('POST', strategies, { name: 'default', segments: [segment.id] });
    const used = (await service.get(`/api/admin/events/${name}?limit=1`)).body.events[0].id;
    await world.ask('DELETE', `${strategies}/${strategy.id}`);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    await world.ask('PUT', `/api/admin/segments/${segment.id}`, {
      name: 'Secret launch',
      project: hidden,
      constraints,
    });
    await world.ask('PUT', `/api/admin/projects/${hidden}/settings`, { mode: 'private', defaultStickiness: 'default' });
    const token = await world.tokenOfRole(3, []);
    const plan = await service.get(`${paths.feature(name, place.projectId)}/revert?to=after:${used}`, { token });
    expect(plan.status).toBe(200);
    expect(plan.text).not.toContain('Secret launch');
  });

  test('does not reach into the future, and a clock that is a few seconds ahead does not either', async () => {
    const { name, place } = await world.feature();
    const feature = paths.feature(name, place.projectId);
    const project = `/api/admin/projects/${place.projectId}`;
    const ask = async (at: string) => {
      const queries = ['then?at=', 'difference?from=', 'difference?from=2026-01-01T00:00:00Z&to='];
      const targets = queries.flatMap((query) => [`${feature}/${query}${at}`, `${project}/${query}${at}`]);
      const replies = [
        ...(await Promise.all([...targets, `${feature}/revert?to=${at}`].map((target) => service.get(target)))),
        await service.post(`${feature}/revert`, { to: at }),
      ];
      return replies.map(({ status, body }) => [status, body?.details?.[0]?.message]);
    };
    const later = await ask(new Date(Date.now() + 60_000).toISOString());
    expect(later).toEqual(Array(8).fill([400, 'This moment is in the future.']));
    const ahead = await ask(new Date(Date.now() + 3000).toISOString());
    expect(ahead).toEqual(Array(8).fill([200, undefined]));
  });

  test('of an event is that of its feature only', async () => {
    const [one, other] = [await world.feature(), await world.feature()];
    const { body } = await service.get(`/api/admin/events/${other.name}?limit=1`);
    for (const side of ['before', 'after'])
      expect(
        await service.get(`${paths.feature(one.name, one.place.projectId)}/then?at=${side}:${body.events[0].id}`),
      ).toMatchObject({ status: 404 });
  });
});

describe('A project at a time', () => {
  const { service, world } = sharedWorld();

  test('has the features that it had then, and differs in those that have changed', async () => {
    const [projectId, other] = [await world.project(), await world.project()];
    const segment = await world.segment();
    const [same, changed, moved, deleted] = await world.features(4, { project: projectId });
    const using = await world.feature({ project: projectId });
    await world.strategy(using, { name: 'default', segments: [segment.id] });
    const arrived = await world.feature({ project: other });
    const at = await nextMillisecond();
    const then = await delivered();
    await world.ask('PUT', paths.feature(changed?.name ?? '', projectId), { description: 'New' });
    await world.ask('POST', `${paths.feature(moved?.name ?? '', projectId)}/changeProject`, { newProjectId: other });
    await world.ask('POST', `${paths.feature(arrived.name, other)}/changeProject`, { newProjectId: projectId });
    await world.ask('DELETE', paths.feature(deleted?.name ?? '', projectId));
    await world.ask('DELETE', `/api/admin/archive/${deleted?.name}`);
    const { name: created } = await world.feature({ project: projectId });
    await world.ask('PUT', `/api/admin/segments/${segment.id}`, {
      ...{ name: segment.name, constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] },
    });

    const path = `/api/admin/projects/${projectId}`;
    const rebuilt = await pagesOf(`${path}/then?at=${at}`);
    expect(rebuilt.map(({ name, state }) => [name, state.environments[0].delivered])).toEqual(
      [...then].filter(([, { project }]) => project === projectId),
    );
    const differences = await pagesOf(`${path}/difference?from=${at}`);
    expect(differences.map(({ name, from, to }) => [name, from.exists, to.exists])).toEqual(
      [
        ...[changed, moved, using, arrived].map((feature) => [feature?.name, true, true]),
        ...[
          [deleted?.name, true, false],
          [created, false, true],
        ],
      ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(differences.map(({ name }) => name)).not.toContain(same?.name);
  });

  test('has at most 50 features a page, since each is read by itself', async () => {
    const at = new Date().toISOString();
    for (const query of [`then?at=${at}`, `difference?from=${at}`])
      expect((await service.get(`/api/admin/projects/default/${query}&limit=51`)).status).toBe(400);
  });

  const delivered = async () => (await readDelivered(service.table, 'development')).features;

  /** Reads all pages of two features each. */
  async function pagesOf(target: string) {
    const features = [];
    let after: string | null = '';
    while (after !== null) {
      const page: Reply = await service.get(`${target}&limit=2${after === '' ? '' : `&after=${after}`}`);
      expect([page.status, page.body.message]).toEqual([200, undefined]);
      features.push(...page.body.features);
      after = page.body.next;
    }
    return features;
  }
});
