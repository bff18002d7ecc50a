import { describe, expect } from 'vitest';
import { ensureUser } from '../../../lib/people/ensure-user.ts';
import { createChangeRequest, createOverride } from '../../harness/change-requests.ts';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { freshService } from '../../harness/service.ts';
import { fromOwnPage, giveSession } from '../../harness/sign-in.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getConsoleStart', {
  route: 'GET /api/admin/console/start',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project() }),
  // The ids of the projects are asked for first.
  waits: 2,
});

specify('getConsoleEvents', {
  route: 'GET /api/admin/console/events',
  may: 'any token',
  request: async (world) => {
    const { projectId } = await world.projectWithFeature({ on: true });
    return { query: { project: `IS:${projectId}`, limit: 25 } };
  },
  // The newest events are looked up, then read, and the names of their authors come last.
  waits: 3,
});

specify('getConsoleFlags', {
  route: 'GET /api/admin/console/flags',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project(), on: true }),
  // The ids of the projects are asked for first, and the names of owners last.
  waits: 3,
});

specify('getConsoleFlag', {
  route: 'GET /api/admin/console/projects/{projectId}/flags/{featureName}',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  // The names of authors, and segments, are asked for last.
  waits: 2,
});

specify('getConsoleNow', {
  route: 'GET /api/admin/console/now',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project(), on: true }),
  waits: 3,
});

specify('getConsoleReviews', {
  route: 'GET /api/admin/console/reviews',
  may: 'any token',
  given: (world) => createChangeRequest(world, 'In review'),
  waits: 4,
});

specify('getConsoleRequest', {
  route: 'GET /api/admin/console/requests/{projectId}/{id}',
  may: 'any token',
  request: async (world) => {
    const { projectId, id } = await createChangeRequest(world, 'In review');
    return { params: { projectId, id } };
  },
  waits: 5,
});

specify('getConsoleProjects', {
  route: 'GET /api/admin/console/projects',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project() }),
  // The ids of the projects are asked for first.
  waits: 2,
});

specify('getConsoleSessions', {
  route: 'GET /api/admin/console/sessions',
  may: 'any token',
  given: (world) => world.person(),
});

specify('endConsoleSessions', {
  route: 'DELETE /api/admin/console/sessions',
  unversioned: 'a session is there or not, and never changes',
  may: 'any token',
  request: async (world) => {
    const user = await world.user();
    const { secret: authorization } = await world.pat(user);
    await world.ask('GET', '/api/admin/user', undefined, { authorization });
    await giveSession(world.service.table, user.id);
    return { headers: { authorization } };
  },
});

describe('The start of the console', () => {
  test('names the reader, and counts the flags of the projects that they see', async () => {
    const service = await freshService(shopSeed);
    const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Member' } });
    const { body } = await service.get('/api/admin/console/start', { token });
    expect(body.user).toMatchObject({ name: 'zoe', username: 'zoe' });
    expect(body.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'shop', environment: '*' });
    expect(body.projects).toContainEqual({ id: 'shop', name: 'shop', features: 0, favorite: false });
    expect(body).toMatchObject({
      reviews: { waiting: 0, open: 0 },
      overrides: [],
      banners: [],
      isInMaintenance: false,
      adminsSkip: true,
    });
  });
});

