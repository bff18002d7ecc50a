import { randomUUID } from 'node:crypto';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { change } from '../entity/change.ts';
import { changeEach } from '../entity/change-each.ts';
import { type Effects, type FlagRequest, mergeEffects, noEffects } from '../entity/effects.ts';
import { nameTakenError } from '../entity/names.ts';
import { forFirstPhase, forLaterPhases } from '../entity/phases.ts';
import type { EnvironmentClone } from '../environments/environment-schema.ts';
import {
  type Environment,
  environments,
  loadEnvironments,
  newEnvironment,
  requireRoomForEnvironment,
  sortOrderAfter,
} from '../environments/environments.ts';
import { ApiError, ignoreNotFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { copyEnvironment } from '../features/environments/copy-environment.ts';
import { loadReadModels } from '../features/read-model/read-model.ts';
import {
  buildDefaultStrategyCheck,
  buildDefaultStrategyWrites,
  defaultStrategyUpdated,
  loadDefaultStrategy,
  type StoredDefaultStrategy,
} from '../features/strategies/default-strategy.ts';
import { customRoles } from '../identity/roles.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, loadLedger } from '../projects/ledger.ts';
import {
  listProjectIds,
  type Project,
  projectEnvironmentOf,
  projects,
  requireEnvironment,
} from '../projects/projects.ts';
import { type Request, withoutGate, withoutIdempotencyRecord } from '../request.ts';
import { splitIntoBatches } from '../store/batch.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { bytesOf, transactionBytesMax, transactionWritesMax } from '../store/transactions/write.ts';
import { mapChunks } from '../values/lists.ts';
import { buildEnvironmentAddition } from './add-environment.ts';
import { completeEnvironmentDeletion } from './delete-environment.ts';
import { buildRemovalCheck, buildRemovalEnd, buildRemovalStart, loadRemoval, type Removal } from './removal.ts';

/**
 * Creates an environment as a copy of another one, in the chosen projects or in all that have the source. It copies their
 * default strategies and the states of all features, also archived ones: strategies, variants, and whether they are on, but no
 * tokens. The copy is prepared invisibly. One transaction makes it visible in as many projects as fit; each further project
 * gets it complete. A repeat continues an interrupted request; another request that creates an environment of that name removes
 * the preparation.
 * @throws ApiError 404 for an unknown source, and with every project that is unknown or lacks the source; 409 for a name in
 * use; 400 for more environments than the limit.
 */
export async function cloneEnvironment(
  request: Request,
  actor: Actor,
  from: string,
  input: EnvironmentClone,
): Promise<Versioned<Environment>> {
  const { name: to } = input;
  if (request.idempotencyRecord?.firstPhaseNote !== undefined) {
    for (const id of await listProjectsWith(request, from, input.projects))
      await addToProject(forLaterPhases(request), actor, id, { from, to });
    return environments.load(request, to);
  }
  const chosen = await chooseProjects(request, from, input);
  const removal = await startPreparation(
    withoutIdempotencyRecord(request),
    actor,
    to,
    JSON.stringify({ from, projects: chosen, ...input }),
  );
  // Nobody sees the environment yet, so that its preparation needs no approval.
  const preparing = withoutGate(forLaterPhases(request));
  await prepare({ ...withSuspension(preparing), condition: buildRemovalCheck(removal) }, actor, chosen, {
    from,
    ...input,
  });
  const { created, later } = await create(forFirstPhase(request, 'created'), actor, removal, chosen, {
    from,
    ...input,
  });
  for (const id of later) await addToProject(forLaterPhases(request), actor, id, { from, to });
  return created;
}

interface Clone extends EnvironmentClone {
  /** The source. */
  readonly from: string;
}

/** The names of the source and of the copy. */
interface Copy {
  readonly from: string;
  readonly to: string;
}

async function listProjectsWith(request: Request, environment: string, chosen?: readonly string[]): Promise<string[]> {
  const stored = await projects.findSome(request, chosen ?? (await listProjectIds(request)));
  return [...stored.values()].flatMap((project) =>
    projectEnvironmentOf(project, environment) === undefined ? [] : [project.id],
  );
}

/** Returns the projects that get the copy, in order. */
async function chooseProjects(request: Request, from: string, { name, projects: chosen }: EnvironmentClone) {
  const [current, projectIds] = await Promise.all([loadEnvironments(request), listProjectsWith(request, from, chosen)]);
  if (current.all.some((environment) => environment.name === name)) throw nameTakenError('environment', 'id', name);
  if (!current.all.some((environment) => environment.name === from)) await environments.load(request, from);
  requireRoomForEnvironment(current);
  const known = new Set(projectIds);
  const details = (chosen ?? []).flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ message: `There is no project "${id}" with the environment "${from}".`, path: `projects.${index}` }],
  );
  const [first] = details;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, details);
  return projectIds.toSorted();
}

