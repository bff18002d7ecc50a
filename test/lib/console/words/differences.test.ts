import { describe, expect, test } from 'vitest';
import { listDifferences } from '../../../../lib/console/words/differences.ts';

describe('Differences in words', () => {
  test('name each property that changed, with both values', () => {
    const strategy = { id: 's', title: '', parameters: { rollout: '25', stickiness: 'userId' }, disabled: false };
    const changed = {
      ...strategy,
      id: 't',
      title: 'Staff',
      parameters: { rollout: '50', stickiness: 'userId' },
      disabled: true,
    };
    expect(listDifferences(strategy, changed)).toEqual([
      { label: 'Title', after: 'Staff' },
      { label: 'Rollout', before: '25%', after: '50%' },
      { label: 'Switched off', before: 'no', after: 'yes' },
    ]);
  });

  test('list the added and removed elements of a list, and say conditions as sentences', () => {
    const before = { constraints: [{ contextName: 'plan', operator: 'IN', values: ['free'] }], tags: ['a', 'b'] };
    const after = { constraints: [{ contextName: 'plan', operator: 'IN', values: ['free', 'pro'] }], tags: ['b', 'c'] };
    expect(listDifferences(before, after)).toEqual([
      { label: 'Condition', before: 'plan is free' },
      { label: 'Condition', after: 'plan is one of free, pro' },
      { label: 'Tags', before: 'a' },
      { label: 'Tags', after: 'c' },
    ]);
  });

  test('show another order of a list, and variants with their shares', () => {
    const [red, blue] = [
      { name: 'red', weight: 250 },
      { name: 'blue', weight: 750, payload: { type: 'string', value: '#00f' } },
    ];
    expect(listDifferences({ variants: [red, blue] }, { variants: [blue, red] })).toEqual([
      { label: 'Variant', before: 'red 25%, blue 75%, #00f', after: 'blue 75%, #00f, red 25%' },
    ]);
  });

  test('describe a created and a deleted thing', () => {
    expect(listDifferences(null, { appName: 'shop', lastSeenAt: 'now' })).toEqual([
      { label: 'App name', after: 'shop' },
    ]);
    expect(listDifferences({ appName: 'shop' }, undefined)).toEqual([{ label: 'App name', before: 'shop' }]);
    expect(listDifferences({ appName: 'shop' }, { appName: 'shop' })).toEqual([]);
    expect(listDifferences({ title: null }, { title: '', constraints: [] })).toEqual([]);
  });
});
