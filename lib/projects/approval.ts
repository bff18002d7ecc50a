import { approvalsWithin, type Environment, type GivenApprovals } from '../environments/environments.ts';
import type { Approval, ProjectEnvironment } from './projects.ts';

/** Approval as it is given; what is left out stays as it was, or is as usual. */
interface GivenApproval extends GivenApprovals {
  readonly onDrift?: Approval['onDrift'] | undefined;
  readonly selfApproval?: Approval['selfApproval'] | undefined;
  readonly overrideDelayMinutes?: number | null | undefined;
}

/** Returns the minutes until an override holds; null where nobody may override. */
export function overrideDelayOf({ overrideDelayMinutes = 0 }: Pick<Approval, 'overrideDelayMinutes'> = {}) {
  return overrideDelayMinutes;
}

/** Returns the approval that changes need. */
export function approvalOf(given: GivenApproval, before?: Approval): Approval {
  const { overrideDelayMinutes = overrideDelayOf(before) } = given;
  return {
    required: approvalsWithin(given.requiredApprovals ?? before?.required),
    onDrift: given.onDrift ?? before?.onDrift ?? 'refuse',
    selfApproval: given.selfApproval ?? before?.selfApproval ?? 'never',
    ...(overrideDelayMinutes !== 0 && { overrideDelayMinutes }),
  };
}

/**
 * Returns an environment as a project gets it, with the approval that changes need in all projects that get it, or else
 * with the one that the project is to have.
 */
export function givenTo(
  { name, type, sortOrder, requiredApprovals }: Environment,
  chosen: GivenApproval | undefined,
): ProjectEnvironment {
  const given = requiredApprovals === undefined ? chosen : { requiredApprovals };
  return { name, type, sortOrder, ...(given && { approval: approvalOf(given) }) };
}
