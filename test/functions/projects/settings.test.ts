import { Script } from 'node:vm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, serviceForEach, specify, worldForEach } from '../../specifications/specify.ts';

specify('updateProjectEnterpriseSettings', {
  route: 'PUT /api/admin/projects/{projectId}/settings',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project() },
    body: {
      mode: 'private',
      featureNaming: { pattern: 'shop-.+', example: 'shop-cart', description: 'Begins with shop-' },
      linkTemplates: [{ title: 'Ticket', urlTemplate: 'https://tickets.example.com/{{project}}/{{feature}}' }],
    },
  }),
  required: ['featureNaming.pattern', 'linkTemplates.0.urlTemplate'],
  nullable: ['featureNaming.pattern', 'featureNaming.example', 'featureNaming.description', 'linkTemplates.0.title'],
  // The list of private projects is read again after a project has become one.
  waits: 3,
});

describe('The settings of a project', () => {
  let id: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    id = await world.project();
  });
  const set = (body: object) => service.put(`/api/admin/projects/${id}/settings`, body);
  const overview = async () => (await service.get(`/api/admin/projects/${id}/overview`)).body;
  const create = (name: string) => service.post(`/api/admin/projects/${id}/features`, { name });

  test('are shown, and stay if they are omitted', async () => {
    const featureNaming = { pattern: 'shop-.+', example: 'shop-cart', description: null };
    const linkTemplates = [{ title: 'Ticket', urlTemplate: 'https://tickets.example.com/{{feature}}' }];
    expect(await set({ featureNaming: { pattern: 'shop-.+', example: 'shop-cart' } })).toMatchObject({ status: 200 });
    await set({ linkTemplates });
    await set({ mode: 'private' });
    expect(await overview()).toMatchObject({ featureNaming, linkTemplates, mode: 'private' });
    await set({ featureNaming: { pattern: null }, linkTemplates: [] });
    const none = { pattern: null, example: null, description: null };
    expect(await overview()).toMatchObject({ featureNaming: none, linkTemplates: [] });
  });

  test('require that whole names of new, cloned and imported features match the pattern', async () => {
    const { name } = await world.feature({ project: id });
    await set({ featureNaming: { pattern: 'shop-.+|cart', example: 'shop-cart', description: 'where it shows' } });
    for (const wrong of ['shop-', 'my-shop-x', 'cart-x']) {
      const answer = await create(wrong);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('"shop-.+|cart" of the project as "shop-cart" does (where it shows)');
    }
    expect((await create('shop-x')).status).toBe(201);
    expect((await create('cart')).status).toBe(201);
    const clone = (to: string) => service.post(`/api/admin/projects/${id}/features/${name}/clone`, { name: to });
    expect((await clone('wrong')).status).toBe(400);
    expect((await clone('shop-y')).status).toBe(201);
    await expect(world.feature({ project: id })).rejects.toThrow('naming pattern');
    // Existing values stay.
    expect((await service.put(`/api/admin/projects/${id}/features/${name}`, { stale: true })).status).toBe(200);
  });

  test('give each new feature links with its name', async () => {
    const urlTemplate = 'https://tickets.example.com/{{project}}/{{feature}}?q={{feature}}';
    await set({ linkTemplates: [{ title: 'Ticket', urlTemplate }, { urlTemplate: 'http://x.example.com' }] });
    const { links } = (await create('cart')).body;
    expect(links).toMatchObject([
      { title: 'Ticket', url: `https://tickets.example.com/${id}/cart?q=cart` },
      { title: null, url: 'http://x.example.com' },
    ]);
  });

  test('are refused with all problems', async () => {
    const naming = (featureNaming: object) => set({ featureNaming });
    for (const pattern of ['two words', '(', 'a)|(b', '\\s+', 'x\\']) {
      expect(problemPaths(await naming({ pattern }))).toEqual(['featureNaming.pattern']);
    }
    expect(problemPaths(await naming({ pattern: 'a.+', example: 'ba' }))).toEqual(['featureNaming.example']);
    const linkTemplates = [{ urlTemplate: 'javascript:alert(1)' }];
    expect(problemPaths(await set({ linkTemplates }))).toEqual(['linkTemplates.0.urlTemplate']);
  });

  test('may have a pattern of exponential time: a name that takes too long is refused soon', async () => {
    await set({ featureNaming: { pattern: '(a+)+b' } });
    // Matched to its end, this would take longer than any test may.
    expect(await create('a'.repeat(60))).toMatchObject({ status: 400 });
    expect((await create('aab')).status).toBe(201);
  });

  test('try a pattern again if the processor was busy', async () => {
    vi.spyOn(Script.prototype, 'runInNewContext').mockImplementationOnce(() => {
      throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    });
    expect((await set({ featureNaming: { pattern: 'shop-.+', example: 'shop-cart' } })).status).toBe(200);
  });
});

