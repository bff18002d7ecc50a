import { beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { addons } from '../../../lib/integrations/addons.ts';
import { readItem } from '../../../lib/store/read.ts';
import { problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { openTo, serviceForEach, specify, test, worldForEach } from '../../specifications/specify.ts';

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
  const { service, world } = worldForEach();
  const create = (more: object) => service.post('/api/admin/addons', { ...webhook, ...more });

  test('stores its secrets, and never shows them', async () => {
    const { body } = await create({});
    const parameters = { url: '*****', contentType: 'text/plain', authorization: '*****' };
    expect(body).toEqual({ ...webhook, id: body.id, parameters, createdAt: expect.any(String) });
    expect((await service.get('/api/admin/addons')).body.addons).toEqual([body]);
    const item = await readItem<{ parameters: string }>(service.table, addons.keyOf(body.id));
    expect(JSON.parse(item?.parameters ?? '')).toEqual(webhook.parameters);
  });

  // test/lib/integrations/addon-parameters.test.ts has more that is wrong with parameters.
  test.each([
    [{ provider: 'pigeon' }, ['provider']],
    [
      { parameters: { url: 5, customHeaders: '[1]' }, events: ['user-created'] },
      ['parameters.url', 'parameters.customHeaders', 'events'],
    ],
    [
      { projects: ['default', 'nowhere', '*'], environments: ['production', 'night', 'day'], events: ['user-created'] },
      ['events', 'projects.1', 'environments.1', 'environments.2'],
    ],
    [{ provider: 'pigeon', projects: ['nowhere'] }, ['provider', 'projects.0']],
  ])('refuses %j, and names every mistake', async (more, paths) => {
    expect(problemPaths(await create({ events: [], ...more }))).toEqual(paths.toSorted());
  });

  test.each([
    [undefined, null],
    [null, ''],
    ['Chat', 'Chat'],
  ])('answers the description %j as %j', async (description, shown) => {
    expect((await create({ description })).body.description).toBe(shown);
  });

  test('is refused for a hidden project', async () => {
    const { body: project } = await service.post('/api/admin/projects', { name: 'Secret', mode: 'private' });
    const role = await world.role({ type: 'root-custom', permissions: [{ name: 'CREATE_ADDON' }] });
    const body = { ...webhook, projects: [project.id] };
    const token = await world.tokenOfRole(role);
    // Known private projects are trusted for a moment.
    vi.setSystemTime(Date.now() + identityTrustMs);
    onTestFinished(() => void vi.useRealTimers());
    const { status } = await service.post('/api/admin/addons', body, { token });
    expect(status).toBe(400);
    expect((await create(body)).status).toBe(201);
  });

  test('is refused if there are a hundred', async () => {
    for (let count = 0; count < 100; count += 1) await world.addon();
    const { status, body } = await create({});
    expect(status).toBe(400);
    expect(body.message).toBe('At most 100 addons are allowed.');
  });
});

const disabled = {
  ...webhook,
  enabled: false,
  parameters: { url: 'https://chat.example.com/hook', authorization: 'a-secret-of-others' },
  events: ['feature-created'],
};

specify('updateAddon', {
  route: 'PUT /api/admin/addons/{id}',
  ...openTo('Editor', 'UPDATE_ADDON'),
  request: async (world) => ({ params: { id: await world.addon() }, body: disabled }),
  required: ['provider', 'enabled', 'parameters', 'events'],
  needed: ['parameters.url'],
  nullable: ['description'],
  again: 'nothing',
});

describe('Updating an addon', () => {
  let id: number;
  const service = serviceForEach();
  beforeEach(async () => {
    id = (await service.post('/api/admin/addons', disabled)).body.id;
  });
  const update = (more: object) => service.put(`/api/admin/addons/${id}`, { ...disabled, ...more });
  const stored = async () => {
    const item = await readItem<{ parameters: string }>(service.table, addons.keyOf(id));
    return JSON.parse(item?.parameters ?? '');
  };

  test('keeps a secret that is sent as its placeholder, and replaces or removes others', async () => {
    const kept = await update({ enabled: true, parameters: { url: '*****', authorization: 'another-secret' } });
    expect(kept).toMatchObject({ status: 200, body: { enabled: true, parameters: { url: '*****' } } });
    expect(await stored()).toEqual({ url: disabled.parameters.url, authorization: 'another-secret' });
    await update({ parameters: { url: '*****' } });
    expect(await stored()).toEqual({ url: disabled.parameters.url });
  });

  test('refuses unknown projects and environments, except for names that it had before', async () => {
    await service.call('DELETE', '/api/admin/environments/production');
    expect(
      (await update({ projects: ['default', 'nowhere'], environments: ['production', 'night'] })).body.details,
    ).toEqual([
      { path: 'projects.1', message: 'There is no project "nowhere".' },
      { path: 'environments.1', message: 'There is no environment "night".' },
    ]);
    expect((await update({})).status).toBe(200);
  });

  test('gives no secret of one provider to another', async () => {
    expect(await update({ provider: 'teams', parameters: { url: '*****' } })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'parameters.url' }] },
    });
    expect(await stored()).toEqual(disabled.parameters);
  });
});

specify('deleteAddon', {
  route: 'DELETE /api/admin/addons/{id}',
  ...openTo('Editor', 'DELETE_ADDON'),
  request: async (world) => ({ params: { id: await world.addon() } }),
  again: 404,
});

specify('getAddon', {
  route: 'GET /api/admin/addons/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: await world.addon() } }),
});

specify('getAddons', { route: 'GET /api/admin/addons', may: 'any token', given: (world) => world.addon() });

interface Provider {
  readonly name: string;
  readonly parameters: readonly object[];
  readonly events: readonly string[];
}

test('The providers are those of Unleash 7.6.5, each with its parameters', async () => {
  const { providers } = (await (await freshService()).get('/api/admin/addons')).body;
  const outlines = providers.map(({ name, parameters, events }: Provider) => [
    name,
    parameters.length,
    new Set(events).size,
  ]);
  // Counted in what Unleash answers.
  expect(outlines).toEqual([
    ['webhook', 7, 33],
    ['slack', 5, 17],
    ['slack-app', 2, 63],
    ['teams', 2, 32],
    ['datadog', 5, 15],
    ['new-relic', 4, 15],
    ['eventbridge', 1, 33],
  ]);
});
