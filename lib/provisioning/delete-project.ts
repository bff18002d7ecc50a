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
import { loadShelf } from '../features/shelf/shelf.ts';
import { removeDefaultStrategies } from '../features/strategies/default-strategy.ts';
import { removeLastSeen } from '../features/use/last-seen.ts';
import { removeProjectFromTokens, removeProjectRoles, removeProtection } from '../identity/remove-project.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, loadLedger } from '../projects/ledger.ts';
import { projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segments, segmentsRevisionKey } from '../segments/segments.ts';
import { requireEmpty } from './archive-project.ts';
import { completeEarlierRemoval, type Removal, removalBegun, removalOf, removeInSteps } from './removal.ts';

/** The built-in project. It stands for requests that name none. */
const firstProject = 'default';

/**
 * Deletes a project without live features: it is gone at once, and when the reply is sent so is everything that
 * belonged to it: its archived features, default strategies, segments and context fields, its part of tokens, roles and
 * groups. Interrupted and repeated, it completes.
 * @throws ApiError 404 for an unknown project; 409 that names its live features, and for the first project; 412 by
 * `If-Match`.
 */
export async function deleteProject(request: Request, actor: Actor, id: string): Promise<void> {
  await removeInSteps(request, 'project', id, {
    itself: (first, removal) => deleteItself(first, actor, removal),
    belongings: (ours) => removeBelongings(ours, actor, id),
  });
}

/** Deletes the project itself, and returns the removal of what belonged to it; that of an earlier run continues. */
function deleteItself(request: Request, actor: Actor, removal: Removal): Promise<Removal> {
  const { of: id } = removal;
  return change(request, actor, {
    of: [projectKeys.project(id)],
    read: () =>
      Promise.all([
        projects.find(request, id),
        removalOf(request, 'project', id),
        loadLedger(request, id),
        loadShelf(request, id),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, earlier, ledger, shelf]) => {
      if (before === undefined) {
        if (earlier !== undefined) return { ...noEffects, result: earlier };
        throw notFound('project', id);
      }
      if (id === firstProject) {
        throw new ApiError('ConflictError', `The project "${id}" is built in; it cannot be deleted.`);
      }
      requireEmpty(request, ledger, shelf, 'deleted');
      const { writes, events } = projects.removed(before);
      const environments = before.value.environments.map(({ name }) => name);
      return {
        writes: [
          ...writes,
          removalBegun(removal),
          ...environments.flatMap((name) => environmentCountWrites('projectCount', name, -1)),
          ...buildLockWrites(ledger, { isLocked: true, isWhole: true, environments, ifUnchanged: true }),
          // SDKs compare the sum of the revisions of all projects and of the segments. Those of this project are added to the
          // latter, and 1 for the deletion, or the sum would fall.
          { add: segmentsRevisionKey(), amounts: { r: ledger.checksum.revision + 1 } },
        ],
        events,
        result: removal,
      };
    },
  });
}

/** Removes the rest of a deleted project whose deletion was interrupted, so that a new one can have its id. */
export function completeDeletion(request: Request, actor: Actor, id: string): Promise<void> {
  return completeEarlierRemoval(request, 'project', id, (ours) => removeBelongings(ours, actor, id));
}

/** Removes all that one subject keeps of a deleted project. */
type RemoveBelongings = (request: Request, actor: Actor, project: string) => Promise<void>;

/** Every subject that keeps anything of a project but features. */
const belongings: readonly RemoveBelongings[] = [
  (request, _actor, project) => removeProtection(request, project),
  (request, _actor, project) => removeLastSeen(request, project),
  (request, _actor, project) => removeDefaultStrategies(request, project),
  (request, _actor, project) => removeRequestsOf(request, project),
  (request, actor, project) => changeEach(request, actor, segments, isOf(project), segments.removed),
  (request, actor, project) => changeEach(request, actor, contextFields, isOf(project), contextFields.removed),
  removeProjectFromTokens,
  removeProjectRoles,
];

const isOf = (project: string) => (thing: { readonly project?: string | null }) => thing.project === project;

/** Nothing is added meanwhile: an addition to a project checks in its own transaction that the project exists. */
async function removeBelongings(request: Request, actor: Actor, project: string): Promise<void> {
  await deleteAllFeatures(withSuspension(request), actor, project);
  await Promise.all(belongings.map((remove) => remove(request, actor, project)));
}
