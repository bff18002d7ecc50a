import { expect, test } from 'vitest';
import { describeStrategyState } from '../../../../lib/console/words/strategy-state.ts';

test('A strategy has the names of its segments in a table, and no group of its hash, which says nothing to people', () => {
  const strategy = { disabled: false, segments: [1, 2], parameters: { rollout: '100', groupId: 'new-checkout' } };
  expect(describeStrategyState(strategy, [{ id: 1, name: 'beta-testers' }])).toEqual({
    ...{ disabled: false, segments: ['beta-testers', 'segment 2'], parameters: { rollout: '100' } },
  });
  expect(describeStrategyState({ variants: [] }, [])).toEqual({ variants: [] });
});
