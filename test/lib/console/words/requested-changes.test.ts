import { describe, expect, test } from 'vitest';
import { stateAfter } from '../../../../lib/console/preview/state-after.ts';
import { tellEffect, tellProposal, toEffect } from '../../../../lib/console/words/requested-changes.ts';

const strategy = {
  ...{ id: 'a', name: 'flexibleRollout', title: null, disabled: false, segments: [], constraints: [], variants: [] },
  ...{ sortOrder: 0, parameters: { rollout: '25', stickiness: 'userId', groupId: 'checkout' } },
};
const wider = { ...strategy, parameters: { ...strategy.parameters, rollout: '50' } };

describe('A requested change', () => {
  test.each([
    ['Switched it on', { action: 'updateEnabled', payload: { enabled: true } }],
    ['Switched it off', { action: 'updateEnabled', payload: { enabled: false } }],
    ['Changed the rollout from 25% to 50%', { action: 'updateStrategy', payload: { ...wider, snapshot: strategy } }],
    ['Added the strategy “Gradual rollout”', { action: 'addStrategy', payload: strategy }],
    ['Removed the strategy “Gradual rollout”', { action: 'deleteStrategy', payload: { id: 'a', snapshot: strategy } }],
    ['Archived the flag', { action: 'archiveFeature' }],
    ['Added the parent “base”', { action: 'addDependency', payload: { feature: 'base' } }],
    ['Changed the segment “beta”', { action: 'updateSegment', payload: { id: 1, name: 'beta' } }],
    ['Revived the flag', { action: 'feature-revived', payload: null }],
  ])('is told as “%s”', (words, change) => {
    expect(tellEffect(toEffect(change))).toBe(words);
  });

  test.each([
    ['Switches it on', { action: 'updateEnabled', payload: { enabled: true } }],
    ['Changes the rollout from 25% to 50%', { action: 'updateStrategy', payload: { ...wider, snapshot: strategy } }],
    ['Adds the strategy “Gradual rollout”', { action: 'addStrategy', payload: strategy }],
    ['Removes the strategy “Gradual rollout”', { action: 'deleteStrategy', payload: { id: 'a', snapshot: strategy } }],
    ['Archives the flag', { action: 'archiveFeature' }],
    ['Deletes the segment “beta”', { action: 'deleteSegment', payload: { name: 'beta' } }],
  ])('that is not made yet is told as “%s”', (words, change) => {
    expect(tellProposal(toEffect(change))).toBe(words);
  });

  test('changes the state of a flag that a preview evaluates', () => {
    const before = { enabled: false, strategies: [strategy] };
    const effects = [
      toEffect({ action: 'updateStrategy', payload: { ...wider, snapshot: strategy } }),
      toEffect({ action: 'addStrategy', payload: { ...strategy, id: 'b' } }),
      toEffect({ action: 'updateEnabled', payload: { enabled: true } }),
    ];
    const after = stateAfter(before, effects);
    expect(after.enabled).toBe(true);
    expect(after.strategies.map(({ id, parameters }) => [id, parameters.rollout])).toEqual([
      ['a', '50'],
      ['b', '25'],
    ]);
    expect(stateAfter(after, [toEffect({ action: 'deleteStrategy', payload: { id: 'a', snapshot: wider } })])).toEqual({
      ...after,
      strategies: after.strategies.slice(1),
    });
  });
});