specify('updateProjectChangeRequestConfig', {
  route: 'PUT /api/admin/projects/{projectId}/environments/{environment}/change-requests/config',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project(), environment: 'development' },
    body: {
      ...{ changeRequestsEnabled: true, requiredApprovals: 2, onDrift: 'overwrite', selfApproval: 'admin' },
      overrideDelayMinutes: 10,
    },
  }),
  required: ['changeRequestsEnabled'],
  nullable: ['requiredApprovals', 'overrideDelayMinutes'],
  waits: 3,
});

describe('Change requests', () => {
  const service = serviceForEach();
  const pathIn = (environment: string) =>
    `/api/admin/projects/default/environments/${environment}/change-requests/config`;
  const set = (config: object) => service.put(pathIn('production'), { changeRequestsEnabled: true, ...config });
  const listed = async () => (await service.get('/api/admin/projects/default/change-requests/config')).body;
  const off = { changeRequestEnabled: false, requiredApprovals: null };
  const usual = { requiredApprovals: 1, onDrift: 'refuse', selfApproval: 'never', overrideDelayMinutes: 0 };

  test('need one approval by default, or 1 to 10, and keep omitted properties', async () => {
    const inProduction = { environment: 'production', type: 'production', changeRequestEnabled: true };
    const inDevelopment = { environment: 'development', type: 'development', ...off };
    for (const [config, needed] of [
      [{}, usual],
      [
        { requiredApprovals: 11, onDrift: 'overwrite' },
        { ...usual, requiredApprovals: 10, onDrift: 'overwrite' },
      ],
      [{ requiredApprovals: null }, { ...usual, requiredApprovals: 10, onDrift: 'overwrite' }],
      [
        { requiredApprovals: 0, selfApproval: 'admin', overrideDelayMinutes: null },
        { requiredApprovals: 1, onDrift: 'overwrite', selfApproval: 'admin', overrideDelayMinutes: null },
      ],
      [{}, { requiredApprovals: 1, onDrift: 'overwrite', selfApproval: 'admin', overrideDelayMinutes: null }],
    ] as const) {
      expect(await set(config)).toMatchObject({ status: 204, text: '' });
      expect(await listed()).toEqual([inDevelopment, { ...inProduction, ...needed }]);
    }
    expect((await service.get('/api/admin/projects/default/overview')).body.environments).toMatchObject([
      { environment: 'development', changeRequestsEnabled: false },
      { environment: 'production', changeRequestsEnabled: true },
    ]);
  });

  test('make an event with old and new settings, and none if nothing changes', async () => {
    await set({});
    await set({});
    await set({ requiredApprovals: 3 });
    await set({ changeRequestsEnabled: false, requiredApprovals: 0 });
    const event = { type: 'change-request-configuration-updated', project: 'default', environment: 'production' };
    const [one, three] = [1, 3].map((requiredApprovals) => ({
      changeRequestsEnabled: true,
      ...usual,
      requiredApprovals,
    }));
    const none = { changeRequestsEnabled: false };
    expect((await serviceEvents(service.table)).slice(-3)).toMatchObject([
      { ...event, data: one, preData: none },
      { ...event, data: three, preData: one },
      { ...event, data: none, preData: three },
    ]);
  });

  test.each([0, null, 3])('stay off when they are turned off, with %s approvals', async (requiredApprovals) => {
    const before = await serviceEvents(service.table);
    expect((await set({ changeRequestsEnabled: false, requiredApprovals })).status).toBe(204);
    expect(await listed()).toMatchObject([off, off]);
    expect(await serviceEvents(service.table)).toEqual(before);
  });

  test('are a 404 for an environment that the project does not have', async () => {
    for (const changeRequestsEnabled of [true, false])
      expect((await service.put(pathIn('default'), { changeRequestsEnabled })).status).toBe(404);
  });
});
