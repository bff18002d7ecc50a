import { describe, expect, test } from 'vitest';
import * as projectKeys from '../../../lib/projects/keys.ts';
import { problemPaths, readState } from '../../harness/features.ts';
import { countTransactions, imported, importSeed, interrupted, writesNothing } from '../../harness/imports.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('addDefaultStrategyToProjectEnvironment', {
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/default-strategy',
  ...openTo('Owner', 'UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'),
  request: async (world) => ({
    params: { projectId: await world.project(), environment: world.home.environment },
    body: await wholeStrategy(world),
  }),
  others: {
    'that of all environments': async (world) => ({
      params: { projectId: await world.project(), environment: '*' },
      body: await wholeStrategy(world),
    }),
  },
  ...strategyPlaces(),
});

const service = sharedService(importSeed);

const pathOf = (environment: string, project = 'default') =>
  `/api/admin/projects/${project}/environments/${environment}/default-strategy`;
const set = (strategy: unknown, environment = 'development', project?: string) =>
  service.post(pathOf(environment, project), strategy);
const refused = (strategy: unknown, environment?: string, project?: string) =>
  writesNothing(service, () => set(strategy, environment, project));

const eventsOf = (call: () => Promise<unknown>) => serviceEventsAddedBy(service.table, call);

/** The strategy that a feature gets which is switched on in an environment. */
async function given(name: string, environment = 'development') {
  const data = { features: [{ name }], featureEnvironments: [{ name, enabled: true }] };
  await imported(service, data, { environment });
  return (await readState(service, name, environment)).strategies;
}

const variant = (name: string, more = {}) => ({
  name,
  weight: 1,
  weightType: 'variable',
  stickiness: 'userId',
  ...more,
});
const full = {
  name: 'flexibleRollout',
  title: 'Half of Switzerland',
  disabled: false,
  sortOrder: 3,
  constraints: [{ contextName: 'country', operator: 'IN', caseInsensitive: true, inverted: false, values: ['CH'] }],
  variants: [variant('a', { payload: { type: 'json', value: '{}' } }), variant('b')],
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'shared' },
  segments: [41, 42],
};

describe('A default strategy', () => {
  test('is returned as it was sent, without defaults', async () => {
    expect(await set({ name: 'flexibleRollout' })).toMatchObject({ status: 200, body: { name: 'flexibleRollout' } });
    expect((await set({ name: 'flexibleRollout' })).body).toEqual({ name: 'flexibleRollout' });
    expect((await set(full)).body).toEqual(full);
  });

  test('is given to a feature that is switched on without a strategy, with final weights and its own group', async () => {
    const { sortOrder: _order, ...rest } = full;
    await set(rest);
    const expected = { ...rest, variants: [variant('a', { weight: 500 }), variant('b', { weight: 500 })] };
    expect(await given('gets-full')).toMatchObject([
      { ...expected, variants: expected.variants.map(({ name, weight }) => ({ name, weight })) },
    ]);
    await set({ name: 'flexibleRollout', parameters: { rollout: '10' } });
    expect(await given('gets-part')).toMatchObject([
      { parameters: { rollout: '10', stickiness: 'default', groupId: 'gets-part' } },
    ]);
  });

  test('applies only to its environment and project', async () => {
    await set({ name: 'flexibleRollout', title: 'development only' });
    await set({ name: 'flexibleRollout', title: 'production only' }, 'production');
    expect(await given('gets-own')).toMatchObject([{ title: 'development only' }]);
    expect(await given('gets-own', 'production')).toMatchObject([{ title: 'production only' }]);
    const data = { features: [{ name: 'in-other' }], featureEnvironments: [{ name: 'in-other', enabled: true }] };
    await imported(service, data, { project: 'other' });
    const { body } = await service.put('/api/admin/projects/other/features/in-other');
    const parameters = { rollout: '100', stickiness: 'userId', groupId: 'in-other' };
    expect(body.environments[0].strategies).toMatchObject([{ name: 'flexibleRollout', title: null, parameters }]);
  });

  test('that is the same in another order writes nothing', async () => {
    await set(full);
    expect(await refused(full)).toMatchObject({ status: 200, body: full });
    expect(await refused(Object.fromEntries(Object.entries(full).toReversed()))).toMatchObject({ status: 200 });
    const parameters = Object.fromEntries(Object.entries(full.parameters).toReversed());
    expect(await refused({ ...full, parameters })).toMatchObject({ status: 200 });
  });
});

test('A default strategy must be a flexibleRollout, as on Unleash', async () => {
  for (const environment of ['development', '*']) {
    expect(problemPaths(await refused({ name: 'default' }, environment))).toEqual(['name']);
  }
  const added = { environment: 'staging', defaultStrategy: { name: 'default' } };
  const add = () => service.post('/api/admin/projects/default/environments', added);
  expect(problemPaths(await writesNothing(service, add))).toEqual(['defaultStrategy.name']);
});

test('The environment * sets it in all environments of the project at once, with an event for each change', async () => {
  const strategy = { name: 'flexibleRollout', title: 'everywhere' };
  await set({ name: 'flexibleRollout', title: 'of development' });
  await set(strategy, 'production');
  const events = await eventsOf(async () => {
    expect(await countTransactions(service.table, () => set(strategy, '*'))).toBe(1);
  });
  expect(events).toMatchObject([
    {
      type: 'default-strategy-updated',
      environment: 'development',
      data: strategy,
      preData: { title: 'of development' },
    },
  ]);
  for (const environment of ['development', 'production']) {
    expect(await given(`everywhere-${environment}`, environment)).toMatchObject([{ title: 'everywhere' }]);
  }
  expect(await refused(strategy, '*')).toMatchObject({ status: 200 });
});

test.each(['*', 'development'])(
  'One that is set for %s while another is being set is what that one tells it replaced',
  async (environment) => {
    const strategy = (title: string) => ({ name: 'flexibleRollout', title });
    await set(strategy('first'), environment);
    const events = await eventsOf(() =>
      interrupted(
        service.table,
        projectKeys.project('default'),
        () => set(strategy('second'), environment),
        () => set(strategy('third'), environment),
      ),
    );
    const replacements = events
      .filter((event) => event.environment === 'development')
      .map(({ preData, data }) => `${preData?.title} by ${data?.title}`);
    expect(new Set(replacements)).toEqual(new Set(['first by second', 'second by third']));
  },
);
