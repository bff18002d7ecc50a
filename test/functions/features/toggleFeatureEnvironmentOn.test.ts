import { describe, expect, test } from 'vitest';
import {
  addFeatures,
  enabledCounts,
  eventsAddedBy,
  frequencies,
  paths,
  readState,
  shopSeed,
} from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('toggleFeatureEnvironmentOn', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/on',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => ({ params: (await world.feature()).place }),
  others: {
    'with its own strategy': async (world) => ({
      params: (await world.feature({ strategies: [{ name: 'default' }] })).place,
    }),
    'with its disabled strategies': async (world) => ({
      params: (await world.feature({ strategies: [{ name: 'default', disabled: true }] })).place,
      query: { shouldActivateDisabledStrategies: 'true' },
    }),
  },
  misdescribed: 'an empty body',
  differs: 'answers `{}`',
});

const { service, world } = sharedWorld(shopSeed);

const on = (name: string, query = '', environment?: string, project?: string) =>
  service.post(`${paths.switch(name, 'on', environment, project)}${query}`);
const typesAddedBy = async (name: string, call: () => Promise<unknown>) =>
  (await eventsAddedBy(service, name, call)).map(({ type }) => type);

describe('Switching a feature on', () => {
  test('keeps its strategies where one of them is enabled', async () => {
    const { name } = await world.feature({ strategies: [{ name: 'default' }, { name: 'default', disabled: true }] });
    const before = await readState(service, name);
    const counts = await enabledCounts(service);
    const events = await eventsAddedBy(service, name, async () => {
      expect(await on(name)).toMatchObject({ status: 200, text: '{}' });
    });
    expect(events).toMatchObject([
      {
        type: 'feature-environment-enabled',
        project: 'default',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await readState(service, name)).toEqual({ ...before, enabled: true });
    expect(await enabledCounts(service)).toEqual({ ...counts, development: Number(counts.development) + 1 });
  });

  test('adds a gradual rollout to everybody where it has no strategy', async () => {
    await addFeatures(service, ['bare'], { project: 'shop' });
    const types = await typesAddedBy('bare', () => on('bare', '', 'staging', 'shop'));
    expect(types).toEqual(['feature-strategy-add', 'feature-environment-enabled']);
    expect(await readState(service, 'bare', 'staging', 'shop')).toMatchObject({
      enabled: true,
      strategies: [
        {
          name: 'flexibleRollout',
          disabled: false,
          sortOrder: 0,
          parameters: { rollout: '100', stickiness: 'userId', groupId: 'bare' },
        },
      ],
    });
  });

  test('adds a copy of the default strategy after those that are disabled', async () => {
    const project = await world.project();
    const { name } = await world.feature({ project, strategies: [{ name: 'default', disabled: true, sortOrder: 4 }] });
    await world.ask('POST', `/api/admin/projects/${project}/environments/development/default-strategy`, {
      name: 'flexibleRollout',
      title: 'Ours',
      disabled: true,
      parameters: { rollout: '20' },
    });
    expect(await typesAddedBy(name, () => on(name, '', 'development', project))).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
    expect(await readState(service, name, 'development', project)).toMatchObject({
      enabled: true,
      strategies: [
        { name: 'default', disabled: true, sortOrder: 4 },
        { name: 'flexibleRollout', title: 'Ours', disabled: false, sortOrder: 5, parameters: { rollout: '20' } },
      ],
    });
  });

  test('enables all disabled strategies on demand, and adds none', async () => {
    const strategies = [
      { name: 'default', disabled: true },
      { name: 'default', title: 'on' },
    ];
    const { name } = await world.feature({ strategies });
    const events = await eventsAddedBy(service, name, () => on(name, '?shouldActivateDisabledStrategies=true'));
    expect(events).toMatchObject([
      { type: 'feature-strategy-update', data: { disabled: false }, preData: { disabled: true } },
      { type: 'feature-environment-enabled' },
    ]);
    const state = await readState(service, name);
    expect(state.strategies.map(({ disabled }: { disabled: boolean }) => disabled)).toEqual([false, false]);
  });

  test('does so of a feature that is on already, too', async () => {
    const { name } = await world.feature({ on: true });
    await world.ask('POST', paths.strategies(name), { name: 'default', disabled: true });
    const types = await typesAddedBy(name, () => on(name, '?shouldActivateDisabledStrategies=true'));
    expect(types).toEqual(['feature-strategy-update']);
  });

  test('refuses a query that is neither true nor false', async () => {
    const { name } = await world.feature();
    expect((await on(name, '?shouldActivateDisabledStrategies=maybe')).status).toBe(400);
  });

  test('says what to do where thirty disabled strategies leave no room for another one', async () => {
    const strategies = Array.from({ length: 30 }, () => ({ name: 'default', disabled: true }));
    const { name } = await world.feature({ strategies });
    expect(await on(name)).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
    expect((await on(name, '?shouldActivateDisabledStrategies=true')).status).toBe(200);
  });

  test('adds one strategy and one event where four do it at once', async () => {
    const { name } = await world.feature();
    const types = await typesAddedBy(name, async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => on(name)));
      expect(frequencies(answers.map(({ status }) => status))).toEqual({ 200: 4 });
    });
    expect(types).toEqual(['feature-strategy-add', 'feature-environment-enabled']);
  });
});
