import { isDeepStrictEqual } from 'node:util';
import { change } from '../../entity/change.ts';
import { noEffects } from '../../entity/effects.ts';
import { type Reference, referenceWrites } from '../../entity/references.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import * as projectKeys from '../../projects/keys.ts';
import { type Project, type ProjectEnvironmentPlace, projects, requireEnvironment } from '../../projects/projects.ts';
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
import { assertReferences, loadStrategyReferences, strategyReferences } from './strategy-references.ts';

/**
 * Stored default strategy of a project in an environment: a feature that is switched on there without a strategy gets
 * it.
 */
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
  return item && defaultStrategyFrom(item);
}

/** Reads the default strategies of a project by environment. */
export async function loadDefaultStrategies(
  request: Request,
  projectId: string,
): Promise<Map<string, StoredDefaultStrategy>> {
  const partition = projectKeys.defaultStrategies(projectId);
  const items = await queryAll<DefaultStrategyItem & Key>(request, partition);
  return new Map(items.map((item) => [item.sk.slice(partition.prefix.length), defaultStrategyFrom(item)]));
}

function defaultStrategyFrom({ strategy, version }: DefaultStrategyItem): StoredDefaultStrategy {
  return { strategy: JSON.parse(strategy), version };
}

/** Sets a default strategy, if it still is what was read, and lets what it uses know of it. */
export function defaultStrategyWrites(
  projectId: string,
  environment: string,
  strategy: StrategyInput,
  before: StoredDefaultStrategy | undefined,
): Write[] {
  const item = { strategy: JSON.stringify(strategy), version: (before?.version ?? 0) + 1 };
  const what = 'default strategy';
  const references = (of: StrategyInput) => defaultStrategyReferences(projectId, environment, of);
  return [
    { put: projectKeys.defaultStrategy(projectId, environment), item, when: conditionOf(before), what },
    ...referenceWrites(before === undefined ? [] : references(before.strategy), references(strategy)),
  ];
}

/** Removes a default strategy, if it still is what was read; what it uses is in use by it no more. */
export function defaultStrategyRemovals(projectId: string, environment: string, before: StoredDefaultStrategy) {
  return [
    { remove: projectKeys.defaultStrategy(projectId, environment), when: conditionOf(before) },
    ...referenceWrites(defaultStrategyReferences(projectId, environment, before.strategy), []),
  ];
}

/**
 * Returns the references of a default strategy: while they exist, neither its segments nor its strategy type can be
 * removed.
 */
function defaultStrategyReferences(
  project: string,
  environment: string,
  { name, segments = [] }: Pick<StrategyInput, 'name' | 'segments'>,
): Reference[] {
  const referrer = {
    // No feature has a name with a space.
    by: `default of ${project}#${environment}`,
    name: `the default strategy of the project "${project}" in "${environment}"`,
    details: { project, environment },
  };
  return strategyReferences([{ name, segments }], project, () => referrer);
}

/** Writes nothing, but holds a change to what was read. */
export function defaultStrategyCheck(
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
  { projectId, environment }: ProjectEnvironmentPlace,
  strategy: StrategyInput,
): Promise<Versioned<void>> {
  return change(request, actor, {
    of: [projectKeys.defaultStrategy(projectId, environment), projectKeys.project(projectId)],
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
      assertNoApprovalNeeded(
        request,
        changed.map((name) => ({ project: projectId, environment: name })),
      );
      for (const name of changed) {
        const had = before.get(name)?.strategy;
        assertFewSteps('a default strategy', had === undefined ? [] : [had], [strategy]);
      }
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

/** Removes the default strategies of a project. */
export function removeDefaultStrategies(request: Request, project: string): Promise<void> {
  return retryLostRaces(request, async () => {
    for (const [environment, stored] of await loadDefaultStrategies(request, project)) {
      await transact(request, defaultStrategyRemovals(project, environment, stored), undefined);
    }
  });
}
