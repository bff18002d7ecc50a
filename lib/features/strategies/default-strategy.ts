import { isDeepStrictEqual } from 'node:util';
import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { buildReferenceWrites, type Reference } from '../../entity/references.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import * as projectKeys from '../../projects/keys.ts';
import { type Project, type ProjectEnvironmentPath, projects, requireEnvironment } from '../../projects/projects.ts';
import { assertNoApprovalNeeded } from '../../projects/protection.ts';
import type { Request } from '../../request.ts';
import { assertFewSteps } from '../../segments/expression-limit.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItem } from '../../store/read.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import { nextVersion, sameVersion, type Versioned } from '../../store/transactions/versioned.ts';
import type { Condition, Write } from '../../store/transactions/write.ts';
import type { StrategyInput } from './strategy-input-schema.ts';
import { assertReferences, buildStrategyReferences, loadStrategyReferences } from './strategy-references.ts';

/** The default strategy of a project in an environment: a feature without a strategy gets it when it is switched on. */
interface DefaultStrategyItem {
  /** JSON: StrategyInput. */
  readonly strategy: string;
  readonly version: number;
}

/** A default strategy as it was read. */
export interface StoredDefaultStrategy {
  readonly strategy: StrategyInput;
  readonly version: number;
}

/** Reads the default strategy of an environment in a project, if one was set. */
export async function loadDefaultStrategy(
  request: Request,
  projectId: string,
  environment: string,
): Promise<StoredDefaultStrategy | undefined> {
  const item = await readItem<DefaultStrategyItem>(request, projectKeys.defaultStrategy(projectId, environment));
  return item && parseDefaultStrategy(item);
}

/** Reads the default strategies of a project by environment. */
export async function loadDefaultStrategies(
  request: Request,
  projectId: string,
): Promise<Map<string, StoredDefaultStrategy>> {
  const partition = projectKeys.defaultStrategies(projectId);
  const items = await queryAll<DefaultStrategyItem & Key>(request, partition);
  return new Map(items.map((item) => [item.sk.slice(partition.prefix.length), parseDefaultStrategy(item)]));
}

function parseDefaultStrategy({ strategy, version }: DefaultStrategyItem): StoredDefaultStrategy {
  return { strategy: JSON.parse(strategy), version };
}

/** Builds the writes that set a default strategy and its references; they fail if it has changed since it was read. */
export function buildDefaultStrategyWrites(
  projectId: string,
  environment: string,
  strategy: StrategyInput,
  before: StoredDefaultStrategy | undefined,
): Write[] {
  const item = { strategy: JSON.stringify(strategy), version: (before?.version ?? 0) + 1 };
  const subject = 'default strategy';
  const referencesOf = (value: StrategyInput) => buildDefaultStrategyReferences(projectId, environment, value);
  return [
    { put: projectKeys.defaultStrategy(projectId, environment), item, when: conditionOf(before), subject },
    ...buildReferenceWrites(before === undefined ? [] : referencesOf(before.strategy), referencesOf(strategy)),
  ];
}

/** Builds the writes that remove a default strategy and its references; they fail if it has changed since it was read. */
export function buildDefaultStrategyRemoval(projectId: string, environment: string, before: StoredDefaultStrategy) {
  return [
    { remove: projectKeys.defaultStrategy(projectId, environment), when: conditionOf(before) },
    ...buildReferenceWrites(buildDefaultStrategyReferences(projectId, environment, before.strategy), []),
  ];
}

/** Builds the references of a default strategy, which protect its segments and its strategy type from removal. */
function buildDefaultStrategyReferences(
  project: string,
  environment: string,
  { name, segments = [] }: Pick<StrategyInput, 'name' | 'segments'>,
): Reference[] {
  const referrer = {
    // The name of a feature has no space, so this cannot be one.
    by: `default of ${project}#${environment}`,
    name: `the default strategy of the project "${project}" in "${environment}"`,
    details: { project, environment },
  };
  return buildStrategyReferences([{ name, segments }], project, () => referrer);
}

