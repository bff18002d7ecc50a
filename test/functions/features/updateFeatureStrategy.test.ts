import { describe, expect, test } from 'vitest';
import { enabledCounts, eventsAddedBy, paths, problemPaths, readState, shopSeed } from '../../harness/features.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { required, nullable } = strategyPlaces();

specify('updateFeatureStrategy', {
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies/{strategyId}',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const feature = await world.feature();
    return {
      params: { ...feature.place, strategyId: await world.strategy(feature) },
      body: await wholeStrategy(world),
    };
  },
  others: {
    'the last enabled one of a feature that is on, disabled': async (world) => {
      const feature = await world.feature({ on: true, strategies: [{ name: 'default' }] });
      const { place } = feature;
      const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}`;
      const { body } = await world.ask('PUT', path, {});
      const { strategies } = body.environments.find((each: { name: string }) => each.name === place.environment);
      return { params: { ...place, strategyId: strategies[0].id }, body: { disabled: true } };
    },
  },
  required: required.filter((place) => place !== 'name'),
  nullable,
  differs: 'omitted parameters stay as they are, where Unleash gives some their defaults',
});

const { service, world } = sharedWorld(shopSeed);

/** A feature with one strategy, and what updates it. */
async function made(stored: object = { name: 'default' }, on = false) {
  const feature = await world.feature(on ? { on, strategies: [stored] } : {});
  if (!on) await world.strategy(feature, stored);
  const { name } = feature;
  const read = async () => (await readState(service, name)).strategies[0];
  const before = await read();
  const update = (body: object, id = before.id) => service.put(`${paths.strategies(name)}/${id}`, body);
  return { name, before, read, update };
}

const full = {
  name: 'flexibleRollout',
  title: 'Half',
  sortOrder: 4,
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }],
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
  segments: [1],
};

describe('Updating a strategy', () => {
  test('empties constraints and variants that are left out, as Unleash does, and leaves the rest as it is', async () => {
    const { before, read, update } = await made(full);
    expect(before).toMatchObject({ ...full, sortOrder: expect.any(Number) });
    const emptied = { constraints: [], variants: [] };
    for (const change of [{ title: 'All' }, { parameters: { rollout: '7' } }, { segments: [] }, { sortOrder: -2 }]) {
      const stored = await read();
      const { status, body } = await update(change);
      const parameters = { stickiness: 'default', groupId: before.featureName, ...change.parameters };
      expect([status, body]).toEqual([
        200,
        { ...stored, ...emptied, ...change, ...(change.parameters && { parameters }) },
      ]);
      expect(await read()).toEqual(body);
    }
  });

  test('takes what it answers, its id included, and writes nothing then', async () => {
    const { name, before, update } = await made(full);
    expect(await eventsAddedBy(service, name, () => update({ ...before, id: 'other', featureName: 'other' }))).toEqual(
      [],
    );
    expect(await update(before)).toMatchObject({ status: 200, body: before });
  });

  test('shares the weights anew, and clears what is null', async () => {
    const { update } = await made({ ...full, disabled: true });
    const variant = (name: string) => ({ name, weight: 0, weightType: 'variable', stickiness: 'default' });
    const { body } = await update({
      variants: [variant('a'), variant('b'), variant('c')],
      title: null,
      disabled: null,
    });
    expect(body).toMatchObject({ title: null, disabled: false });
    expect(body.variants.map(({ weight }: { weight: number }) => weight)).toEqual([334, 333, 333]);
  });

  test('gives another type its own parameters', async () => {
    const { update } = await made(full);
    expect((await update({ name: 'default' })).body).toMatchObject({ name: 'default', parameters: {} });
    expect((await update({ name: 'flexibleRollout' })).body.parameters).toMatchObject({ rollout: '100' });
    expect((await update({ name: 'remoteAddress', parameters: { IPs: '::1' } })).body.parameters).toEqual({
      IPs: '::1',
    });
  });

  test('tells what it was and what it is', async () => {
    const { name, before, update } = await made(full);
    const events = await eventsAddedBy(service, name, () => update({ ...before, title: 'All' }));
    const { featureName: _featureName, ...shown } = before;
    expect(events).toMatchObject([{ type: 'feature-strategy-update', environment: 'development' }]);
    expect(events[0]).toMatchObject({ preData: shown, data: { ...shown, title: 'All' } });
    expect(events[0]?.data).not.toHaveProperty('featureName');
  });

  test('switches the feature off where it disables the last enabled one, in the same transaction', async () => {
    const { name, update } = await made({ name: 'default' }, true);
    const counts = await enabledCounts(service);
    await service.post(paths.strategies(name), { name: 'default', disabled: true });
    const events = await eventsAddedBy(service, name, () => update({ disabled: true }));
    expect(events.map(({ type }) => type)).toEqual(['feature-strategy-update', 'feature-environment-disabled']);
    expect(await readState(service, name)).toMatchObject({ enabled: false, hasEnabledStrategies: false });
    expect((await enabledCounts(service)).development).toBe((counts.development ?? 0) - 1);
  });

  test('leaves the feature on while another strategy is enabled', async () => {
    const { name, update } = await made({ name: 'default' }, true);
    await service.post(paths.strategies(name), { name: 'default' });
    expect((await eventsAddedBy(service, name, () => update({ disabled: true }))).length).toBe(1);
    expect(await readState(service, name)).toMatchObject({ enabled: true });
  });

  test('moves the references to segments with it', async () => {
    const { update } = await made(full);
    const segment = await world.segment({ name: 'moved to' });
    await update({ segments: [segment.id] });
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(409);
    await update({ segments: [] });
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(204);
  });

  test('is refused with a rollout that is no percentage, of a type that stays', async () => {
    const { before, read, update } = await made(full);
    expect(problemPaths(await update({ parameters: { rollout: '101' } }))).toEqual(['parameters.rollout']);
    expect(await read()).toEqual(before);
  });

  test('does not ask again for what stays as it is', async () => {
    const field = await world.contextField({ legalValues: [{ value: 'CH' }] });
    const constraints = [{ contextName: field, operator: 'IN', values: ['CH'] }];
    const { update } = await made({ ...full, constraints });
    expect(await update({ title: 'All', constraints })).toMatchObject({ status: 200 });
  });
});
