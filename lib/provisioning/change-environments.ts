import { change } from '../entity/change.ts';
import { mergeEffects } from '../entity/effects.ts';
import { runPhases } from '../entity/phases.ts';
import type { EnvironmentUpdate } from '../environments/environment-schema.ts';
import {
  type Environment,
  environments,
  loadEnvironments,
  requireUnprotected,
  withApprovals,
} from '../environments/environments.ts';
import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { listProjectIds, type Project, projectEnvironmentOf, projects, withEnvironment } from '../projects/projects.ts';
import { type Request, withAllProjects } from '../request.ts';
import { pack } from '../store/pack.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { transactionBytesMax, type Write, writeBytes } from '../store/transactions/write.ts';

/**
 * Changes the given fields of an environment, and the copies of them in projects. Interrupted and repeated, it
 * completes.
 * @throws ApiError 404 for an unknown environment; 400 for a protected one; 412 by `If-Match`.
 */
export function updateEnvironment(request: Request, actor: Actor, name: string, update: EnvironmentUpdate) {
  const { requiredApprovals, ...fields } = update;
  const revise = (before: Environment) => {
    requireUnprotected(before);
    const after = { ...before, ...fields };
    return requiredApprovals === undefined ? after : withApprovals(after, requiredApprovals);
  };
  return runPhases(request, {
    first: (step) => environments.update(step, actor, name, revise),
    again: () => environments.load(request, name),
    rest: refreshProjects,
  });
}

/**
 * Reorders environments in one transaction, and then the copies of their order in projects. Interrupted and repeated,
 * it completes.
 * @param order positions by name; the others keep theirs.
 * @throws ApiError 404 that names every unknown environment.
 */
export function orderEnvironments(request: Request, actor: Actor, order: Readonly<Record<string, number>>) {
  return runPhases(request, {
    first: (step) => changeOrder(step, actor, order),
    again: async () => {},
    rest: refreshProjects,
  });
}

async function changeOrder(request: Request, actor: Actor, order: Readonly<Record<string, number>>): Promise<void> {
  const names = Object.keys(order);
  await change(request, actor, {
    of: names.map(environments.keyOf),
    likelyEvents: names.length,
    read: () => environments.listVersioned(request),
    revisionOf: () => undefined,
    decide: (all) => {
      assertKnown(names, all);
      const effects = all.map((before) => {
        const { sortOrder, name } = before.value;
        return environments.updated(before, { ...before.value, sortOrder: order[name] ?? sortOrder });
      });
      return { ...mergeEffects(effects), result: undefined };
    },
  });
}

/** @throws ApiError 404 that names every unknown environment. */
function assertKnown(names: readonly string[], all: readonly Versioned<Environment>[]): void {
  const known = new Set(all.map(({ value }) => value.name));
  const unknown = names.filter((name) => !known.has(name));
  const details = unknown.map((name) => ({ message: `There is no environment "${name.slice(0, 100)}".`, path: name }));
  const [first] = details;
  if (first !== undefined) throw new ApiError('NotFoundError', first.message, details);
}

const projectsTogether = 90;

/** Brings the types and the order of environments, of which projects have copies, up to date there. */
export async function refreshProjects(request: Request): Promise<void> {
  const ours = withAllProjects(request);
  await retryLostRaces(request, async () => {
    const [{ all, unchangedCheck }, ids] = await Promise.all([loadEnvironments(request), listProjectIds(ours)]);
    const found = await projects.someVersioned(ours, ids);
    const writes = [...found.values()].flatMap((before) => {
      const { lastEventId = 0 } = before;
      return projects
        .updated(before, withChanges(before.value, all))
        .writes.map((write) => ('item' in write ? { ...write, item: { ...write.item, lastEventId } } : write));
    });
    if (writes.length === 0) return;
    const sizeOf = (write: Write) => ({ count: 1, bytes: writeBytes(write) });
    const room = { count: projectsTogether, bytes: transactionBytesMax - writeBytes(unchangedCheck) };
    // An environment that is changed again meanwhile is copied by that change.
    for (const some of pack(writes, sizeOf, room)) await transact(request, [unchangedCheck, ...some], undefined);
  });
}

function withChanges(project: Project, all: readonly Environment[]): Project {
  let refreshed = project;
  for (const { name, type, sortOrder } of all) {
    const copy = projectEnvironmentOf(refreshed, name);
    if (copy === undefined || (copy.type === type && copy.sortOrder === sortOrder)) continue;
    const others = refreshed.environments.filter((each) => each !== copy);
    refreshed = withEnvironment({ ...refreshed, environments: others }, { ...copy, type, sortOrder });
  }
  return refreshed;
}