describe('The sessions of a person', () => {
  test('are listed with that of the request, and the others can be ended at once', async () => {
    const service = await freshService();
    const { id } = await ensureUser(service.table, { username: 'zoe' });
    const elsewhere = await giveSession(service.table, id);
    const here = await giveSession(service.table, id);
    const as = (cookie: string) => ({ token: null, headers: { cookie, ...fromOwnPage } });
    const list = async () => (await service.get('/api/admin/console/sessions', as(here))).body.sessions;
    expect(await list()).toHaveLength(2);
    expect((await list()).filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const ended = await service.call('DELETE', '/api/admin/console/sessions', as(here));
    expect(ended.status).toBe(204);
    expect(await list()).toMatchObject([{ isCurrent: true }]);
    expect((await service.get('/api/admin/user', as(elsewhere))).status).toBe(401);
  });
});

describe('The projects of the console', () => {
  test('name their protected environments, and leave archived ones to a list of their own', async () => {
    const service = await freshService(shopSeed);
    await service.put('/api/admin/projects/shop/environments/staging/change-requests/config', {
      changeRequestsEnabled: true,
    });
    const { body } = await service.get('/api/admin/console/projects');
    expect(body.projects).toContainEqual(expect.objectContaining({ id: 'shop', protected: ['staging'] }));
    const archived = await service.get('/api/admin/console/projects?archived=true');
    expect(archived.body.projects).toEqual([]);
  });
});

describe('The events of the console', () => {
  test('name those who approved, and come with the people and environments to search for', async ({ world }) => {
    const { projectId, id, author, apply } = await createChangeRequest(world, 'Approved');
    await apply();
    const ask = async (query: string) =>
      (await world.ask('GET', `/api/admin/console/events?${query}`, undefined, { authorization: author })).body;
    const all = await ask(`project=IS:${projectId}&limit=1000`);
    const switched = all.events.find(({ type }: { type: string }) => type === 'feature-environment-enabled');
    expect(switched.changeRequest).toMatchObject({ id, approvedBy: [expect.any(String)] });
    expect(all.people).toContainEqual({ id: switched.createdByUserId, name: switched.author });
    expect(all.environments).toContain(switched.environment);
    expect(all.hasMore).toBe(false);
    const first = await ask(`project=IS:${projectId}&limit=1`);
    expect(first).toMatchObject({ events: [{ id: all.events[0].id }], hasMore: true });
    const last = await ask(`project=IS:${projectId}&limit=1&offset=${all.events.length - 1}`);
    expect(last).toMatchObject({ events: [{ id: all.events.at(-1).id }], hasMore: false });
  });

  test('leave out stars unless somebody asks for them', async () => {
    const service = await freshService(shopSeed);
    await service.post('/api/admin/projects/shop/features', { name: 'beta' });
    await service.post('/api/admin/projects/shop/features/beta/favorites');
    const list = async (query: string) => {
      const { body } = await service.get(`/api/admin/console/events?feature=IS:beta&${query}`);
      return body.events.map(({ type }: { type: string }) => type);
    };
    expect(await list('')).toEqual(['feature-created']);
    expect(await list('show=all')).toEqual(['feature-favorited', 'feature-created']);
    expect(await list('type=IS_ANY_OF:feature-favorited,feature-created')).toEqual(['feature-created']);
    expect(await list('type=IS_NONE_OF:feature-created')).toEqual([]);
  });
});

describe('The change request of the console', () => {
  test('comes with the legal values of what its flags will compare', async () => {
    const service = await freshService(shopSeed);
    await service.post('/api/admin/context', { name: 'plan', legalValues: [{ value: 'free' }, { value: 'pro' }] });
    await service.post('/api/admin/projects/shop/features', { name: 'beta' });
    const staging = '/api/admin/projects/shop/environments/staging/change-requests';
    await service.put(`${staging}/config`, { changeRequestsEnabled: true });
    const { body: draft } = await service.post(staging, {
      feature: 'beta',
      action: 'addStrategy',
      payload: {
        name: 'flexibleRollout',
        parameters: { rollout: '10', stickiness: 'default', groupId: 'beta' },
        constraints: [{ contextName: 'plan', operator: 'IN', values: ['pro'] }],
      },
    });
    const { body } = await service.get(`/api/admin/console/requests/shop/${draft.id}`);
    expect(body.contextFields).toEqual([{ name: 'plan', legalValues: ['free', 'pro'] }]);
  });
});

describe('The flag of the console', () => {
  test('tells the strategy that its project gives new flags', async () => {
    const service = await freshService(shopSeed);
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'userId' } };
    await service.post('/api/admin/projects/shop/environments/staging/default-strategy', strategy);
    await service.post('/api/admin/projects/shop/features', { name: 'beta' });
    const { body } = await service.get('/api/admin/console/projects/shop/flags/beta');
    expect(body.environments).toContainEqual(
      expect.objectContaining({ name: 'staging', defaultStrategy: expect.objectContaining(strategy) }),
    );
  });

  test('comes with the flags that it depends on, and the segments of both', async () => {
    const service = await freshService(shopSeed);
    const project = '/api/admin/projects/shop';
    for (const [name, segment] of [
      ['child', 1],
      ['parent', 2],
    ] as const) {
      await service.post(`${project}/features`, { name });
      const strategy = { name: 'flexibleRollout', segments: [segment] };
      await service.post(`${project}/features/${name}/environments/development/strategies`, strategy);
    }
    await service.post(`${project}/features/child/dependencies`, { feature: 'parent' });
    const { body } = await service.get('/api/admin/console/projects/shop/flags/child');
    expect(body.parents).toMatchObject([{ name: 'parent' }]);
    expect(body.segments.map(({ id }: { id: number }) => id).toSorted()).toEqual([1, 2]);
  });

  test('names those who approved what was changed, and its change request the person who applied it', async ({
    world,
  }) => {
    const { projectId, featureName, id, author, reviewer, apply } = await createChangeRequest(world, 'Approved');
    await apply();
    const ask = async (path: string) =>
      (await world.ask('GET', `/api/admin/console/${path}`, undefined, { authorization: author })).body;
    const { body: user } = await world.ask('GET', '/api/admin/user', undefined, { authorization: reviewer });
    const name = user.user.name || user.user.username || user.user.email;
    const { events } = await ask(`projects/${projectId}/flags/${featureName}`);
    const switched = events.find(({ type }: { type: string }) => type === 'feature-environment-enabled');
    expect(switched.changeRequest).toEqual({
      ...{ id, project: projectId, approvedBy: [name] },
      author: expect.any(String),
    });
    expect(switched.changeRequest.author).not.toBe(name);
    expect(await ask(`requests/${projectId}/${id}`)).toMatchObject({ appliedBy: { name } });
  });

  test('names the reason of the override under which something was changed', async ({ world }) => {
    const { projectId, featureName, environment, id, holder } = await createOverride(world);
    const place = `projects/${projectId}/features/${featureName}/environments/${environment}`;
    const headers = { authorization: holder };
    await world.ask('POST', `/api/admin/${place}/on`, undefined, headers);
    const path = `/api/admin/console/projects/${projectId}/flags/${featureName}`;
    const { body } = await world.ask('GET', path, undefined, headers);
    expect(body.events).toContainEqual(
      expect.objectContaining({
        changeRequest: expect.objectContaining({ id, project: projectId, approvedBy: [], override: 'Orders fail' }),
      }),
    );
  });
});

describe('Who is not signed in', () => {
  test('learns every way to sign in from the first call of a page', async () => {
    const service = await freshService();
    await service.post('/api/admin/auth/saml/settings', samlProviderSettings);
    const answer = await service.get('/api/admin/console/start', { token: null });
    expect(answer).toMatchObject({ status: 401, body: { options: [{ type: 'saml', path: '/auth/saml/login' }] } });
  });
});
