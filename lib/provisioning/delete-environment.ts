import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { closeWithoutEnvironment } from '../change-requests/without-environment.ts';
import { change } from '../entity/change.ts';
import { changeEach } from '../entity/change-each.ts';
import { type FlagRequest, noEffects } from '../entity/effects.ts';
import { environments, requireUnprotected } from '../environments/environments.ts';
import { ignoreNotFound, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { emptyEnvironment } from '../features/environments/empty-environment.ts';
import { loadAllReadModels } from '../features/read-model/read-model.ts';
import { removeLastSeen } from '../features/use/last-seen.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { customRoles } from '../identity/roles.ts';
import { buildTokenRemoval, tokens } from '../identity/tokens/tokens.ts';
import { listProjectIds, projectEnvironmentOf, projects } from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { mapChunks } from '../values/lists.ts';
import { buildRemovalStart, completeEarlierRemoval, loadRemoval, type Removal, removeInPhases } from './removal.ts';
import { removeFromProject } from './remove-environment.ts';

/**
 * Deletes an unprotected environment. Before the reply, it is removed from all projects, with its tokens, the permissions of
 * roles in it, and the strategies and variants of features. A repeat completes an interrupted request.
 * @throws ApiError 404 for an unknown environment; 400 for a protected one; 403 if changes in it need approval in any project;
 * 412 if `If-Match` does not match.
 */
export async function deleteEnvironment(request: Request, actor: Actor, name: string): Promise<void> {
  await removeInPhases(request, 'environment', name, {
    deleteOnly: (phaseRequest, removal) => deleteOnly(phaseRequest, actor, removal),
    removeContent: (removalRequest) => removeContent(withSuspension(removalRequest), actor, name),
  });
}

/** Deletes the environment without its content. @returns the removal of the content, which may be one that an earlier request started. */
function deleteOnly(request: Request, actor: Actor, removal: Removal): Promise<Removal> {
  const { name } = removal;
  return change(request, actor, {
    items: [environments.keyOf(name)],
    read: () => Promise.all([environments.find(request, name), loadRemoval(request, 'environment', name)]),
    revisionOf: ([before]) => before,
    decide: ([before, earlier]) => {
      if (before === undefined) {
        // An environment that is only prepared cannot be deleted.
        if (earlier !== undefined && earlier.plan === undefined) return { ...noEffects, result: earlier };
        throw notFound('environment', name);
      }
      requireUnprotected(before.value);
      const projects = [...request.gate.protected.keys()];
      assertNoApprovalNeeded(
        request,
        projects.map((project) => ({ project, environment: name })),
      );
      const { writes, events } = environments.buildRemovalEffects(before);
      return { writes: [...writes, buildRemovalStart(removal)], events, result: removal };
    },
  });
}

/** Removes the content of an environment whose deletion was interrupted, so that a new one can have its name. */
export function completeEnvironmentDeletion(request: Request, actor: Actor, name: string): Promise<void> {
  return completeEarlierRemoval(request, 'environment', name, (removalRequest) =>
    removeContent(withSuspension(removalRequest), actor, name),
  );
}

/** The number of projects or features that are handled at the same time. */
const concurrency = 8;

/** Removes the content of a deleted environment. No request can add any, since that requires that the environment exists. */
async function removeContent(request: FlagRequest, actor: Actor, environment: string): Promise<void> {
  const isOfEnvironment = (thing: { readonly environment?: string }) => thing.environment === environment;
  await changeEach(request, actor, tokens, isOfEnvironment, buildTokenRemoval);
  await changeEach(
    request,
    actor,
    customRoles,
    ({ permissions }) => permissions.some(isOfEnvironment),
    (role) => {
      const permissions = role.value.permissions.filter((permission) => !isOfEnvironment(permission));
      return customRoles.buildUpdateEffects(role, { ...role.value, permissions });
    },
  );
  const allProjects = await projects.findSome(request, await listProjectIds(request));
  const withEnvironment = [...allProjects.values()].filter(
    (project) => projectEnvironmentOf(project, environment) !== undefined,
  );
  // Another request may have completed this, or deleted the project.
  await mapChunks(withEnvironment, concurrency, ({ id }) =>
    ignoreNotFound(removeFromProject(request, actor, { projectId: id, environment })),
  );
  await awaitInOrder([
    mapChunks([...allProjects.keys()], concurrency, (projectId) => removeLastSeen(request, projectId, environment)),
    mapChunks([...allProjects.keys()], concurrency, (projectId) =>
      closeWithoutEnvironment(request, actor, { projectId, environment }, 'deleted'),
    ),
    emptyFeatures(request, actor, environment),
  ]);
}

async function emptyFeatures(request: FlagRequest, actor: Actor, environment: string): Promise<void> {
  let names: readonly string[];
  do {
    names = await retryLostRaces(request, () => listFeaturesIn(request, environment));
    await mapChunks(names, concurrency, (name) => ignoreNotFound(emptyEnvironment(request, actor, name, environment)));
  } while (names.length > 0);
}

/**
 * Lists the features of all projects that have a state in an environment, from a consistent read.
 * @throws LostRace if a feature moves to another project meanwhile.
 */
async function listFeaturesIn(request: Request, environment: string): Promise<string[]> {
  const readModels = await loadAllReadModels(request);
  return readModels.flatMap(({ features }) =>
    [...features].flatMap(([name, { summaries }]) => {
      const { enabled = false, version = 0 } = summaries.get(environment) ?? {};
      return enabled || version > 0 ? [name] : [];
    }),
  );
}
