import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { leaveWithoutEnvironment } from '../change-requests/without-environment.ts';
import { change } from '../entity/change.ts';
import { changeEach } from '../entity/change-each.ts';
import { type FlagRequest, noEffects } from '../entity/effects.ts';
import { environments, requireUnprotected } from '../environments/environments.ts';
import { ignoreNotFound, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { emptyEnvironment } from '../features/environments/empty-environment.ts';
import { loadAllShelves } from '../features/shelf/shelf.ts';
import { removeLastSeen } from '../features/use/last-seen.ts';
import { awaitInOrder } from '../helpers/run-all.ts';
import { customRoles } from '../identity/roles.ts';
import { buildTokenRemoval, tokens } from '../identity/tokens/tokens.ts';
import { listProjectIds, projectEnvironmentOf, projects } from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { mapChunks } from '../values/lists.ts';
import { completeEarlierRemoval, type Removal, removalBegun, removalOf, removeInSteps } from './removal.ts';
import { takeAway } from './remove-environment.ts';

/**
 * Deletes an environment that is not protected: when the reply is sent it is in no project, its tokens are deleted, no
 * role grants permissions there, and features have neither strategies nor variants there. Interrupted and repeated, it
 * completes.
 * @throws ApiError 404 for an unknown environment; 400 for a protected one; 403 where changes in it need approval in any
 * project; 412 by `If-Match`.
 */
export async function deleteEnvironment(request: Request, actor: Actor, name: string): Promise<void> {
  await removeInSteps(request, 'environment', name, {
    itself: (step, removal) => deleteItself(step, actor, removal),
    belongings: (ours) => removeBelongings(withSuspension(ours), actor, name),
  });
}

/** Deletes the environment itself, and returns the removal of what belonged to it; that of an earlier run continues. */
function deleteItself(request: Request, actor: Actor, removal: Removal): Promise<Removal> {
  const { of: name } = removal;
  return change(request, actor, {
    of: [environments.keyOf(name)],
    read: () => Promise.all([environments.find(request, name), removalOf(request, 'environment', name)]),
    revisionOf: ([before]) => before,
    decide: ([before, earlier]) => {
      if (before === undefined) {
        // What is only prepared under the name is nothing that could be deleted.
        if (earlier !== undefined && earlier.plan === undefined) return { ...noEffects, result: earlier };
        throw notFound('environment', name);
      }
      requireUnprotected(before.value);
      const projects = [...request.gate.protected.keys()];
      assertNoApprovalNeeded(
        request,
        projects.map((project) => ({ project, environment: name })),
      );
      const { writes, events } = environments.removed(before);
      return { writes: [...writes, removalBegun(removal)], events, result: removal };
    },
  });
}

/** Removes the rest of a deleted environment whose deletion was interrupted, so that a new one can have its name. */
export function completeEnvironmentDeletion(request: Request, actor: Actor, name: string): Promise<void> {
  return completeEarlierRemoval(request, 'environment', name, (ours) =>
    removeBelongings(withSuspension(ours), actor, name),
  );
}

/** Number of projects, or features, handled together. */
const together = 8;

/** Nothing is added meanwhile: an addition to an environment checks in its own transaction that the environment exists. */
async function removeBelongings(request: FlagRequest, actor: Actor, environment: string): Promise<void> {
  const isForIt = (thing: { readonly environment?: string }) => thing.environment === environment;
  await changeEach(request, actor, tokens, isForIt, buildTokenRemoval);
  await changeEach(
    request,
    actor,
    customRoles,
    ({ permissions }) => permissions.some(isForIt),
    (role) => {
      const permissions = role.value.permissions.filter((permission) => !isForIt(permission));
      return customRoles.updated(role, { ...role.value, permissions });
    },
  );
  const found = await projects.some(request, await listProjectIds(request));
  const having = [...found.values()].filter((project) => projectEnvironmentOf(project, environment) !== undefined);
  // Another run of this removal may be faster, and so may the deletion of the project.
  await mapChunks(having, together, ({ id }) =>
    ignoreNotFound(takeAway(request, actor, { projectId: id, environment })),
  );
  await awaitInOrder([
    mapChunks([...found.keys()], together, (projectId) => removeLastSeen(request, projectId, environment)),
    mapChunks([...found.keys()], together, (projectId) =>
      leaveWithoutEnvironment(request, actor, { projectId, environment }, 'deleted'),
    ),
    emptyFeatures(request, actor, environment),
  ]);
}

async function emptyFeatures(request: FlagRequest, actor: Actor, environment: string): Promise<void> {
  let names: readonly string[];
  do {
    names = await retryLostRaces(request, () => featuresIn(request, environment));
    await mapChunks(names, together, (name) => ignoreNotFound(emptyEnvironment(request, actor, name, environment)));
  } while (names.length > 0);
}

/**
 * Returns the features that have anything in an environment, of any project, as it was at one moment.
 * @throws LostRace where a feature went from one project to another meanwhile.
 */
async function featuresIn(request: Request, environment: string): Promise<string[]> {
  const shelves = await loadAllShelves(request);
  return shelves.flatMap(({ features }) =>
    [...features].flatMap(([name, { summaries }]) => {
      const { enabled = false, strategies = 0, variants = 0 } = summaries.get(environment) ?? {};
      return enabled || strategies + variants > 0 ? [name] : [];
    }),
  );
}
