import { beforeEach, describe, expect, test } from 'vitest';
import { addons } from '../../../lib/integrations/addons.ts';
import { readItem } from '../../../lib/store/read.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

const webhook = {
  provider: 'webhook',
  description: 'Tells the chat',
  enabled: false,
  parameters: { url: 'https://chat.example.com/hook', authorization: 'a-secret-of-others' },
  events: ['feature-created'],
  projects: ['default'],
  environments: ['production'],
};

specify('updateAddon', {
  route: 'PUT /api/admin/addons/{id}',
  ...openTo('Editor', 'UPDATE_ADDON'),
  request: async (world) => ({ params: { id: await world.addon() }, body: webhook }),
  required: ['provider', 'enabled', 'parameters', 'events'],
  needed: ['parameters.url'],
  nullable: ['description'],
  again: 'nothing',
});

describe('Updating an addon', () => {
  let id: number;
  const service = serviceForEach();
  beforeEach(async () => {
    id = (await service.post('/api/admin/addons', webhook)).body.id;
  });
  const update = (more: object) => service.put(`/api/admin/addons/${id}`, { ...webhook, ...more });
  const stored = async () => {
    const item = await readItem<{ parameters: string }>(service.table, addons.keyOf(id));
    return JSON.parse(item?.parameters ?? '');
  };

  test('keeps a secret that is sent as it is shown, and replaces or forgets others', async () => {
    const kept = await update({ enabled: true, parameters: { url: '*****', authorization: 'another-secret' } });
    expect(kept).toMatchObject({ status: 200, body: { enabled: true, parameters: { url: '*****' } } });
    expect(await stored()).toEqual({ url: webhook.parameters.url, authorization: 'another-secret' });
    await update({ parameters: { url: '*****' } });
    expect(await stored()).toEqual({ url: webhook.parameters.url });
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'addon-config-updated', data: { id } });
  });

  test('refuses unknown projects and environments, but for those that it has named before', async () => {
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
    expect(await stored()).toEqual(webhook.parameters);
  });
});
