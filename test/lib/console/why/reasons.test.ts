import { describe, expect, test } from 'vitest';
import { describeChance, describeVerdict, missesByCase } from '../../../../lib/console/why/reasons.ts';
import type { ExplainedStrategy, ExplanationResult } from '../../../../lib/delivery/evaluation/explanation.ts';
import type { Constraint } from '../../../../lib/features/strategies/constraint-schema.ts';

const plan = (fields: Partial<Constraint> = {}, result = false) => ({
  ...{ contextName: 'plan', operator: 'IN' as const, values: ['Pro'], inverted: false },
  ...fields,
  result,
});

/** Builds a strategy that somebody explains. */
function explained(parameters: Readonly<Record<string, string>>, enabled = true, title: string | null = null) {
  const strategy: ExplainedStrategy['strategy'] = {
    ...{ id: 'id', name: 'flexibleRollout', title, disabled: false, featureName: 'checkout', sortOrder: 0 },
    ...{ segments: [], constraints: [], variants: [], parameters },
  };
  return { strategy, result: { evaluationStatus: 'complete', enabled }, constraints: [], segments: [] } as const;
}

const resultOf = (strategies: readonly ExplainedStrategy[], isEnabled: boolean): ExplanationResult => ({
  ...{ isEnabled, hasUnsatisfiedDependency: false, result: isEnabled, strategies, variants: [] },
  variant: { name: 'disabled', enabled: false },
});

const tenth = { rollout: '10', stickiness: 'default' };

describe('A strategy depends on chance', () => {
  test('where it divides users and there is none', () => {
    expect(describeChance(explained(tenth), {})).toBe('random, since there is no userId');
    expect(describeChance(explained({ rollout: '10' }), { userId: '' })).toBe('random, since there is no userId');
  });

  test('where it says so itself', () => {
    expect(describeChance(explained({ ...tenth, stickiness: 'random' }), { userId: 'ada' })).toContain('each time');
  });

  test('but not with a user or a session, by another field, or for all or none', () => {
    expect(describeChance(explained(tenth), { userId: 'ada' })).toBeUndefined();
    expect(describeChance(explained(tenth), { sessionId: 's' })).toBeUndefined();
    expect(describeChance(explained({ ...tenth, stickiness: 'region' }), {})).toBeUndefined();
    expect(describeChance(explained({ ...tenth, rollout: '100' }), {})).toBeUndefined();
    expect(describeChance(explained({ ...tenth, rollout: '0' }), {})).toBeUndefined();
    expect(describeChance({ ...explained(tenth), constraints: [plan()] }, {})).toBeUndefined();
  });
});

describe('The verdict on a flag', () => {
  test('names the strategy by which it is on', () => {
    const strategies = [explained(tenth, false), explained({ rollout: '100' }, true, 'Beta testers')];
    expect(describeVerdict(resultOf(strategies, true), { userId: 'ada' }, true)).toEqual({
      ...{ word: 'On', reason: 'by the strategy “Beta testers”' },
    });
  });

  test('is no fact where chance decides, whatever it was this time', () => {
    for (const isEnabled of [true, false]) {
      expect(describeVerdict(resultOf([explained(tenth, isEnabled)], isEnabled), {}, true)).toEqual({
        ...{ word: 'Random', reason: 'since there is no userId' },
      });
    }
  });

  test('is off for a flag that is off, even with a strategy that depends on chance', () => {
    expect(describeVerdict(resultOf([explained(tenth)], false), {}, false).word).toBe('Off');
  });
});

describe('A condition misses only by case', () => {
  test.each([
    ['pro', {}, true],
    ['basic', {}, false],
    ['', {}, false],
    ['PROFESSIONAL', { operator: 'STR_STARTS_WITH' as const }, true],
    ['not-pro', { operator: 'STR_ENDS_WITH' as const }, true],
    ['a pro b', { operator: 'STR_CONTAINS' as const }, true],
    ['pro', { inverted: true }, false],
    ['pro', { operator: 'NOT_IN' as const }, false],
  ])('with the value %j and %j: %j', (value, fields, isSo) => {
    expect(missesByCase(plan(fields), { plan: value })).toBe(isSo);
  });

  test('but not where it holds', () => {
    expect(missesByCase(plan({}, true), { plan: 'Pro' })).toBe(false);
  });
});
