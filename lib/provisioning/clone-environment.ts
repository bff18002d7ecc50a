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
import { loadShelves } from '../features/shelf/shelf.ts';
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
import { type Request, withoutGate, withoutReceipt } from '../request.ts';
import { pack } from '../store/pack.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { bytesOf, transactionBytesMax, transactionWritesMax } from '../store/transactions/write.ts';
import { mapChunks } from '../values/lists.ts';
import { environmentsAdded } from './add-environment.ts';
import { completeEnvironmentDeletion } from './delete-environment.ts';
import { type Removal, removalBegun, removalOf, removalOver, removalUnderWay } from './removal.ts';

/**
 * Creates an environment as a copy of another one: in the chosen projects, or all that have the source, with their
 * default strategies there and the state of all their features there, archived or not: strategies, variants, and
 * whether they are on. The copy is prepared out of sight and becomes visible in one transaction, in as many projects as
 * that has room for; in each of the others it is complete as soon as it is visible. Interrupted before that and
 * repeated, it resumes; another request that creates an environment of the name removes what was prepared. Tokens are
 * not copied.
 * @throws ApiError 404 that names every project which is unknown or does not have the source, and for an unknown
 * source; 409 for a name in use; 400 for one environment too many.
 */
export async function cloneEnvironment(
  request: Request,
  actor: Actor,
  from: string,
  input: EnvironmentClone,
): Promise<Versioned<Environment>> {
  const { name: to } = input;
  if (request.receipt?.firstPhaseNote !== undefined) {
    for (const id of await projectsWith(request, from, input.projects))
      await join(forLaterPhases(request), actor, id, { from, to });
    return environments.load(request, to);
  }
  const chosen = await requiredProjects(request, from, input);
  const removal = await begin(withoutReceipt(request), actor, to, JSON.stringify({ from, projects: chosen, ...input }));
  // Nobody has the environment yet.
  const unseen = withoutGate(forLaterPhases(request));
  await prepare({ ...withSuspension(unseen), guard: removalUnderWay(removal) }, actor, chosen, { from, ...input });
  const { created, later } = await create(forFirstPhase(request, 'created'), actor, removal, chosen, {
    from,
    ...input,
  });
  for (const id of later) await join(forLaterPhases(request), actor, id, { from, to });
  return created;
}

interface Clone extends EnvironmentClone {
  /** The environment that is cloned. */
  readonly from: string;
}

/** From where to where something is copied. */
interface Copy {
  readonly from: string;
  readonly to: string;
}

async function projectsWith(request: Request, environment: string, chosen?: readonly string[]): Promise<string[]> {
  const found = await projects.some(request, chosen ?? (await listProjectIds(request)));
  return [...found.values()].flatMap((project) =>
    projectEnvironmentOf(project, environment) === undefined ? [] : [project.id],
  );
}

/** Returns the projects that are to have the clone, in order. */
async function requiredProjects(request: Request, from: string, { name, projects: chosen }: EnvironmentClone) {
  const [now, having] = await Promise.all([loadEnvironments(request), projectsWith(request, from, chosen)]);
  if (now.all.some((environment) => environment.name === name)) throw nameTakenError('environment', 'id', name);
  if (!now.all.some((environment) => environment.name === from)) await environments.load(request, from);
  requireRoomForEnvironment(now);
  const known = new Set(having);
  const details = (chosen ?? []).flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ message: `There is no project "${id}" with the environment "${from}".`, path: `projects.${index}` }],
  );
  const [first] = details;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, details);
  return having.toSorted();
}

/**
 * Records a preparation, so that it is removed unless it is completed; the record of an earlier run of the same one
 * stays.
 */
function begin(request: Request, actor: Actor, name: string, plan: string): Promise<Removal> {
  return change(request, actor, {
    of: [environments.keyOf(name)],
    read: async () => {
      const earlier = await removalOf(request, 'environment', name);
      if (earlier !== undefined && earlier.plan !== plan) await completeEnvironmentDeletion(request, actor, name);
      return earlier?.plan === plan ? earlier : undefined;
    },
    revisionOf: () => undefined,
    decide: (earlier) => {
      if (earlier !== undefined) return { ...noEffects, result: earlier };
      const removal: Removal = { kind: 'environment', of: name, id: randomUUID(), plan };
      const otherwise = () => nameTakenError('environment', 'id', name);
      return {
        writes: [{ check: environments.keyOf(name), when: 'absent', otherwise }, removalBegun(removal)],
        events: [],
        result: removal,
      };
    },
  });
}

/** Number of features copied together. */
const featuresAtOnce = 8;
/** Limit of passes over features that others change meanwhile. */
const passesMax = 3;

/**
 * Copies the settings that features and roles have in an environment to one that does not exist yet, so that nobody
 * sees it.
 */
async function prepare(
  request: FlagRequest,
  actor: Actor,
  chosen: readonly string[],
  { from, name: to, clonePermissions = false }: Clone,
): Promise<void> {
  await mapChunks(chosen, featuresAtOnce, (project) => open(request, project, to));
  for (let pass = 0; pass < passesMax; pass += 1) {
    const names = await featuresIn(request, chosen, [from, to]);
    const copied = await mapChunks(names, featuresAtOnce, (name) =>
      ignoreNotFound(copyEnvironment(request, actor, name, { from, to })),
    );
    if (!copied.some((isChanged) => isChanged === true)) break;
  }
  if (clonePermissions) await copyPermissions(request, actor, { from, to });
}

