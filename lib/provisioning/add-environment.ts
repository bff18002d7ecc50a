import { change } from '../entity/change.ts';
import type { Effects } from '../entity/effects.ts';
import { environmentCountWrites } from '../environments/environment-counts.ts';
import { environments } from '../environments/environments.ts';
import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { buildDefaultStrategyWrites, defaultStrategyUpdated } from '../features/strategies/default-strategy.ts';
import type { StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import { assertReferences, loadStrategyReferences, noReferences } from '../features/strategies/strategy-references.ts';
import * as useKeys from '../features/use/keys.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import { buildProjectEnvironment } from '../projects/approval.ts';
import { loadApproverWarning } from '../projects/change-request-config.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, type Ledger, loadLedger } from '../projects/ledger.ts';
import {
  buildEnvironmentEvent,
  type Project,
  type ProjectEnvironment,
  projectEnvironmentOf,
  projects,
  withEnvironment,
} from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { assertFewSteps } from '../segments/expression-limit.ts';
import { nextVersion, type Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { buildNoRemovalCheck } from './removal.ts';
import { switchOffFeatures } from './remove-environment.ts';

export interface NewProjectEnvironment {
  readonly environment: string;
  readonly changeRequestsEnabled?: boolean;
  readonly defaultStrategy?: StrategyInput;
}

/**
 * Adds an environment to a project. All its features are off there. Features are not written, since their environments follow
 * from the project. If the project had the environment before, they have their earlier strategies and variants.
 * @throws ApiError 404 for an unknown project, environment or segment; 409 if the project already has it; 400 for an invalid
 * default strategy; 412 if `If-Match` does not match.
 */
export async function addEnvironment(
  request: Request,
  actor: Actor,
  projectId: string,
  { environment: name, changeRequestsEnabled = false, defaultStrategy }: NewProjectEnvironment,
): Promise<Versioned<void>> {
  let needsApproval = false;
  const added = await change(request, actor, {
    items: [projectKeys.project(projectId)],
    likelyEvents: 2,
    read: async () => {
      const [project, environment, references, ledger, warn] = await Promise.all([
        projects.load(request, projectId),
        environments.load(request, name),
        defaultStrategy === undefined ? noReferences : loadStrategyReferences(request, defaultStrategy),
        loadLedger(request, projectId),
        loadApproverWarning(request, projectId, changeRequestsEnabled ? [name] : []),
      ]);
      needsApproval = changeRequestsEnabled || environment.value.requiredApprovals !== undefined;
      // Its removal may have been interrupted before all features were off.
      if (ledger.lockedEnvironments.has(name)) await switchOffFeatures(request, actor, projectId, name);
      return { project, environment, references, ledger, warn };
    },
    revisionOf: ({ project }) => project,
    decide: ({ project, environment: { value: environment, version }, references, ledger, warn }) => {
      warn();
      if (projectEnvironmentOf(project.value, name) !== undefined) {
        throw new ApiError('NameExistsError', `The project "${projectId}" already has the environment "${name}".`);
      }
      if (defaultStrategy !== undefined) {
        assertReferences(defaultStrategy, references, projectId, 'defaultStrategy');
        assertFewSteps('a default strategy', [], [defaultStrategy]);
      }
      const { writes, events } = buildEnvironmentAddition(project, [
        buildProjectEnvironment(environment, changeRequestsEnabled ? {} : undefined),
      ]);
      return {
        writes: [
          // The project gets a copy of its current state.
          { check: environments.keyOf(name), when: { version } },
          ...writes,
          ...buildUnlockWrites(ledger, [name]),
          ...(defaultStrategy === undefined
            ? []
            : buildDefaultStrategyWrites(projectId, name, defaultStrategy, undefined)),
        ],
        events: [
          ...events,
          ...(defaultStrategy === undefined
            ? []
            : [defaultStrategyUpdated(projectId, name, defaultStrategy, undefined)]),
        ],
        result: nextVersion(project),
      };
    },
  });
  if (needsApproval) await reloadAccessFlags(request);
  return added;
}

/**
 * Builds the writes that create a project, except its own item.
 * @param ledger the ledger of its id, which the deletion of an earlier project has locked.
 */
export function buildNewProjectWrites({ id, mode, environments }: Project, ledger: Ledger): Write[] {
  const names = environments.map(({ name }) => name);
  const unlocking: Write[] = [
    ...buildLockWrites(ledger, { isLocked: false, wholeProject: true, environments: names }),
    { remove: useKeys.projectSeen(id) },
    // The earlier project may have been private.
    ...(mode === 'private' ? [] : [{ remove: flagKeys.privateProject(id) }]),
  ];
  return [buildNoRemovalCheck('project', id), ...buildCountWrites(names), ...(ledger.isLocked ? unlocking : [])];
}

/** Builds the effects of adding environments to a project. */
export function buildEnvironmentAddition(project: Versioned<Project>, added: readonly ProjectEnvironment[]): Effects {
  const names = added.map(({ name }) => name);
  return {
    writes: [
      ...projects.buildUpdateEffects(project, added.reduce(withEnvironment, project.value)).writes,
      ...buildCountWrites(names),
    ],
    events: names.map((name) => buildEnvironmentEvent(project.value.id, name)),
  };
}

/**
 * Prepares the return of environments that a project had before. Their removal may have been interrupted, so that features are
 * switched off first.
 * @returns the writes that unlock the environments.
 */
export async function reopenEnvironments(
  request: Request,
  actor: Actor,
  projectId: string,
  environments: readonly string[],
): Promise<Write[]> {
  const ledger = await loadLedger(request, projectId);
  for (const name of environments) {
    if (ledger.lockedEnvironments.has(name)) await switchOffFeatures(request, actor, projectId, name);
  }
  return buildUnlockWrites(ledger, environments);
}

/** Builds the writes that unlock environments which the project had before, since their removal locked them. */
function buildUnlockWrites(ledger: Ledger, environments: readonly string[]): Write[] {
  const locked = environments.filter((name) => ledger.lockedEnvironments.has(name));
  return locked.length === 0 ? [] : buildLockWrites(ledger, { isLocked: false, environments: locked });
}

function buildCountWrites(environments: readonly string[]): Write[] {
  return environments.flatMap((name) => environmentCountWrites('projectCount', name, 1));
}
