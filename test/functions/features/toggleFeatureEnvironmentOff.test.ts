import { describe, expect, test } from 'vitest';
import { addFeaturesOn, enabledCounts, eventsAddedBy, paths, readFeature } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('toggleFeatureEnvironmentOff', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/off',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  misdescribed: 'an empty body',
  differs: 'answers `{}`',
});

describe('Switching a feature off', () => {
  const { service, world } = sharedWorld();

  // They write it in two ways.
  test.each([
    ['alone', '{}', (name: string) => service.post(paths.switch(name, 'off'))],
    ['with others', '', (name: string) => service.post(paths.off(), { features: [name] })],
  ] as const)('%s leaves all else of it as it is, and the other environments', async (_how, text, off) => {
    const { name } = await world.feature({ on: true, tags: [{ type: 'simple', value: 'tagged' }] });
    await addFeaturesOn(service, [name], { environment: 'production' });
    const before = await readFeature(service, name);
    const counts = await enabledCounts(service);
    const events = await eventsAddedBy(service, name, async () => {
      expect(await off(name)).toMatchObject({ status: 200, text });
    });
    const about = { project: 'default', environment: 'development', featureName: name, data: null, preData: null };
    const tags = [{ type: 'simple', value: 'tagged' }];
    expect(events).toMatchObject([
      { type: 'feature-environment-disabled', ...about, tags, createdBy: 'admin', createdByUserId: -42 },
    ]);
    const [development, production] = before.environments;
    expect(await readFeature(service, name)).toEqual({
      ...before,
      environments: [{ ...development, enabled: false }, production],
    });
    expect(await enabledCounts(service)).toEqual({ ...counts, development: Number(counts.development) - 1 });
  });
});
