import { change } from '../entity/change.ts';
import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import type { Request } from '../request.ts';
import { nextVersion, sameVersion, type Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { buildApproval, overrideDelayOf } from './approval.ts';
import * as projectKeys from './keys.ts';
import type { ChangeRequestConfig } from './project-schema.ts';
import {
  type Approval,
  type Project,
  type ProjectEnvironmentPlace,
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

/**
 * Sets whether changes in an environment of a project need approval, and which.
 * @throws ApiError 404 for an unknown project or an environment that it does not have; 412 by `If-Match`.
 */
export async function configureChangeRequests(
  request: Request,
  actor: Actor,
  { projectId, environment: name }: ProjectEnvironmentPlace,
  config: ChangeRequestConfig,
): Promise<Versioned<void>> {
  const result = await change(request, actor, {
    of: [projectKeys.project(projectId)],
    read: () => projects.load(request, projectId),
    revisionOf: (before) => before,
    decide: (before) => {
      const { approval: old, ...environment } = requireEnvironment(before.value, name);
      const approval = config.changeRequestsEnabled ? buildApproval(config, old) : undefined;
      const others = withoutEnvironment(before.value, name);
      const after = withEnvironment(others, { ...environment, ...(approval && { approval }) });
      const { writes } = projects.updated(before, after);
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