/**
 * Records a preparation, so that it is removed if it is not completed. A repeat of the same request continues its
 * preparation.
 */
function startPreparation(request: Request, actor: Actor, name: string, plan: string): Promise<Removal> {
  return change(request, actor, {
    items: [environments.keyOf(name)],
    read: async () => {
      const earlier = await loadRemoval(request, 'environment', name);
      if (earlier !== undefined && earlier.plan !== plan) await completeEnvironmentDeletion(request, actor, name);
      return earlier?.plan === plan ? earlier : undefined;
    },
    revisionOf: () => undefined,
    decide: (earlier) => {
      if (earlier !== undefined) return { ...noEffects, result: earlier };
      const removal: Removal = { kind: 'environment', name, id: randomUUID(), plan };
      const otherwise = () => nameTakenError('environment', 'id', name);
      return {
        writes: [{ check: environments.keyOf(name), when: 'absent', otherwise }, buildRemovalStart(removal)],
        events: [],
        result: removal,
      };
    },
  });
}

/** The number of features that are copied at the same time. */
const featuresAtOnce = 8;
/** The most passes over features that others change meanwhile. */
const passesMax = 3;

/**
 * Copies the settings of features and roles to an environment that does not exist yet, so that nobody sees them.
 */
async function prepare(
  request: FlagRequest,
  actor: Actor,
  chosen: readonly string[],
  { from, name: to, clonePermissions = false }: Clone,
): Promise<void> {
  await mapChunks(chosen, featuresAtOnce, (project) => unlock(request, project, to));
  for (let pass = 0; pass < passesMax; pass += 1) {
    const names = await listFeatures(request, chosen, [from, to]);
    const copied = await mapChunks(names, featuresAtOnce, (name) =>
      ignoreNotFound(copyEnvironment(request, actor, name, { from, to })),
    );
    if (!copied.some((isChanged) => isChanged === true)) break;
  }
  if (clonePermissions) await copyPermissions(request, actor, { from, to });
}

/** Unlocks the environment in a project, since the deletion of an earlier environment of that name locked it. */
function unlock(request: Request, project: string, environment: string): Promise<void> {
  return retryLostRaces(request, async () => {
    const ledger = await loadLedger(request, project);
    if (!ledger.lockedEnvironments.has(environment)) return;
    await transact(request, buildLockWrites(ledger, { isLocked: false, environments: [environment] }), undefined);
  });
}

async function listFeatures(request: Request, chosen: readonly string[], names: readonly string[]): Promise<string[]> {
  const readModels = await loadReadModels(request, chosen, { isStrict: true });
  return readModels.flatMap(({ features }) =>
    [...features].flatMap(([feature, { summaries }]) => (names.some((name) => summaries.has(name)) ? [feature] : [])),
  );
}

/** Copies the permissions of all roles in the source. */
function copyPermissions(request: Request, actor: Actor, { from, to }: Copy): Promise<void> {
  return changeEach(
    request,
    actor,
    customRoles,
    ({ permissions }) => permissions.some(({ environment }) => environment === from),
    (role) => {
      const others = role.value.permissions.filter(({ environment }) => environment !== to);
      const copied = others.filter(({ environment }) => environment === from);
      const permissions = [...others, ...copied.map((permission) => ({ ...permission, environment: to }))];
      return customRoles.buildUpdateEffects(role, { ...role.value, permissions });
    },
  );
}

