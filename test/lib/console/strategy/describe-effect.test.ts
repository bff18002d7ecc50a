import { describe, expect, test } from 'vitest';
import { describeOff, describeSaved, describeShare } from '../../../../lib/console/strategy/describe-effect.ts';
import { buildNewDraft } from '../../../../lib/console/strategy/draft.ts';

const audience = { users: 1_000, before: 0, after: 52, gained: 52, lost: 0 };
const production = { environment: 'production', isOn: true };
const everyone = buildNewDraft('new-checkout', undefined);
const condition = { contextName: 'plan', operator: 'IN', values: ['pro'] } as const;

describe('The effect of a strategy in words', () => {
  test('says first that the flag is off', () => {
    expect(describeOff({ environment: 'production', isOn: false }, audience)).toBe(
      'The flag is off in production: nobody gets it until you switch it on. With this strategy, 5% would.',
    );
    expect(describeOff(production, audience)).toBeUndefined();
    expect(describeOff({ ...production, milestone: 'Half' }, audience)).toBe(
      'Nothing changes until the milestone “Half” starts.',
    );
  });

  test('names the share that somebody has typed, and of whom', () => {
    const tenth = { ...everyone, parameters: { ...everyone.parameters, rollout: '10' } };
    expect(describeShare(tenth)).toBe('10% of all users');
    const conditions = { ...condition, values: [...condition.values] };
    expect(describeShare({ ...tenth, constraints: [conditions] })).toBe('10% of those who meet the conditions');
    expect(describeShare({ ...tenth, segments: [1] })).toBe('10% of those who meet the conditions');
  });

  test('names no share for a strategy without one, or with one that is no share', () => {
    const tooMuch = { ...everyone, parameters: { ...everyone.parameters, rollout: '250' } };
    expect(describeShare(tooMuch)).toBeUndefined();
    expect(describeShare({ ...everyone, parameters: { userIds: 'ada' } })).toBeUndefined();
  });

  test('promises nothing after saving a strategy of a flag that is off', () => {
    expect(describeSaved(production)).toBe('Saved. SDKs get it within seconds.');
    expect(describeSaved({ ...production, milestone: 'Half' })).toBe(
      'Saved. SDKs get it when the milestone “Half” starts.',
    );
    expect(describeSaved({ environment: 'production', isOn: false })).toBe('Saved. The flag is off in production.');
  });
});
