import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import * as keys from '../../../lib/store/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { writesNothing } from '../../harness/imports.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { serviceForEach, specify } from '../../specifications/specify.ts';

specify('deleteAddon', {
  route: 'DELETE /api/admin/addons/{id}',
  may: ['Admin', 'Editor'],
  needs: ['DELETE_ADDON'],
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

  const remove = (id: string, options = {}) => service.call('DELETE', `/api/admin/addons/${id}`, options);
  const stored = (id: number) => readItem(service.table, keys.addon(id));

  test('An addon is deleted, once: 200 without a body, then 404; the others stay', async () => {
    expect(await remove('1')).toMatchObject({ status: 200, text: '' });
    expect(await stored(1)).toBeUndefined();
    const again = await writesNothing(service, () => remove('1'));
    expect([again.status, again.body.name]).toEqual([404, 'NotFoundError']);
    expect(await stored(2)).toBeDefined();
    expect((await remove('2147483647')).status).toBe(200);
  });

  test('The event tells what it was, without its parameters', async () => {
    const before = await serviceEvents(service.table);
    await remove('1');
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

  test('An id that is no positive whole number is a 400, one that is unknown a 404', async () => {
    for (const id of ['abc', '1.5', '0', '-1', '1e3', '0x1', '%201', '9007199254740992', '1'.repeat(400), '１']) {
      const { status, body } = await writesNothing(service, () => remove(id));
      expect([status, body.name], id).toEqual([400, 'ValidationError']);
    }
    for (const id of ['3', '2147483648', '9007199254740991']) {
      const { status, body } = await writesNothing(service, () => remove(id));
      expect([status, body.name], id).toEqual([404, 'NotFoundError']);
    }
  });

  test('An id with leading zeros is the number that it stands for', async () => {
    expect((await remove('0001')).status).toBe(200);
    expect(await stored(1)).toBeUndefined();
  });

  test('Of four deletions at the same time one succeeds and three find nothing, with one event', async () => {
    const before = await serviceEvents(service.table);
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove('1')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(3).fill(404)]);
    expect((await serviceEvents(service.table)).length).toBe(before.length + 1);
  });
});
