import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { addons } from '../../../lib/integrations/addons.ts';
import { readItem } from '../../../lib/store/read.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

specify('deleteAddon', {
  route: 'DELETE /api/admin/addons/{id}',
  ...openTo('Editor', 'DELETE_ADDON'),
  request: async (world) => ({ params: { id: await world.addon() } }),
  again: 404,
});

const webhook = {
  provider: 'webhook',
  enabled: false,
  description: 'Tells the chat',
  events: ['feature-created'],
  projects: ['default'],
  environments: ['production'],
};
const seed = readSeed({
  addons: [
    { ...webhook, id: 1, parameters: { url: 'https://chat.example.com', authorization: 'a-secret-of-others' } },
    { provider: 'slack', id: 2 },
    { provider: 'datadog', id: 2_147_483_647 },
  ],
});

describe('Deleting an addon', () => {
  const service = serviceForEach(seed);

  const remove = (id: number) => service.call('DELETE', `/api/admin/addons/${id}`);
  const stored = (id: number) => readItem(service.table, addons.keyOf(id));

  test('An addon is deleted, and the others stay', async () => {
    expect(await remove(1)).toMatchObject({ status: 200, text: '' });
    expect(await stored(1)).toBeUndefined();
    expect(await stored(2)).toBeDefined();
    expect((await remove(2_147_483_647)).status).toBe(200);
  });

  test('The event tells what it was, without its parameters', async () => {
    const before = await serviceEvents(service.table);
    await remove(1);
    const events = (await serviceEvents(service.table)).slice(before.length);
    expect(events).toEqual([
      {
        id: expect.any(Number),
        type: 'addon-config-deleted',
        createdAt: expect.any(String),
        createdBy: 'admin',
        createdByUserId: -42,
        project: null,
        environment: null,
        featureName: null,
        data: null,
        preData: { ...webhook, id: 1, createdAt: expect.any(String) },
        tags: [],
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });
});
