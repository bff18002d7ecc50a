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
    for (const nothing of [null, {}]) {
      expect(listDifferences(nothing, { disabled: false })).toEqual([]);
      expect(listDifferences({ disabled: false }, nothing)).toEqual([]);
    }
  });

  test('name roles and rules in words, and leave out ids that say nothing', () => {
    expect(
      listDifferences({ rootRole: 3, userId: 7, roles: [5] }, { rootRole: 2, userId: 7, roles: [4, 1234] }),
    ).toEqual([
      { label: 'Role', before: 'Viewer', after: 'Editor' },
      { label: 'Roles', before: 'Member' },
      { label: 'Roles', after: 'Owner' },
    ]);
    expect(listDifferences(null, { userId: 7, groupId: 3, rootRole: 1234, changeRequestId: 1 })).toEqual([]);
    expect(listDifferences(null, { onDrift: 'refuse', selfApproval: 'never', overrideDelayMinutes: 5 })).toEqual([
      { label: 'If the same was changed meanwhile', after: 'it is not applied' },
      { label: 'Own changes approved by', after: 'nobody' },
      { label: 'Override after', after: '5 minutes' },
    ]);
    expect(listDifferences(null, { parameters: { userIds: '7,8', groupId: 'checkout' } })).toHaveLength(2);
  });

  test('show times in the zone of the reader', () => {
    const [difference] = listDifferences(null, { expiresAt: '2031-05-02T10:00:00.000Z' });
    expect(difference?.after).toMatch(/2 May 2031/);
  });

  test('show the milestones of a release template by their shares and times', () => {
    const few = { name: 'Few', transitionCondition: { intervalMinutes: 2_880 }, strategies: [{ name: 'default' }] };
    const strategies = [{ parameters: { rollout: '50' } }, { parameters: { rollout: '10' } }];
    expect(listDifferences({ milestones: [few] }, { milestones: [few, { name: 'Half', strategies }] })).toEqual([
      { label: 'Milestones', after: 'Half: 50%, 10%' },
    ]);
    expect(listDifferences({ milestones: [few] }, {})).toEqual([
      { label: 'Milestones', before: 'Few: 100%, for 2 days' },
    ]);
  });
});
