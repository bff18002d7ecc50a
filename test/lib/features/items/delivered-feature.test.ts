import { describe, expect, test } from 'vitest';
import { toDeliveredFeature, toDeliveredState } from '../../../../lib/features/items/delivered-feature.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';

const strategy = (fields: Partial<Strategy> = {}): Strategy => ({
  id: 'id',
  name: 'default',
  title: 'Everybody',
  disabled: false,
  featureName: 'checkout',
  sortOrder: 0,
  segments: [],
  constraints: [],
  variants: [],
  parameters: {},
  ...fields,
});

const feature = {
  name: 'checkout',
  type: 'release',
  project: 'default',
  stale: false,
  description: null,
  impressionData: false,
  dependencies: [],
};

describe('A feature for SDKs', () => {
  test('has exactly the fields that SDKs read', () => {
    const { strategies, variants } = toDeliveredState({ strategies: [strategy({ segments: [3] })], variants: [] });
    expect(toDeliveredFeature(feature, true, { strategies, variants })).toEqual({
      name: 'checkout',
      type: 'release',
      enabled: true,
      project: 'default',
      stale: false,
      strategies: [{ name: 'default', constraints: [], parameters: {}, variants: [], segments: [3] }],
      variants: [],
      description: null,
      impressionData: false,
    });
  });

  test('has only its enabled strategies, in their order', () => {
    const strategies = [
      strategy({ name: 'last', sortOrder: 2 }),
      strategy({ name: 'off', sortOrder: 1, disabled: true }),
      strategy({ name: 'first', sortOrder: 0 }),
    ];
    expect(toDeliveredState({ strategies, variants: [] }).strategies.map(({ name }) => name)).toEqual([
      'first',
      'last',
    ]);
  });

  test('has the property segments only if a strategy uses any', () => {
    expect(toDeliveredState({ strategies: [strategy()], variants: [] }).strategies[0]).not.toHaveProperty('segments');
  });

  test('has variants with the default stickiness if theirs is missing', () => {
    const variants = [{ name: 'a', weight: 1000, overrides: [{ contextName: 'userId', values: ['1'] }] }];
    expect(toDeliveredState({ strategies: [], variants }).variants).toEqual([
      { ...variants[0], stickiness: 'default' },
    ]);
  });

  test('has variants of a parent only if the parent must be on in one of them', () => {
    const dependencies = [
      { feature: 'on', enabled: true, variants: [] },
      { feature: 'in', enabled: true, variants: ['a'] },
      { feature: 'off', enabled: false, variants: ['a'] },
    ];
    const nothing = toDeliveredState({ strategies: [], variants: [] });
    expect(toDeliveredFeature({ ...feature, dependencies }, false, nothing).dependencies).toEqual([
      { feature: 'on', enabled: true },
      { feature: 'in', enabled: true, variants: ['a'] },
      { feature: 'off', enabled: false },
    ]);
  });
});