/** A project that gets the copy. */
interface TargetProjectState {
  readonly project: Versioned<Project>;
  /** The default strategy in the source. */
  readonly defaultStrategy: StoredDefaultStrategy | undefined;
}

async function loadTarget(request: Request, id: string, from: string): Promise<TargetProjectState> {
  const [project, defaultStrategy] = await Promise.all([
    projects.load(request, id),
    loadDefaultStrategy(request, id, from),
  ]);
  return { project, defaultStrategy };
}

/**
 * Builds the effects of adding the copy to a project.
 * @throws ApiError 404 if the project no longer has the source.
 */
function buildAddition(
  { project, defaultStrategy }: TargetProjectState,
  from: string,
  { name, type, sortOrder }: Environment,
): Effects {
  const { id } = project.value;
  const copy = { ...requireEnvironment(project.value, from), name, type, sortOrder };
  const { writes, events } = buildEnvironmentAddition(project, [copy]);
  return {
    writes: [
      ...writes,
      buildDefaultStrategyCheck(id, from, defaultStrategy),
      ...(defaultStrategy === undefined
        ? []
        : buildDefaultStrategyWrites(id, name, defaultStrategy.strategy, undefined)),
    ],
    events: [
      ...events,
      ...(defaultStrategy === undefined ? [] : [defaultStrategyUpdated(id, name, defaultStrategy.strategy, undefined)]),
    ],
  };
}

/** The room for projects in the first transaction, in addition to the environment, its events and an idempotency record. */
const room = { count: transactionWritesMax - 20, bytes: transactionBytesMax / 2 };

/** Creates the environment in as many projects as fit, and returns the other projects. */
function create(
  request: Request,
  actor: Actor,
  removal: Removal,
  chosen: readonly string[],
  { from, name, type }: Clone,
): Promise<{ readonly created: Versioned<Environment>; readonly later: readonly string[] }> {
  return change(request, actor, {
    items: [environments.keyOf(name)],
    likelyEvents: 1 + 2 * Math.min(chosen.length, room.count),
    read: () =>
      Promise.all([
        environments.load(request, from),
        loadEnvironments(request),
        Promise.all(chosen.map((id) => loadTarget(request, id, from))),
      ]),
    revisionOf: () => undefined,
    decide: ([source, current, targets], at) => {
      requireRoomForEnvironment(current);
      const value = newEnvironment({ name, type, sortOrder: sortOrderAfter(current.all) });
      const { writes, events, version } = environments.buildCreationEffects(value, at);
      const all = targets.map((target) => ({ id: target.project.value.id, ...buildAddition(target, from, value) }));
      const sizeOf = (effects: Effects) => ({ count: effects.writes.length, bytes: bytesOf(effects.writes) });
      const [first = [], ...later] = splitIntoBatches(all, sizeOf, room);
      const isUnchanged = { check: environments.keyOf(from), when: { version: source.version } };
      return {
        ...mergeEffects([{ writes: [buildRemovalEnd(removal), ...writes, isUnchanged], events }, ...first]),
        result: { created: { value, version }, later: later.flat().map(({ id }) => id) },
      };
    },
  });
}

/** Adds the copy to another project, unless the project has it or has removed it meanwhile. */
async function addToProject(request: Request, actor: Actor, id: string, { from, to }: Copy): Promise<void> {
  await ignoreNotFound(
    change(request, actor, {
      items: [projectKeys.project(id)],
      likelyEvents: 2,
      read: () => Promise.all([loadTarget(request, id, from), environments.load(request, to), loadLedger(request, id)]),
      revisionOf: ([{ project }]) => project,
      decide: ([target, { value: environment, version }, ledger]) => {
        const isPresent = projectEnvironmentOf(target.project.value, to) !== undefined;
        if (isPresent || ledger.lockedEnvironments.has(to)) return { ...noEffects, result: undefined };
        const { writes, events } = buildAddition(target, from, environment);
        const isUnchanged = { check: environments.keyOf(to), when: { version } };
        return { writes: [isUnchanged, ...writes], events, result: undefined };
      },
    }),
  );
}
