import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addons } from '../../../lib/integrations/addons.ts';
import { identityTrustMs } from '../../../lib/people/rights/identity-memory.ts';
import { readItem } from '../../../lib/store/read.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

const webhook = {
  provider: 'webhook',
  description: 'Tells the chat',
  enabled: true,
  parameters: { url: 'https://chat.example.com/hook', contentType: 'text/plain', authorization: 'a-secret-of-others' },
  events: ['feature-created', 'feature-archived'],
  projects: ['default'],
  environments: ['production'],
};

specify('createAddon', {
  route: 'POST /api/admin/addons',
  ...openTo('Editor', 'CREATE_ADDON'),
  request: () => ({ body: webhook }),
  required: ['provider', 'enabled', 'parameters', 'events'],
  needed: ['parameters.url'],
  nullable: ['description'],
  again: 'once more',
});

describe('Creating an addon', () => {
  const service = serviceForEach();
  const create = (more: object) => service.post('/api/admin/addons', { ...webhook, ...more });

  test('stores its secrets, and shows them to nobody', async () => {
    const { status, headers, body } = await create({});
    expect(status).toBe(201);
    expect(headers.location).toBe(`/api/admin/addons/${body.id}`);
    const parameters = { url: '*****', contentType: 'text/plain', authorization: '*****' };
    expect(body).toEqual({ ...webhook, id: body.id, parameters, createdAt: expect.any(String) });
    expect((await service.get(`/api/admin/addons/${body.id}`)).body).toEqual(body);
    expect((await service.get('/api/admin/addons')).body.addons).toEqual([body]);
    const item = await readItem<{ parameters: string }>(service.table, addons.keyOf(body.id));
    expect(JSON.parse(item?.parameters ?? '')).toEqual(webhook.parameters);
    const event = (await serviceEvents(service.table)).at(-1);
    expect(event).toMatchObject({ type: 'addon-config-created', data: { id: body.id, provider: 'webhook' } });
    expect(JSON.stringify(event)).not.toMatch(/a-secret-of-others|chat\.example/);
  });

  test.each([
    [{ provider: 'pigeon' }, ['provider']],
    [{ parameters: {} }, ['parameters.url']],
    [{ parameters: { url: 'chat' } }, ['parameters.url']],
    [{ parameters: { url: 'file:///etc/passwd' } }, ['parameters.url']],
    [{ parameters: { url: '*****' } }, ['parameters.url']],
    [
      { parameters: { url: 5, customHeaders: '[1]' }, events: ['user-created'] },
      ['parameters.url', 'parameters.customHeaders', 'events'],
    ],
    [
      { projects: ['default', 'nowhere', '*'], environments: ['production', 'night', 'day'], events: ['user-created'] },
      ['events', 'projects.1', 'environments.1', 'environments.2'],
    ],
    [{ provider: 'pigeon', projects: ['nowhere'] }, ['provider', 'projects.0']],
    [{ provider: 'datadog', parameters: { sourceTypeName: '' } }, ['parameters.apiKey']],
    [{ provider: 'slack-app', parameters: {}, events: ['feature-updated'] }, ['parameters.accessToken', 'events']],
  ])('refuses %j, and names every mistake', async (more, paths) => {
    const { status, body } = await create({ events: [], ...more });
    expect(status).toBe(400);
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test.each([
    [undefined, null],
    [null, ''],
    ['Chat', 'Chat'],
  ])('answers the description %j as %j', async (description, shown) => {
    expect((await create({ description })).body.description).toBe(shown);
  });

  test('is refused for a project that its author must not see', async () => {
    const world = new World(service);
    const { body: project } = await service.post('/api/admin/projects', { name: 'Secret', mode: 'private' });
    const role = await world.role({ type: 'root-custom', permissions: [{ name: 'CREATE_ADDON' }] });
    const body = { ...webhook, projects: [project.id] };
    const token = await world.tokenOfRole(role);
    // What is known of private projects is trusted for a moment.
    vi.setSystemTime(Date.now() + identityTrustMs);
    onTestFinished(() => void vi.useRealTimers());
    const { status } = await service.post('/api/admin/addons', body, { token });
    expect(status).toBe(400);
    expect((await create(body)).status).toBe(201);
  });

  test('is refused once there are a hundred', async () => {
    const world = new World(service);
    for (let count = 0; count < 100; count += 1) await world.addon();
    const { status, body } = await create({});
    expect(status).toBe(400);
    expect(body.message).toBe('At most 100 addons are allowed.');
  });

  test('drops parameters that the provider does not have', async () => {
    const { body } = await create({
      parameters: { url: 'https://chat.example.com', colour: 'red', authorization: '' },
    });
    expect(body.parameters).toEqual({ url: '*****' });
  });
});
