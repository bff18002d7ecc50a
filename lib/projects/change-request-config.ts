import { change } from '../entity/change.ts';
import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import type { Request } from '../request.ts';
import { nextVersion, sameVersion, type Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { approvalOf, overrideDelayOf } from './approval.ts';
import * as projectKeys from './keys.ts';
import type { ChangeRequestConfig } from './project-schema.ts';
import {
  type Approval,
  type Project,
  type ProjectEnvironmentPlace,
  projects,
  requireEnvironment,
  withEnvironment,
} from './projects.ts';

/** Returns the environments of a project, with the approval that changes need in each. */
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
 * Makes changes in an environment of a project need approval, or none. What is the same already is left alone.
 * @throws ApiError 404 for an unknown project, and for an environment that it does not have; 412 by `If-Match`.
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
      const approval = config.changeRequestsEnabled ? approvalOf(config, old) : undefined;
      const others = before.value.environments.filter((each) => each.name !== name);
      const after = withEnvironment(
        { ...before.value, environments: others },
        { ...environment, ...(approval && { approval }) },
      );
      const { writes } = projects.updated(before, after);
      if (writes.length === 0) return { writes, events: [], result: sameVersion(before) };
      const of = { project: projectId, environment: name };
      // Written even where it stays: it is among what says who may do what, so that the caller's rights are a condition.
      const mark: Write = { put: flagKeys.protection(projectId, name), item: {} };
      return {
        writes: old === undefined || approval === undefined ? writes : [...writes, mark],
        events: [{ type: 'change-request-configuration-updated', ...of, data: shown(approval), preData: shown(old) }],
        result: nextVersion(before),
      };
    },
  });
  await reloadAccessFlags(request);
  return result;
}

/** Returns the approval that changes need as events show it, under the names of the API. */
function shown(approval: Approval | undefined) {
  if (approval === undefined) return { changeRequestsEnabled: false };
  const { required, ...settings } = approval;
  const overrideDelayMinutes = overrideDelayOf(approval);
  return { changeRequestsEnabled: true, requiredApprovals: required, ...settings, overrideDelayMinutes };
}
