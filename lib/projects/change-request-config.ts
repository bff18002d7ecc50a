import { change } from '../entity/change.ts';
import type { Actor } from '../events/actor.ts';
import type { ChangeRequestConfig } from '../schemas/project.ts';
import * as keys from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { nextVersion, sameVersion, type Versioned } from '../table/versioned.ts';
import { type Project, projects, requireEnvironment, withEnvironment, withoutEnvironment } from './projects.ts';

/** In which environments of a project changes need approval, and by how many people. */
export function changeRequestConfigOf({ environments }: Project) {
  return environments.map(({ name, type, changeRequestsEnabled, requiredApprovals }) => ({
    environment: name,
    type,
    changeRequestEnabled: changeRequestsEnabled,
    requiredApprovals: requiredApprovals ?? null,
  }));
}

/**
 * Stores whether changes need approval in an environment of a project.
 * @throws ApiError 404 for an unknown project, and for an environment that it does not have; 412 by `If-Match`.
 */
export function setChangeRequestConfig(
  table: Table,
  actor: Actor,
  { projectId, environment: name }: { readonly projectId: string; readonly environment: string },
  { changeRequestsEnabled, requiredApprovals }: ChangeRequestConfig,
): Promise<Versioned<void>> {
  return change(table, actor, {
    of: [keys.project(projectId)],
    read: () => projects.load(table, projectId),
    revisionOf: (before) => before,
    decide: (before) => {
      const { requiredApprovals: known, ...environment } = requireEnvironment(before.value, name);
      const required = requiredApprovals ?? known;
      const next = {
        ...environment,
        changeRequestsEnabled,
        ...(required !== undefined && { requiredApprovals: required }),
      };
      const { writes } = projects.updated(before, withEnvironment(withoutEnvironment(before.value, name), next));
      if (writes.length === 0) return { writes, events: [], result: sameVersion(before) };
      const data = { changeRequestsEnabled, requiredApprovals: required ?? null };
      const about = { project: projectId, environment: name };
      return {
        writes,
        events: [{ type: 'change-request-configuration-updated', ...about, data }],
        result: nextVersion(before),
      };
    },
  });
}
