import { expect } from 'vitest';
import * as keys from '../../../lib/store/keys.ts';
import { tally } from '../../../lib/store/transactions/tally.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteApplication', {
  route: 'DELETE /api/admin/metrics/applications/{appName}',
  may: ['Admin', 'Editor'],
  needs: ['UPDATE_APPLICATION'],
  takesAnyName: ['appName'],
  request: async (world) => ({ params: { appName: await world.application() } }),
  again: 'nothing',
});

test('A deleted application is gone, with all its instances, and others stay', async ({ service, world }) => {
  const [gone, stays] = [await world.application(), await world.application()];
  const set = {
    seenAt: new Date().toISOString(),
    address: '',
    expiresAtSeconds: Math.floor(Date.now() / 1_000) + 1_000,
  };
  await tally(service.table, { key: keys.applicationInstance(gone, 'development', 'one'), set });
  const path = `/api/admin/metrics/applications/${gone}`;
  expect(await service.call('DELETE', path)).toMatchObject({ status: 200, text: '' });
  expect((await service.get(path)).status).toBe(404);
  expect((await service.get(`${path}/overview`)).status).toBe(404);
  const left = await service.get(`/api/admin/metrics/instances/${gone}/environment/development`);
  expect(left.body.instances).toEqual([]);
  expect((await service.get('/api/admin/metrics/applications')).body.applications).toMatchObject([{ appName: stays }]);
});
