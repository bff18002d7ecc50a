import { describe, expect, test } from 'vitest';
import { describeCondition, operatorChoices } from '../../../../lib/console/words/conditions.ts';
import { takesList } from '../../../../lib/delivery/preview/condition-values.ts';
import type { Constraint } from '../../../../lib/features/strategies/constraint-schema.ts';

const plan = (rest: Partial<Constraint>) => ({ contextName: 'plan', operator: 'IN', ...rest }) as Constraint;

describe('A condition in words', () => {
  test.each([
    [plan({ values: ['business'] }), 'plan is business'],
    [plan({ values: ['business', 'enterprise'] }), 'plan is one of business, enterprise'],
    [plan({ operator: 'NOT_IN', values: ['free', 'trial'] }), 'plan is none of free, trial'],
    [plan({ operator: 'STR_STARTS_WITH', values: ['b'], inverted: true }), 'plan not: starts with b'],
    [plan({ contextName: 'age', operator: 'NUM_GTE', value: '18' }), 'age ≥ 18'],
    [plan({ contextName: 'appVersion', operator: 'SEMVER_LT', value: '2.0.0' }), 'appVersion is older than 2.0.0'],
    [
      plan({ contextName: 'remoteAddress', operator: 'IN_CIDR', values: ['10.0.0.0/8'] }),
      'remoteAddress is in 10.0.0.0/8',
    ],
  ])('of %j is a sentence', (condition, sentence) => {
    expect(describeCondition(condition)).toBe(sentence);
  });

  test('never shows the name of an operator', () => {
    expect(operatorChoices.length).toBeGreaterThan(15);
    for (const { operator } of operatorChoices) {
      const values = takesList(operator) ? { values: ['1.0.0'] } : { value: '1.0.0' };
      const text = describeCondition(plan({ operator, ...values }));
      expect(text).toMatch(/^plan \S.* 1\.0\.0$/);
      expect(text).not.toContain(operator);
    }
  });
});
