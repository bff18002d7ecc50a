import { isDeepStrictEqual } from 'node:util';
import { change, noEffects } from '../entity/change.ts';
import type { Actor } from '../events/actor.ts';
import { assertReferences, loadStrategyReferences } from '../features/strategies/strategy-references.ts';
import type { StrategyInput } from '../features/strategies/strategy-schema.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { nextVersion, sameVersion, type Versioned } from '../store/transactions/versioned.ts';
import {
  defaultStrategyCheck,
  defaultStrategyUpdated,
  defaultStrategyWrites,
  loadDefaultStrategies,
  loadDefaultStrategy,
} from './default-strategy.ts';
import { type Project, projects, requireEnvironment } from './projects.ts';
import { assertDirect } from './protection.ts';

/** As an environment: all environments of the project. */
const everyEnvironment = '*';

/**
 * Sets the strategy of features that are switched on in an environment without one; for `*`, in all environments of the
 * project at once. What is the same already is left alone.
 * @throws ApiError 404 for an unknown project, environment or segment; 400 for a strategy that could not be used; 403
 * where changes in an environment need approval; 412
 * where `If-Match` names other versions of the project.
 */
export function setDefaultStrategy(
  request: Request,
  actor: Actor,
  { projectId, environment }: { projectId: string; environment: string },
  strategy: StrategyInput,
): Promise<Versioned<void>> {
  return change(request, actor, {
    of: [keys.defaultStrategy(projectId, environment), keys.project(projectId)],
    read: () =>
      Promise.all([
        projects.load(request, projectId),
        loadStrategyReferences(request, strategy),
        loadBefore(request, projectId, environment),
      ]),
    revisionOf: ([project]) => project,
    decide: ([project, references, before]) => {
      const environments = environmentsMeant(project.value, environment);
      assertReferences(strategy, references, projectId);
      const isSame = (name: string) => isDeepStrictEqual(before.get(name)?.strategy, strategy);
      const changed = environments.filter((name) => !isSame(name));
      if (changed.length === 0) return { ...noEffects, result: sameVersion(project) };
      for (const name of changed) assertDirect(request, projectId, name);
      return {
        writes: [
          ...changed.flatMap((name) => defaultStrategyWrites(projectId, name, strategy, before.get(name))),
          // The project is read with its default strategies, so that it gets another version, too. That also holds the change
          // to the environments that were looked at: one may be removed or added meanwhile.
          projects.renewed(project),
          ...environments.filter(isSame).map((name) => defaultStrategyCheck(projectId, name, before.get(name))),
        ],
        events: changed.map((name) => defaultStrategyUpdated(projectId, name, strategy, before.get(name)?.strategy)),
        result: nextVersion(project),
      };
    },
  });
}

async function loadBefore(request: Request, projectId: string, environment: string) {
  if (environment === everyEnvironment) return loadDefaultStrategies(request, projectId);
  const strategy = await loadDefaultStrategy(request, projectId, environment);
  return new Map(strategy === undefined ? [] : [[environment, strategy]]);
}

/** @throws ApiError 404 where the project does not have the environment. */
function environmentsMeant(project: Project, environment: string): string[] {
  if (environment === everyEnvironment) return project.environments.map(({ name }) => name);
  return [requireEnvironment(project, environment).name];
}
