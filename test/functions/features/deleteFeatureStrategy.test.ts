import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, readState } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteFeatureStrategy', {
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  ...openTo('Member', 'DELETE_FEATURE_STRATEGY'),
  request: async (world) => {
    const feature = await world.feature({ on: true });
    return { params: { ...feature.place, strategyId: await world.strategy(feature) } };
  },
  again: 404,
});

describe('Deleting a strategy', () => {
  const { service, world } = sharedWorld();
  const remove = (name: string, id: string) => service.call('DELETE', `${paths.strategies(name)}/${id}`);

  test('leaves the others as they are, and the feature on', async () => {
    const feature = await world.feature({ on: true });
    const [before] = (await readState(service, feature.name)).strategies;
    const id = await world.strategy(feature);
    const events = await eventsAddedBy(service, feature.name, () => remove(feature.name, id));
    expect(events).toMatchObject([{ type: 'feature-strategy-remove', environment: 'development', preData: { id } }]);
    expect(await readState(service, feature.name)).toMatchObject({ enabled: true, strategies: [before] });
  });

  test('switches the feature off with the last enabled one, in the same transaction', async () => {
    const feature = await world.feature({ on: true });
    await world.strategy(feature, { name: 'default', disabled: true });
    const [enabled] = (await readState(service, feature.name)).strategies;
    const events = await eventsAddedBy(service, feature.name, () => remove(feature.name, enabled?.id ?? ''));
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'feature-environment-disabled',
      'feature-strategy-remove',
    ]);
    expect(await readState(service, feature.name)).toMatchObject({ enabled: false });
  });
});
