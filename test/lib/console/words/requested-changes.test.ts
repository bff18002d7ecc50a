import { describe, expect, test } from 'vitest';
import { listDifferences } from '../../../../lib/console/words/differences.ts';
import { tellEffect, tellRequestedEffect, toEffect } from '../../../../lib/console/words/requested-changes.ts';
import { toServedState } from '../../../../lib/delivery/preview/live-strategies.ts';
import { stateAfter } from '../../../../lib/delivery/preview/state-after.ts';

const strategy = {
  ...{ id: 'a', name: 'flexibleRollout', title: null, disabled: false, segments: [], constraints: [], variants: [] },
  ...{ sortOrder: 0, parameters: { rollout: '25', stickiness: 'userId', groupId: 'checkout' } },
};
const wider = { ...strategy, parameters: { ...strategy.parameters, rollout: '50' } };

const plan = {
  ...{ id: 'p', name: 'Slowly', activeMilestoneId: 'few', safeguards: [] },
  milestones: [
    { id: 'few', name: 'Few', strategies: [strategy], transitionCondition: { intervalMinutes: 60 } },
    { id: 'half', name: 'Half', strategies: [{ ...wider, id: 'b' }] },
  ],
};
const safeguard = {
  impactMetric: { metricName: 'errors', aggregationMode: 'rps' },
  triggerCondition: { operator: '>', threshold: 3 },
};
const signal = { ...safeguard, id: 's', impactMetric: { metricName: 'signal:smoke', aggregationMode: 'count' } };

/** Changes of release plans and safeguards, as a change request shows them. */
const ofPlans: readonly [string, Parameters<typeof toEffect>[0]][] = [
  ['Adds the release plan “Slowly”', { action: 'addReleasePlan', payload: { templateId: 't', template: plan } }],
  ['Removes the release plan “Slowly”', { action: 'deleteReleasePlan', payload: { planId: 'p', snapshot: plan } }],
  ...(
    [
      ['Starts the milestone “Half” after “Few”', 'startMilestone', { milestoneId: 'half' }],
      [
        ...['Changes the rollout from 50% to 60%', 'updateMilestoneStrategy'],
        { id: 'b', parameters: { rollout: '60' } },
      ],
      [
        ...['Sets the time of the milestone “Few” to 2 hours', 'changeMilestoneProgression'],
        { sourceMilestone: 'few', targetMilestone: 'half', transitionCondition: { intervalMinutes: 120 } },
      ],
      ['Removes the time of the milestone “Few”', 'deleteMilestoneProgression', { sourceMilestone: 'few' }],
      ['Resumes the release plan “Slowly”', 'resumeMilestoneProgression', { planId: 'p' }],
      [
        'Adds the safeguard “errors (per second) is above 3 in the last hour”',
        'changeReleasePlanSafeguard',
        { planId: 'p', safeguard },
      ],
    ] as [string, string, object][]
  ).map(([words, action, payload]): (typeof ofPlans)[number] => [
    words,
    { action, payload: { ...payload, snapshot: plan } },
  ]),
  [
    'Removes the safeguard “the signal smoke comes”',
    {
      action: 'deleteReleasePlanSafeguard',
      payload: { planId: 'p', safeguardId: 's', snapshot: { ...plan, safeguards: [signal] } },
    },
  ],
  [
    'Changes the safeguard “errors (per second) is above 3 in the last hour”',
    { action: 'changeFeatureEnvSafeguard', payload: { safeguard, snapshot: signal } },
  ],
  [
    'Removes the safeguard “the signal smoke comes”',
    { action: 'deleteFeatureEnvSafeguard', payload: { snapshot: signal } },
  ],
];

describe('A requested change', () => {
  test.each(ofPlans)('of a release plan is told as “%s”', (words, change) => {
    expect(tellRequestedEffect(toEffect(change))).toBe(words);
  });

  test('of a release plan lists its milestones with their times', () => {
    const { data, preData } = toEffect({ action: 'addReleasePlan', payload: { templateId: 't', template: plan } });
    expect(listDifferences(preData, { milestones: data?.milestones })).toEqual([
      { label: 'Milestones', after: 'Few: 25%, for 1 hour' },
      { label: 'Milestones', after: 'Half: 50%' },
    ]);
  });

  test('of a release plan changes what SDKs get of the flag', () => {
    const before = { enabled: true, strategies: [], releasePlans: [plan] };
    const idsAfter = (...effects: ReturnType<typeof toEffect>[]) =>
      toServedState(stateAfter(before, effects)).strategies.map(({ id, parameters }) => [id, parameters.rollout]);
    const ofPlan = (action: string, payload: object) => toEffect({ action, payload: { ...payload, snapshot: plan } });
    expect(idsAfter()).toEqual([['a', '25']]);
    const update = ofPlan('updateMilestoneStrategy', { id: 'b', parameters: { rollout: '60' } });
    expect(idsAfter(update, ofPlan('startMilestone', { milestoneId: 'half' }))).toEqual([['b', '60']]);
    expect(idsAfter(ofPlan('deleteReleasePlan', { planId: 'p' }))).toEqual([]);
  });

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
    expect(tellRequestedEffect(toEffect(change))).toBe(words);
  });

  test('that updates a strategy shows what it sends alone, and what another type takes away', () => {
    const differencesOf = (payload: object) => {
      const { data, preData } = toEffect({ action: 'updateStrategy', payload: { ...payload, snapshot: strategy } });
      return listDifferences(preData, data).map(({ label, before, after }) => [label, before, after]);
    };
    const { parameters } = wider;
    expect(differencesOf({ id: 'a', parameters })).toEqual([['Rollout', '25%', '50%']]);
    expect(differencesOf({ id: 'a', name: 'default' })).toContainEqual(['Rollout', '25%', undefined]);
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
