import { describe, expect } from 'vitest';
import { makePlanned } from '../../harness/release-plans.ts';
import { test, worldForEach } from '../../specifications/specify.ts';

describe('A release plan in other operations', () => {
  const { service, world } = worldForEach();

  test('shows its progress in searches and in the list of the console, and is counted', async () => {
    const running = await makePlanned(world);
    const waiting = await makePlanned(world, { on: false });
    const bare = await world.feature();
    const progressIn = (features: readonly { name: string; environments: readonly { name: string }[] }[]) =>
      [running, waiting, bare].map(({ name, place }) =>
        features
          .find((feature) => feature.name === name)
          ?.environments.find((environment) => environment.name === place.environment),
      );
    const started = { milestoneName: 'Few', milestoneOrder: 0, totalMilestones: 2 };
    const lists = [
      (await service.get('/api/admin/search/features')).body,
      (await service.get('/api/admin/console/flags')).body,
    ];
    for (const features of lists.map((body) => body.features ?? body.flags)) {
      const [first, second, third] = progressIn(features);
      expect(first).toMatchObject(started);
      expect(second).toMatchObject({ totalMilestones: 2 });
      expect(second).not.toHaveProperty('milestoneName');
      expect(third).not.toHaveProperty('totalMilestones');
    }
    expect((await service.get('/api/admin/instance-admin/statistics')).body).toMatchObject({ releasePlans: 2 });
  });

  test("has its pages and limits in Unleash's admin UI", async () => {
    const { body } = await service.get('/api/admin/ui-config');
    expect(body.flags).toMatchObject({ milestoneProgression: true, safeguards: true });
    expect(body.resourceLimits.releaseTemplates).toBeGreaterThan(0);
  });
});
