import { removeRequestsOf } from '../change-requests/remove-requests.ts';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { contextFields } from '../context-fields/context-fields.ts';
import { change } from '../entity/change.ts';
import { changeEach } from '../entity/change-each.ts';
import { noEffects } from '../entity/effects.ts';
import { environmentCountWrites } from '../environments/environment-counts.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { deleteAllFeatures } from '../features/lifecycle/delete-feature.ts';
import { loadReadModel } from '../features/read-model/read-model.ts';
import { removeDefaultStrategies } from '../features/strategies/default-strategy.ts';
import { removeLastSeen } from '../features/use/last-seen.ts';
import { removeProjectFromTokens, removeProjectRoles, removeProtection } from '../identity/remove-project.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, loadLedger } from '../projects/ledger.ts';
import { projects } from '../projects/projects.ts';
import { releaseTemplates } from '../release-plans/templates.ts';
import type { Request } from '../request.ts';
import { segments, segmentsRevisionKey } from '../segments/segments.ts';
import { requireEmpty } from './archive-project.ts';
import { buildRemovalStart, completeEarlierRemoval, loadRemoval, type Removal, removeInPhases } from './removal.ts';

/** The built-in project, which requests without a project use. */
const firstProject = 'default';

/**
 * Deletes a project without live features. Before the reply, its content is deleted, too: archived features, default
 * strategies, release templates, segments, context fields, and its part of tokens, roles and groups. A repeat completes an interrupted request.
 * @throws ApiError 404 for an unknown project; 409 that names its live features, and for the built-in project; 412 if
 * `If-Match` does not match.
 */
export async function deleteProject(request: Request, actor: Actor, id: string): Promise<void> {
  await removeInPhases(request, 'project', id, {
    deleteOnly: (phaseRequest, removal) => deleteOnly(phaseRequest, actor, removal),
    removeContent: (removalRequest) => removeContent(removalRequest, actor, id),
  });
}

/** Deletes the project without its content. @returns the removal of the content, which may be one that an earlier request started. */
function deleteOnly(request: Request, actor: Actor, removal: Removal): Promise<Removal> {
  const { name: id } = removal;
  return change(request, actor, {
    items: [projectKeys.project(id)],
    read: () =>
      Promise.all([
        projects.find(request, id),
        loadRemoval(request, 'project', id),
        loadLedger(request, id),
        loadReadModel(request, id),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, earlier, ledger, readModel]) => {
      if (before === undefined) {
        if (earlier !== undefined) return { ...noEffects, result: earlier };
        throw notFound('project', id);
      }
      if (id === firstProject) {
        throw new ApiError('ConflictError', `The project "${id}" is built in; it cannot be deleted.`);
      }
      requireEmpty(request, ledger, readModel, 'deleted');
      const { writes, events } = projects.buildRemovalEffects(before);
      const environments = before.value.environments.map(({ name }) => name);
      return {
        writes: [
          ...writes,
          buildRemovalStart(removal),
          ...environments.flatMap((name) => environmentCountWrites('projectCount', name, -1)),
          ...buildLockWrites(ledger, { isLocked: true, wholeProject: true, environments, ifUnchanged: true }),
          // SDKs compare the sum of the revisions of all projects and of the segments, which must not fall. The revision of
          // this project is added to that of the segments, and 1 for the deletion.
          { add: segmentsRevisionKey(), amounts: { r: ledger.checksum.revision + 1 } },
        ],
        events,
        result: removal,
      };
    },
  });
}

/** Removes the content of a project whose deletion was interrupted, so that a new one can have its id. */
export function completeProjectDeletion(request: Request, actor: Actor, id: string): Promise<void> {
  return completeEarlierRemoval(request, 'project', id, (removalRequest) => removeContent(removalRequest, actor, id));
}

/** Removes one kind of content of a deleted project. */
type RemoveContent = (request: Request, actor: Actor, project: string) => Promise<void>;

/** The removals of all content except features. */
const removals: readonly RemoveContent[] = [
  (request, _actor, project) => removeProtection(request, project),
  (request, _actor, project) => removeLastSeen(request, project),
  (request, _actor, project) => removeDefaultStrategies(request, project),
  (request, _actor, project) => removeRequestsOf(request, project),
  (request, actor, project) =>
    changeEach(request, actor, releaseTemplates, belongsTo(project), releaseTemplates.buildRemovalEffects),
  (request, actor, project) => changeEach(request, actor, segments, belongsTo(project), segments.buildRemovalEffects),
  (request, actor, project) =>
    changeEach(request, actor, contextFields, belongsTo(project), contextFields.buildRemovalEffects),
  removeProjectFromTokens,
  removeProjectRoles,
];

const belongsTo = (project: string) => (thing: { readonly project?: string | null }) => thing.project === project;

/** Removes the content of a deleted project. No request can add any, since that requires that the project exists. */
async function removeContent(request: Request, actor: Actor, project: string): Promise<void> {
  await deleteAllFeatures(withSuspension(request), actor, project);
  await Promise.all(removals.map((remove) => remove(request, actor, project)));
}
