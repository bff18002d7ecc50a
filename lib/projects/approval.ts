import { approvalsWithin, type Environment, type GivenApprovals } from '../environments/environments.ts';
import type { Approval, ProjectEnvironment } from './projects.ts';

/** Approval as it is given; what is left out stays as it was, or is as usual. */
interface GivenApproval extends GivenApprovals {
  readonly onDrift?: Approval['onDrift'] | undefined;
  readonly selfApproval?: Approval['selfApproval'] | undefined;
}

/** Returns the approval that changes need. */
export function approvalOf({ requiredApprovals, onDrift, selfApproval }: GivenApproval, before?: Approval): Approval {
  return {
    required: approvalsWithin(requiredApprovals ?? before?.required),
    onDrift: onDrift ?? before?.onDrift ?? 'refuse',
    selfApproval: selfApproval ?? before?.selfApproval ?? 'never',
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
