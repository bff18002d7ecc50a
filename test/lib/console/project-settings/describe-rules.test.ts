import { describe, expect, test } from 'vitest';
import { describeRules, toRulesBody, toRulesDraft } from '../../../../lib/console/project-settings/describe-rules.ts';

const rules = { environment: 'production', type: 'production', changeRequestEnabled: true, requiredApprovals: 2 };

describe('The rules of approval', () => {
  test('are one sentence', () => {
    const draft = toRulesDraft(rules);
    expect(describeRules(draft)).toBe('2 approvals, not by the author, an emergency override at once');
    expect(describeRules({ ...draft, isOn: false })).toBe('No approval is needed');
    expect(
      describeRules({ ...draft, approvals: 1, selfApproval: 'admin', onDrift: 'overwrite', overrideDelay: 60 }),
    ).toBe(
      '1 approval, Admins also for themselves, an emergency override after 1 h, changes of others meanwhile are overwritten',
    );
    expect(describeRules({ ...draft, overrideDelay: null })).toBe(
      '2 approvals, not by the author, no emergency override',
    );
  });

  test('of an environment that needs no approval are those that it would get', () => {
    const draft = toRulesDraft({ ...rules, changeRequestEnabled: false, requiredApprovals: null });
    expect(toRulesBody({ ...draft, isOn: true })).toEqual({
      ...{ changeRequestsEnabled: true, requiredApprovals: 1, onDrift: 'refuse', selfApproval: 'never' },
      overrideDelayMinutes: 0,
    });
    expect(toRulesDraft({ ...rules, overrideDelayMinutes: null }).overrideDelay).toBeNull();
  });
});
