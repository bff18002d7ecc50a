import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { closeWithoutEnvironment } from '../change-requests/without-environment.ts';
import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import { forLaterPhases, runPhases } from '../entity/phases.ts';
import { environmentCountWrites } from '../environments/environment-counts.ts';
import { environments } from '../environments/environments.ts';
import type { Actor } from '../events/actor.ts';
import { disableInRemovedEnvironment } from '../features/environments/switch-features.ts';
import { loadReadModel } from '../features/read-model/read-model.ts';
import {
  buildDefaultStrategyCheck,
  buildDefaultStrategyRemoval,
  loadDefaultStrategy,
} from '../features/strategies/default-strategy.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, loadLedger } from '../projects/ledger.ts';
import {
  type ProjectEnvironmentPath,
  projectEnvironmentOf,
  projects,
  withoutEnvironment,
} from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import { type Request, withoutGate } from '../request.ts';
import { nextVersion, sameVersion } from '../store/transactions/versioned.ts';
import { chunksOf } from '../values/lists.ts';

/**
 * Removes an environment from a project, with its default strategy, and switches the features off there. Their strategies and
 * variants return if the environment is added again, as in Unleash. A removed environment stays removed. A repeat completes an
 * interrupted request.
 * @throws ApiError 404 for an unknown project or environment; 403 if changes in it need approval; 412 if `If-Match` does not match.
 */
export function removeEnvironment(request: Request, actor: Actor, { projectId, environment }: ProjectEnvironmentPath) {
  return runPhases(request, {
    first: (phaseRequest) => removeFromProject(phaseRequest, actor, { projectId, environment }),
    again: async () => sameVersion(await projects.load(request, projectId)),
    rest: async (phaseRequest) => {
      await awaitInOrder([
        closeWithoutEnvironment(withoutGate(phaseRequest), actor, { projectId, environment }),
        switchOffFeatures(phaseRequest, actor, projectId, environment),
      ]);
    },
  });
}

/**
 * Removes an environment from a project. Its features no longer appear there, and are switched off afterwards.
 * @throws ApiError as `removeEnvironment` does.
 */
export function removeFromProject(request: Request, actor: Actor, { projectId, environment }: ProjectEnvironmentPath) {
  return change(request, actor, {
    items: [projectKeys.project(projectId)],
    read: async () => {
      const [project, ledger, defaultStrategy] = await Promise.all([
        projects.load(request, projectId),
        loadLedger(request, projectId),
        loadDefaultStrategy(request, projectId, environment),
      ]);
      const isPresent = projectEnvironmentOf(project.value, environment) !== undefined;
      if (!isPresent) await environments.load(request, environment);
      return { project, ledger, defaultStrategy, isPresent };
    },
    revisionOf: ({ project }) => project,
    decide: ({ project, ledger, defaultStrategy, isPresent }) => {
      if (!isPresent) return { ...noEffects, result: sameVersion(project) };
      assertNoApprovalNeeded(request, [{ project: projectId, environment }]);
      return {
        writes: [
          ...projects.buildUpdateEffects(project, withoutEnvironment(project.value, environment)).writes,
          ...(defaultStrategy === undefined
            ? [buildDefaultStrategyCheck(projectId, environment, undefined)]
            : buildDefaultStrategyRemoval(projectId, environment, defaultStrategy)),
          ...environmentCountWrites('projectCount', environment, -1),
          ...buildLockWrites(ledger, { isLocked: true, environments: [environment] }),
        ],
        events: [{ type: 'project-environment-removed', project: projectId, environment }],
        result: nextVersion(project),
      };
    },
  });
}

/** The number of features that are switched off together. */
const featuresTogether = 1_000;

/** Switches features off in an environment that the project no longer has. If it has the environment again, they stay on. */
export async function switchOffFeatures(
  request: Request,
  actor: Actor,
  projectId: string,
  environment: string,
): Promise<void> {
  // The removal itself was approved or needed no approval.
  const phaseRequest = withSuspension(withoutGate(forLaterPhases(request)));
  const { features } = await loadReadModel(phaseRequest, projectId, { isStrict: true });
  const on = [...features].flatMap(([name, { summaries }]) => (summaries.get(environment)?.enabled ? [name] : []));
  for (const names of chunksOf(on, featuresTogether)) {
    await disableInRemovedEnvironment(phaseRequest, actor, { projectId, environment }, names);
  }
}