/** An earlier environment of the name was closed when it was deleted. */
function open(request: Request, project: string, environment: string): Promise<void> {
  return retryLostRaces(request, async () => {
    const ledger = await loadLedger(request, project);
    if (!ledger.lockedEnvironments.has(environment)) return;
    await transact(request, buildLockWrites(ledger, { isLocked: false, environments: [environment] }), undefined);
  });
}

async function featuresIn(request: Request, chosen: readonly string[], names: readonly string[]): Promise<string[]> {
  const shelves = await loadShelves(request, chosen, { isStrict: true });
  return shelves.flatMap(({ features }) =>
    [...features].flatMap(([feature, { summaries }]) => (names.some((name) => summaries.has(name)) ? [feature] : [])),
  );
}

/** Lets each role that allows something in an environment allow it in the other one, too. */
function copyPermissions(request: Request, actor: Actor, { from, to }: Copy): Promise<void> {
  return changeEach(
    request,
    actor,
    customRoles,
    ({ permissions }) => permissions.some(({ environment }) => environment === from),
    (role) => {
      const others = role.value.permissions.filter(({ environment }) => environment !== to);
      const own = others.filter(({ environment }) => environment === from);
      const permissions = [...others, ...own.map((permission) => ({ ...permission, environment: to }))];
      return customRoles.updated(role, { ...role.value, permissions });
    },
  );
}

/** A project that is to have the clone, as it was read. */
interface Place {
  readonly project: Versioned<Project>;
  /** Its default strategy in the environment that is cloned. */
  readonly defaultStrategy: StoredDefaultStrategy | undefined;
}

async function placeOf(request: Request, id: string, from: string): Promise<Place> {
  const [project, defaultStrategy] = await Promise.all([
    projects.load(request, id),
    loadDefaultStrategy(request, id, from),
  ]);
  return { project, defaultStrategy };
}

/**
 * Returns the effects of adding the clone to a project.
 * @throws ApiError 404 where the project no longer has the source environment.
 */
function joining({ project, defaultStrategy }: Place, from: string, { name, type, sortOrder }: Environment): Effects {
  const { id } = project.value;
  const copy = { ...requireEnvironment(project.value, from), name, type, sortOrder };
  const { writes, events } = environmentsAdded(project, [copy]);
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

/** Room in the first transaction for the environment itself, for events and a receipt. */
const room = { count: transactionWritesMax - 20, bytes: transactionBytesMax / 2 };

/** Creates the environment in as many projects as there is room for, and returns the others. */
function create(
  request: Request,
  actor: Actor,
  removal: Removal,
  chosen: readonly string[],
  { from, name, type }: Clone,
): Promise<{ readonly created: Versioned<Environment>; readonly later: readonly string[] }> {
  return change(request, actor, {
    of: [environments.keyOf(name)],
    likelyEvents: 1 + 2 * Math.min(chosen.length, room.count),
    read: () =>
      Promise.all([
        environments.load(request, from),
        loadEnvironments(request),
        Promise.all(chosen.map((id) => placeOf(request, id, from))),
      ]),
    revisionOf: () => undefined,
    decide: ([source, now, places], at) => {
      requireRoomForEnvironment(now);
      const value = newEnvironment({ name, type, sortOrder: sortOrderAfter(now.all) });
      const { writes, events, version } = environments.created(value, at);
      const all = places.map((place) => ({ id: place.project.value.id, ...joining(place, from, value) }));
      const sizeOf = (effects: Effects) => ({ count: effects.writes.length, bytes: bytesOf(effects.writes) });
      const [first = [], ...later] = pack(all, sizeOf, room);
      const isUnchanged = { check: environments.keyOf(from), when: { version: source.version } };
      return {
        ...mergeEffects([{ writes: [removalOver(removal), ...writes, isUnchanged], events }, ...first]),
        result: { created: { value, version }, later: later.flat().map(({ id }) => id) },
      };
    },
  });
}

/** Gives one more project the clone. One that has it, or has had it and removed it, stays as it is. */
async function join(request: Request, actor: Actor, id: string, { from, to }: Copy): Promise<void> {
  await ignoreNotFound(
    change(request, actor, {
      of: [projectKeys.project(id)],
      likelyEvents: 2,
      read: () => Promise.all([placeOf(request, id, from), environments.load(request, to), loadLedger(request, id)]),
      revisionOf: ([{ project }]) => project,
      decide: ([place, { value: environment, version }, ledger]) => {
        const isThere = projectEnvironmentOf(place.project.value, to) !== undefined;
        if (isThere || ledger.lockedEnvironments.has(to)) return { ...noEffects, result: undefined };
        const { writes, events } = joining(place, from, environment);
        const isUnchanged = { check: environments.keyOf(to), when: { version } };
        return { writes: [isUnchanged, ...writes], events, result: undefined };
      },
    }),
  );
}