/** Builds a condition that the default strategy has not changed since it was read. */
export function buildDefaultStrategyCheck(
  projectId: string,
  environment: string,
  before: StoredDefaultStrategy | undefined,
): Write {
  return { check: projectKeys.defaultStrategy(projectId, environment), when: conditionOf(before) };
}

function conditionOf(before: StoredDefaultStrategy | undefined): Condition {
  return before === undefined ? 'absent' : { version: before.version };
}

export function defaultStrategyUpdated(
  project: string,
  environment: string,
  after: StrategyInput,
  before: StrategyInput | undefined,
): NewEvent {
  return {
    type: 'default-strategy-updated',
    project,
    environment,
    data: { ...after },
    preData: before ? { ...before } : null,
  };
}

/** Stands for all environments of the project in the place of a name. */
const everyEnvironment = '*';

/**
 * Sets the default strategy of a project in an environment, or with `*` in all its environments. An equal default
 * strategy is not changed.
 * @throws ApiError 404 for an unknown project, environment or segment; 400 for an invalid strategy; 403 if changes in an
 * environment need approval; 412 if `If-Match` names another version of the project.
 */
export function setDefaultStrategy(
  request: Request,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPath,
  strategy: StrategyInput,
): Promise<Versioned<void>> {
  return change(request, actor, {
    items: [projectKeys.defaultStrategy(projectId, environment), projectKeys.project(projectId)],
    read: () =>
      Promise.all([
        projects.load(request, projectId),
        loadStrategyReferences(request, strategy),
        loadCurrent(request, projectId, environment),
      ]),
    revisionOf: ([project]) => project,
    decide: ([project, references, before]) => {
      const environments = listEnvironments(project.value, environment);
      assertReferences(strategy, references, projectId);
      const isSame = (name: string) => isDeepStrictEqual(before.get(name)?.strategy, strategy);
      const changed = environments.filter((name) => !isSame(name));
      if (changed.length === 0) return { ...noEffects, result: sameVersion(project) };
      assertNoApprovalNeeded(
        request,
        changed.map((name) => ({ project: projectId, environment: name })),
      );
      for (const name of changed) {
        const old = before.get(name)?.strategy;
        assertFewSteps('a default strategy', old === undefined ? [] : [old], [strategy]);
      }
      return {
        writes: [
          ...changed.flatMap((name) => buildDefaultStrategyWrites(projectId, name, strategy, before.get(name))),
          // Replies about the project contain its default strategies, so its version changes, too. The condition on it
          // also fails if an environment was added or removed since the read.
          projects.buildRenewalWrite(project),
          ...environments.filter(isSame).map((name) => buildDefaultStrategyCheck(projectId, name, before.get(name))),
        ],
        events: changed.map((name) => defaultStrategyUpdated(projectId, name, strategy, before.get(name)?.strategy)),
        result: nextVersion(project),
      };
    },
  });
}

async function loadCurrent(request: Request, projectId: string, environment: string) {
  if (environment === everyEnvironment) return loadDefaultStrategies(request, projectId);
  const strategy = await loadDefaultStrategy(request, projectId, environment);
  return new Map(strategy === undefined ? [] : [[environment, strategy]]);
}

/** @throws ApiError 404 for an environment that the project lacks. */
function listEnvironments(project: Project, environment: string): string[] {
  if (environment === everyEnvironment) return project.environments.map(({ name }) => name);
  return [requireEnvironment(project, environment).name];
}

/** Removes the default strategies of a project. */
export function removeDefaultStrategies(request: Request, project: string): Promise<void> {
  return retryLostRaces(request, async () => {
    for (const [environment, stored] of await loadDefaultStrategies(request, project)) {
      await transact(request, buildDefaultStrategyRemoval(project, environment, stored), undefined);
    }
  });
}
