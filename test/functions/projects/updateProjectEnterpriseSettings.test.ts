import { Script } from 'node:vm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

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
});

describe('The settings of a project', () => {
  let id: string;
  const service = serviceForEach();
  beforeEach(async () => {
    id = await new World(service).project();
  });
  const set = (body: object) => service.put(`/api/admin/projects/${id}/settings`, body);
  const overview = async () => (await service.get(`/api/admin/projects/${id}/overview`)).body;
  const create = (name: string) => service.post(`/api/admin/projects/${id}/features`, { name });

  test('are shown, stay where they are left out, and make events', async () => {
    const featureNaming = { pattern: 'shop-.+', example: 'shop-cart', description: null };
    const linkTemplates = [{ title: 'Ticket', urlTemplate: 'https://tickets.example.com/{{feature}}' }];
    expect(await set({ featureNaming: { pattern: 'shop-.+', example: 'shop-cart' } })).toMatchObject({ status: 200 });
    await set({ linkTemplates });
    await set({ mode: 'private' });
    expect(await overview()).toMatchObject({ featureNaming, linkTemplates, mode: 'private' });
    const changed = { type: 'project-updated', data: { mode: 'private' }, preData: { mode: 'open' } };
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject(changed);
    await set({ featureNaming: { pattern: null }, linkTemplates: [] });
    const none = { pattern: null, example: null, description: null };
    expect(await overview()).toMatchObject({ featureNaming: none, linkTemplates: [] });
  });

  test('hold the names of new, cloned and imported features to the pattern, as a whole', async () => {
    const world = new World(service);
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
    // What is there stays.
    expect((await service.put(`/api/admin/projects/${id}/features/${name}`, { stale: true })).status).toBe(200);
  });

  test('give each new feature the links, with its name in them', async () => {
    const urlTemplate = 'https://tickets.example.com/{{project}}/{{feature}}?q={{feature}}';
    await set({ linkTemplates: [{ title: 'Ticket', urlTemplate }, { urlTemplate: 'http://x.example.com' }] });
    const { links } = (await create('cart')).body;
    expect(links).toMatchObject([
      { title: 'Ticket', url: `https://tickets.example.com/${id}/cart?q=cart` },
      { title: null, url: 'http://x.example.com' },
    ]);
  });

  test('are refused where they are wrong, naming all of it', async () => {
    const naming = (featureNaming: object) => set({ featureNaming });
    for (const pattern of ['two words', '(', 'a)|(b', '\\s+', 'x\\']) {
      expect(problemPaths(await naming({ pattern }))).toEqual(['featureNaming.pattern']);
    }
    expect(problemPaths(await naming({ pattern: 'a.+', example: 'ba' }))).toEqual(['featureNaming.example']);
    const linkTemplates = [{ urlTemplate: 'javascript:alert(1)' }];
    expect(problemPaths(await set({ linkTemplates }))).toEqual(['linkTemplates.0.urlTemplate']);
  });

  test('may have a pattern that takes for ever on some name: that name is refused soon', async () => {
    await set({ featureNaming: { pattern: '(a+)+b' } });
    // Matched to its end, this would take longer than any test may.
    expect(await create('a'.repeat(60))).toMatchObject({ status: 400 });
    expect((await create('aab')).status).toBe(201);
  });

  test('has a pattern matched again where something else had the processor meanwhile', async () => {
    vi.spyOn(Script.prototype, 'runInNewContext').mockImplementationOnce(() => {
      throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    });
    expect((await set({ featureNaming: { pattern: 'shop-.+', example: 'shop-cart' } })).status).toBe(200);
  });
});
