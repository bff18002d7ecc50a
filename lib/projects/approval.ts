import { type ApprovalsInput, clampApprovals, type Environment } from '../environments/environments.ts';
import type { Approval, ProjectEnvironment } from './projects.ts';

/** The approval that a request sets. Omitted properties keep their value, or get the default. */
interface ApprovalInput extends ApprovalsInput {
  readonly onDrift?: Approval['onDrift'] | undefined;
  readonly selfApproval?: Approval['selfApproval'] | undefined;
  readonly overrideDelayMinutes?: number | null | undefined;
}

/** Returns the minutes until an override begins; null if nobody may override. */
export function overrideDelayOf({ overrideDelayMinutes = 0 }: Pick<Approval, 'overrideDelayMinutes'> = {}) {
  return overrideDelayMinutes;
}

/** Builds the approval that changes need, from a request and the approval before. */
export function buildApproval(input: ApprovalInput, before?: Approval): Approval {
  const { overrideDelayMinutes = overrideDelayOf(before) } = input;
  return {
    required: clampApprovals(input.requiredApprovals ?? before?.required),
    onDrift: input.onDrift ?? before?.onDrift ?? 'refuse',
    selfApproval: input.selfApproval ?? before?.selfApproval ?? 'never',
    ...(overrideDelayMinutes !== 0 && { overrideDelayMinutes }),
  };
}

/** Builds the environment of a project. Approval that the environment requires of all new projects comes before the chosen one. */
export function buildProjectEnvironment(
  { name, type, sortOrder, requiredApprovals }: Environment,
  chosen: ApprovalInput | undefined,
): ProjectEnvironment {
  const approval = requiredApprovals === undefined ? chosen : { requiredApprovals };
  return { name, type, sortOrder, ...(approval && { approval: buildApproval(approval) }) };
}
