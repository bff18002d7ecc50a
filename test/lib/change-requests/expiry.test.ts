import { describe, expect } from 'vitest';
import { cancelExpired } from '../../../lib/change-requests/schedules/expiry.ts';
import { setChangeRequestSettings } from '../../../lib/change-requests/settings.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { buildSwitchOn, createChangeRequest } from '../../harness/change-requests.ts';
import type { Service } from '../../harness/service.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

const days = (count: number) => new Date(Date.now() + count * 24 * 3_600_000);

/** Creates a change request in a state. */
async function createExpiring(service: Service, world: World, state: Parameters<typeof createChangeRequest>[1]) {
  await setChangeRequestSettings(service.table, systemUser, { adminsSkip: true, expiryDays: 90 });
  const made = await createChangeRequest(world, state);
  return { ...made, stateNow: async () => (await made.read()).state };
}

describe('A change request that expires', () => {
  test.for(['In review', 'Approved'] as const)(
    'is cancelled once after its time if it is %s',
    async (state, { service, world }) => {
      const { id, stateNow, featureName, add } = await createExpiring(service, world, state);
      await cancelExpired(service.table, days(89));
      expect(await stateNow()).toBe(state);
      await Promise.all([1, 2].map(() => cancelExpired(service.table, days(90))));
      expect(await stateNow()).toBe('Cancelled');
      const { body } = await service.get(
        `/api/admin/search/events?groupId=IS:change-request-${id}&type=IS:change-request-cancelled`,
      );
      expect(body.events).toMatchObject([
        { data: { reason: expect.stringContaining('neither applied nor scheduled') } },
      ]);
      expect((await add(buildSwitchOn(featureName))).body.id).not.toBe(id);
    },
  );

  test.for(['Draft', 'Scheduled'] as const)('is not cancelled while it is %s', async (state, { service, world }) => {
    const { stateNow } = await createExpiring(service, world, state);
    await cancelExpired(service.table, days(366));
    expect(await stateNow()).toBe(state);
  });

  test('is either applied or cancelled if both happen at the same time', async ({ service, world }) => {
    const { apply, stateNow } = await createExpiring(service, world, 'Approved');
    const late = await betweenReadAndWrite(service.table, () => cancelExpired(service.table, days(90)), apply);
    expect([late.status, await stateNow()]).toEqual([400, 'Cancelled']);
  });
});
