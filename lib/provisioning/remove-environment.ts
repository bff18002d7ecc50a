import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { leaveWithoutEnvironment } from '../change-requests/without-environment.ts';
import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import { forLaterPhases, runPhases } from '../entity/phases.ts';
import { environmentCountWrites } from '../environments/environment-counts.ts';
import { environments } from '../environments/environments.ts';
import type { Actor } from '../events/actor.ts';
import { disableInRemovedEnvironment } from '../features/environments/switch-features.ts';
import { loadShelf } from '../features/shelf/shelf.ts';
import {
  buildDefaultStrategyCheck,
  buildDefaultStrategyRemoval,
  loadDefaultStrategy,
} from '../features/strategies/default-strategy.ts';
import { awaitInOrder } from '../helpers/run-all.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, loadLedger } from '../projects/ledger.ts';
import {
  type ProjectEnvironmentPlace,
  projectEnvironmentOf,
  projects,
  withoutEnvironment,
} from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import { type Request, withoutGate } from '../request.ts';
import { nextVersion, sameVersion } from '../store/transactions/versioned.ts';
import { chunksOf } from '../values/lists.ts';

/**
 * Removes an environment from a project, with the default strategy of the project there. Its features are off there
 * from then on; their strategies and variants return when the environment is added again, as in Unleash. Removing an
 * environment that the project does not have changes nothing. Interrupted and repeated, it completes.
 * @throws ApiError 404 for an unknown project or environment; 403 where changes in it need approval; 412 by `If-Match`.
 */
export function removeEnvironment(request: Request, actor: Actor, { projectId, environment }: ProjectEnvironmentPlace) {
  return runPhases(request, {
    first: (step) => takeAway(step, actor, { projectId, environment }),
    again: async () => sameVersion(await projects.load(request, projectId)),
    rest: async (steps) => {
      await awaitInOrder([
        leaveWithoutEnvironment(withoutGate(steps), actor, { projectId, environment }),
        switchOff(steps, actor, projectId, environment),
      ]);
    },
  });
}

/**
 * Removes an environment from a project. Its features no longer appear there, but have yet to be switched off.
 * @throws ApiError as `removeEnvironment` does.
 */
export function takeAway(request: Request, actor: Actor, { projectId, environment }: ProjectEnvironmentPlace) {
  return change(request, actor, {
    of: [projectKeys.project(projectId)],
    read: async () => {
      const [project, ledger, defaultStrategy] = await Promise.all([
        projects.load(request, projectId),
        loadLedger(request, projectId),
        loadDefaultStrategy(request, projectId, environment),
      ]);
      const isThere = projectEnvironmentOf(project.value, environment) !== undefined;
      if (!isThere) await environments.load(request, environment);
      return { project, ledger, defaultStrategy, isThere };
    },
    revisionOf: ({ project }) => project,
    decide: ({ project, ledger, defaultStrategy, isThere }) => {
      if (!isThere) return { ...noEffects, result: sameVersion(project) };
      assertNoApprovalNeeded(request, [{ project: projectId, environment }]);
      return {
        writes: [
          ...projects.updated(project, withoutEnvironment(project.value, environment)).writes,
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

/** Number of features that one request switches off. */
const featuresTogether = 1_000;

/** Switches features off in an environment that the project no longer has; none where it has it again. */
export async function switchOff(request: Request, actor: Actor, projectId: string, environment: string): Promise<void> {
  // The removal was approved, or needed none.
  const ours = withSuspension(withoutGate(forLaterPhases(request)));
  const { features } = await loadShelf(ours, projectId, { isStrict: true });
  const on = [...features].flatMap(([name, { summaries }]) => (summaries.get(environment)?.enabled ? [name] : []));
  for (const names of chunksOf(on, featuresTogether)) {
    await disableInRemovedEnvironment(ours, actor, { projectId, environment }, names);
  }
}
