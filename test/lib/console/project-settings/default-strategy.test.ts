import { expect, test } from 'vitest';
import {
  buildDefaultStrategy,
  describeDefaultStrategy,
  toStrategyDraft,
} from '../../../../lib/console/project-settings/default-strategy.ts';

test('Without a default strategy, a flag that is switched on is on for everyone', () => {
  expect(describeDefaultStrategy(undefined)).toBe('A flag that is switched on is on for everyone');
});

test('A default strategy keeps its conditions while its share is edited', () => {
  const before = {
    name: 'flexibleRollout',
    title: 'Carefully',
    constraints: [{ contextName: 'country', operator: 'IN' as const, values: ['CH'] }],
    parameters: { rollout: '10', stickiness: 'userId', groupId: 'all' },
  };
  const after = buildDefaultStrategy(before, { ...toStrategyDraft(before), rollout: 60 });
  expect(after).toEqual({ ...before, parameters: { rollout: '60', stickiness: 'userId', groupId: 'all' } });
  expect(describeDefaultStrategy(after)).toBe(
    'A flag that is switched on is on for 60% of users, the same ones each time by userId, with 1 condition',
  );
});

test('Chance each time is said', () => {
  const strategy = buildDefaultStrategy(undefined, { rollout: 5, stickiness: 'random' });
  expect(describeDefaultStrategy(strategy)).toBe(
    'A flag that is switched on is on for 5% of users, by chance each time',
  );
});
