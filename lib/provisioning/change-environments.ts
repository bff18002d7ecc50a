import { change } from '../entity/change.ts';
import { mergeEffects } from '../entity/effects.ts';
import { runPhases } from '../entity/phases.ts';
import type { EnvironmentInput, EnvironmentUpdate } from '../environments/environment-schema.ts';
import {
  type Environment,
  environments,
  loadEnvironments,
  newEnvironment,
  requireUnprotected,
  sortOrderAfter,
  withApprovals,
} from '../environments/environments.ts';
import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { listProjectIds, type Project, projectEnvironmentOf, projects, withEnvironment } from '../projects/projects.ts';
import { type Request, withAllProjects } from '../request.ts';
import { splitIntoBatches } from '../store/batch.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { transactionBytesMax, type Write, writeBytes } from '../store/transactions/write.ts';
import { completeEnvironmentDeletion } from './delete-environment.ts';
import { buildNoRemovalCheck } from './removal.ts';

/**
 * Creates an environment, which no project has yet. By default it is enabled and the last in order.
 * @throws ApiError 409 for a name in use; 400 for more environments than the limit.
 */
export async function createEnvironment(request: Request, actor: Actor, input: EnvironmentInput) {
  await completeEnvironmentDeletion(request, actor, input.name);
  return environments.create(
    request,
    actor,
    (_at, _id, others) => newEnvironment({ ...input, sortOrder: input.sortOrder ?? sortOrderAfter(others) }),
    [buildNoRemovalCheck('environment', input.name)],
  );
}

/**
 * Changes the given fields of an environment and their copies in projects. A repeat completes an interrupted request.
 * @throws ApiError 404 for an unknown environment; 400 for a protected one; 412 if `If-Match` does not match.
 */
export function updateEnvironment(request: Request, actor: Actor, name: string, update: EnvironmentUpdate) {
  const { requiredApprovals, ...fields } = update;
  const revise = (before: Environment) => {
    requireUnprotected(before);
    const after = { ...before, ...fields };
    return requiredApprovals === undefined ? after : withApprovals(after, requiredApprovals);
  };
  return runPhases(request, {
    first: (phaseRequest) => environments.update(phaseRequest, actor, name, revise),
    again: () => environments.load(request, name),
    rest: refreshProjects,
  });
}

/**
 * Reorders environments in one transaction, and then their copies in projects. A repeat completes an interrupted request.
 * @param order positions by name; other environments keep their positions.
 * @throws ApiError 404 that names every unknown environment.
 */
export function orderEnvironments(request: Request, actor: Actor, order: Readonly<Record<string, number>>) {
  return runPhases(request, {
    first: (phaseRequest) => changeOrder(phaseRequest, actor, order),
    again: async () => {},
    rest: refreshProjects,
  });
}

async function changeOrder(request: Request, actor: Actor, order: Readonly<Record<string, number>>): Promise<void> {
  const names = Object.keys(order);
  await change(request, actor, {
    items: names.map(environments.keyOf),
    likelyEvents: names.length,
    read: () => environments.listVersioned(request),
    revisionOf: () => undefined,
    decide: (all) => {
      requireKnown(names, all);
      const effects = all.map((before) => {
        const { sortOrder, name } = before.value;
        return environments.buildUpdateEffects(before, { ...before.value, sortOrder: order[name] ?? sortOrder });
      });
      return { ...mergeEffects(effects), result: undefined };
    },
  });
}

/** @throws ApiError 404 that names every unknown environment. */
function requireKnown(names: readonly string[], all: readonly Versioned<Environment>[]): void {
  const known = new Set(all.map(({ value }) => value.name));
  const unknown = names.filter((name) => !known.has(name));
  const details = unknown.map((name) => ({ message: `There is no environment "${name.slice(0, 100)}".`, path: name }));
  const [first] = details;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, details);
}

/** The number of projects in one transaction. */
const projectsTogether = 90;

/** Updates the copies of types and positions of environments in all projects. */
export async function refreshProjects(request: Request): Promise<void> {
  const unrestricted = withAllProjects(request);
  await retryLostRaces(request, async () => {
    const [{ all, unchangedCheck }, ids] = await Promise.all([loadEnvironments(request), listProjectIds(unrestricted)]);
    const stored = await projects.findSomeVersioned(unrestricted, ids);
    const writes = [...stored.values()].flatMap((before) => {
      const { lastEventId = 0 } = before;
      return projects
        .buildUpdateEffects(before, withCopies(before.value, all))
        .writes.map((write) => ('item' in write ? { ...write, item: { ...write.item, lastEventId } } : write));
    });
    if (writes.length === 0) return;
    const sizeOf = (write: Write) => ({ count: 1, bytes: writeBytes(write) });
    const room = { count: projectsTogether, bytes: transactionBytesMax - writeBytes(unchangedCheck) };
    // A concurrent change of an environment updates the copies itself.
    for (const batch of splitIntoBatches(writes, sizeOf, room))
      await transact(request, [unchangedCheck, ...batch], undefined);
  });
}

function withCopies(project: Project, all: readonly Environment[]): Project {
  let refreshed = project;
  for (const { name, type, sortOrder } of all) {
    const copy = projectEnvironmentOf(refreshed, name);
    if (copy === undefined || (copy.type === type && copy.sortOrder === sortOrder)) continue;
    const others = refreshed.environments.filter((environment) => environment !== copy);
    refreshed = withEnvironment({ ...refreshed, environments: others }, { ...copy, type, sortOrder });
  }
  return refreshed;
}
