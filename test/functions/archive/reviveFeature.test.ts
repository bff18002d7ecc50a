import { describe, expect, test } from 'vitest';
import { addFeaturesOn, enabledCounts, eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('reviveFeature', {
  route: 'POST /api/admin/archive/revive/{featureName}',
  versionAt: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature({ archived: true, on: true })).place,
    project: world.home.projectId,
  }),
  // The feature says which project it is of.
  waits: 3,
  again: 404,
  ofArchived: true,
});

describe('Reviving a feature', () => {
  const { service, world } = sharedWorld();
  const revive = (name: string) => service.post(paths.revived(name));

  test('takes it out of the archive as it was, but off in every environment', async () => {
    const { name } = await world.feature({ on: true });
    const counts = await enabledCounts(service);
    await addFeaturesOn(service, [name], { environment: 'production' });
    const before = await readFeature(service, name);
    await service.call('DELETE', paths.feature(name));
    const events = await eventsAddedBy(service, name, async () => {
      expect(await revive(name)).toMatchObject({ status: 200, text: '' });
    });
    expect(events.map(({ type, environment }) => [type, environment])).toEqual([
      ['feature-revived', null],
      ['feature-environment-disabled', 'development'],
      ['feature-environment-disabled', 'production'],
    ]);
    expect(await readFeature(service, name)).toEqual({
      ...before,
      enabled: false,
      environments: before.environments.map((each: object) => ({ ...each, enabled: false })),
      lifecycle: { stage: 'initial', enteredStageAt: events[0]?.createdAt },
    });
    const { body } = await service.get(paths.archive());
    expect(body.features.map((each: { name: string }) => each.name)).not.toContain(name);
    expect(await enabledCounts(service)).toEqual({ ...counts, development: Number(counts.development) - 1 });
  });
});
