import { change } from '../entity/change.ts';
import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import { rootRoles } from '../identity/permissions.ts';
import { listUsersWithPermission } from '../identity/users-with-permission.ts';
import type { Request } from '../request.ts';
import { nextVersion, sameVersion, type Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { buildApproval, overrideDelayOf } from './approval.ts';
import * as projectKeys from './keys.ts';
import type { ChangeRequestConfig } from './project-schema.ts';
import {
  type Approval,
  type Project,
  type ProjectEnvironmentPath,
  projects,
  requireEnvironment,
  withEnvironment,
  withoutEnvironment,
} from './projects.ts';

/** Returns the environments of a project with their change request settings. */
export function changeRequestConfigOf({ environments }: Project) {
  return environments.map(({ name, type, approval }) => ({
    environment: name,
    type,
    changeRequestEnabled: approval !== undefined,
    requiredApprovals: approval?.required ?? null,
    ...(approval && {
      onDrift: approval.onDrift,
      selfApproval: approval.selfApproval,
      overrideDelayMinutes: overrideDelayOf(approval),
    }),
  }));
}

/** The warning. It names nobody, because the log has warnings, too. */
const onlyAdmins =
  'Only Admins may approve changes there so far: an Editor, and an Owner or a Member of the project, cannot. Give people the ' +
  'project role Approver.';

const tooFew =
  'Fewer people may approve changes there than approvals are needed. Give more people the project role Approver.';

/**
 * Reads whether only Admins may approve changes in some of the environments of a project, and returns a function that warns
 * the person who protects them of that. A decision calls it, so that a repeated request gets the warning as well.
 * The function takes the approvals that are needed, and warns of too few people, too.
 */
export async function loadApproverWarning(request: Request, project: string, environments: readonly string[]) {
  const approvers = await Promise.all(
    environments.map((name) => listUsersWithPermission(request, 'APPROVE_CHANGE_REQUEST', project, name)),
  );
  const isCovered = approvers.every((users) => users.some(({ rootRole }) => rootRole !== rootRoles.Admin));
  return (required = 0) => {
    if (!isCovered) request.warnings.add(onlyAdmins);
    else if (approvers.some((users) => users.length < required)) request.warnings.add(tooFew);
  };
}

/**
 * Sets whether changes in an environment of a project need approval, and which.
 * @throws ApiError 404 for an unknown project or an environment that it does not have; 412 if `If-Match` does not match.
 */
export async function configureChangeRequests(
  request: Request,
  actor: Actor,
  { projectId, environment: name }: ProjectEnvironmentPath,
  config: ChangeRequestConfig,
): Promise<Versioned<void>> {
  const result = await change(request, actor, {
    items: [projectKeys.project(projectId)],
    read: () =>
      Promise.all([
        projects.load(request, projectId),
        loadApproverWarning(request, projectId, config.changeRequestsEnabled ? [name] : []),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, warn]) => {
      const { approval: old, ...environment } = requireEnvironment(before.value, name);
      const approval = config.changeRequestsEnabled ? buildApproval(config, old) : undefined;
      warn(approval?.required);
      const others = withoutEnvironment(before.value, name);
      const after = withEnvironment(others, { ...environment, ...(approval && { approval }) });
      const { writes } = projects.buildUpdateEffects(before, after);
      if (writes.length === 0) return { writes, events: [], result: sameVersion(before) };
      // Written even if it is there: a write of access rights makes those of the caller a condition.
      const flag: Write = { put: flagKeys.protection(projectId, name), item: {} };
      return {
        writes: old === undefined || approval === undefined ? writes : [...writes, flag],
        events: [
          {
            type: 'change-request-configuration-updated',
            project: projectId,
            environment: name,
            data: eventDataOf(approval),
            preData: eventDataOf(old),
          },
        ],
        result: nextVersion(before),
      };
    },
  });
  await reloadAccessFlags(request);
  return result;
}

/** Returns the approval that changes need, under the names of the API. */
function eventDataOf(approval: Approval | undefined) {
  if (approval === undefined) return { changeRequestsEnabled: false };
  const { required, ...settings } = approval;
  const overrideDelayMinutes = overrideDelayOf(approval);
  return { changeRequestsEnabled: true, requiredApprovals: required, ...settings, overrideDelayMinutes };
}
