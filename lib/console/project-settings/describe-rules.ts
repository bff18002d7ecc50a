import type { ChangeRequestConfig } from '../../projects/project-schema.ts';
import type { EnvironmentRules } from '../calls/projects.ts';
import { countOf } from '../words/numbers.ts';
import { describeSpan } from '../words/times.ts';

/** The rules of approval in an environment while they are edited. */
export interface RulesDraft {
  readonly isOn: boolean;
  readonly approvals: number;
  readonly selfApproval: 'never' | 'admin';
  readonly onDrift: 'refuse' | 'overwrite';
  /** Minutes until an override begins; null if nobody may override. */
  readonly overrideDelay: number | null;
}

/** Returns the rules of an environment as a draft; those of one that needs no approval are what they would be. */
export function toRulesDraft(rules: EnvironmentRules): RulesDraft {
  return {
    isOn: rules.changeRequestEnabled,
    approvals: rules.requiredApprovals ?? 1,
    selfApproval: rules.selfApproval ?? 'never',
    onDrift: rules.onDrift ?? 'refuse',
    overrideDelay: rules.overrideDelayMinutes === undefined ? 0 : rules.overrideDelayMinutes,
  };
}

/** Returns a draft as the API takes it. */
export function toRulesBody({ isOn, approvals, ...rules }: RulesDraft): ChangeRequestConfig {
  const { selfApproval, onDrift, overrideDelay } = rules;
  return {
    ...{ changeRequestsEnabled: isOn, requiredApprovals: approvals, selfApproval, onDrift },
    overrideDelayMinutes: overrideDelay,
  };
}

/** Says the rules of approval in a sentence: "2 approvals, not by the author, an emergency override at once". */
export function describeRules({ isOn, approvals, selfApproval, onDrift, overrideDelay }: RulesDraft): string {
  if (!isOn) return 'No approval is needed';
  return [
    countOf(approvals, 'approval'),
    selfApproval === 'never' ? 'not by the author' : 'Admins also for themselves',
    describeOverride(overrideDelay),
    ...(onDrift === 'overwrite' ? ['changes of others meanwhile are overwritten'] : []),
  ].join(', ');
}

function describeOverride(minutes: number | null): string {
  if (minutes === null) return 'no emergency override';
  return minutes === 0 ? 'an emergency override at once' : `an emergency override after ${describeSpan(minutes * 60)}`;
}
