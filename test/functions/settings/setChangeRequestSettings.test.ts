import { expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { setChangeRequestSettings } from '../../../lib/settings/change-request-settings.ts';
import { protect } from '../../harness/protection.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('setChangeRequestSettings', {
  route: 'PUT /api/admin/change-requests/settings',
  ...openTo('Admin', 'ADMIN'),
  request: async ({ service: { table } }) => {
    await setChangeRequestSettings(table, systemUser, { adminsSkip: true });
    return { body: { adminsSkip: false, lateMinutesMax: 60, expiryDays: 90 } };
  },
  required: ['adminsSkip'],
  nullable: ['lateMinutesMax', 'expiryDays'],
  again: 'nothing',
  waits: 3,
});

test('Administrators need approval once that is set, unless a role lets them skip it', async ({ service, world }) => {
  const { place } = await world.feature({ on: true });
  await protect(service.table, place);
  const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${place.environment}`;
  const skip = await world.role({
    permissions: [{ name: 'SKIP_CHANGE_REQUEST', environment: place.environment }],
  });
  const admin = await world.tokenOfRole(1);
  const skipping = await world.tokenOfRole(1, [{ project: place.projectId, roles: [skip] }]);
  const statuses = async () => {
    const answers = [];
    for (const token of [service.adminToken, admin, skipping]) {
      await service.post(`${path}/on`, {}, { token: skipping });
      answers.push((await service.post(`${path}/off`, {}, { token })).status);
    }
    return answers;
  };
  expect((await service.get('/api/admin/change-requests/settings')).body).toEqual({
    adminsSkip: true,
    lateMinutesMax: null,
    expiryDays: null,
  });
  expect(await statuses()).toEqual([200, 200, 200]);
  await service.put('/api/admin/change-requests/settings', { adminsSkip: false });
  expect((await service.get('/api/admin/change-requests/settings')).body).toEqual({
    adminsSkip: false,
    lateMinutesMax: null,
    expiryDays: null,
  });
  expect(await statuses()).toEqual([403, 403, 200]);
  await service.put('/api/admin/change-requests/settings', { adminsSkip: true });
  expect(await statuses()).toEqual([200, 200, 200]);
});
