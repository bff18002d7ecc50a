import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import { inUseError } from '../entity/references.ts';
import type { Actor } from '../events/actor.ts';
import { loadReadModel, type ReadModel } from '../features/read-model/read-model.ts';
import * as projectKeys from '../projects/keys.ts';
import { buildLockWrites, type Ledger, loadLedger } from '../projects/ledger.ts';
import { projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { nextVersion, sameVersion, type Versioned } from '../store/transactions/versioned.ts';

/**
 * Archives a project without live features. An archived project accepts no features.
 * @throws ApiError 404 for an unknown project; 409 that names its live features; 412 if `If-Match` does not match.
 */
export function archiveProject(request: Request, actor: Actor, id: string): Promise<Versioned<void>> {
  return change(request, actor, {
    items: [projectKeys.project(id)],
    read: () => Promise.all([projects.load(request, id), loadLedger(request, id), loadReadModel(request, id)]),
    revisionOf: ([before]) => before,
    decide: ([before, ledger, readModel], at) => {
      requireEmpty(request, ledger, readModel, 'archived');
      if (before.value.archivedAt !== null) return { ...noEffects, result: sameVersion(before) };
      const { writes, events } = projects.buildUpdateEffects(before, { ...before.value, archivedAt: at });
      return {
        writes: [...writes, ...buildLockWrites(ledger, { isLocked: true, wholeProject: true, ifUnchanged: true })],
        events,
        result: nextVersion(before),
      };
    },
  });
}

/**
 * Revives a project, but not its archived features.
 * @throws ApiError 404 for an unknown project; 412 if `If-Match` does not match.
 */
export function reviveProject(request: Request, actor: Actor, id: string): Promise<Versioned<void>> {
  return change(request, actor, {
    items: [projectKeys.project(id)],
    read: () => Promise.all([projects.load(request, id), loadLedger(request, id)]),
    revisionOf: ([before]) => before,
    decide: ([before, ledger]) => {
      if (before.value.archivedAt === null) return { ...noEffects, result: sameVersion(before) };
      const { writes, events } = projects.buildUpdateEffects(before, { ...before.value, archivedAt: null });
      return {
        writes: [...writes, ...buildLockWrites(ledger, { isLocked: false, wholeProject: true })],
        events,
        result: nextVersion(before),
      };
    },
  });
}

/** @throws ApiError 409 that names the live features of a project. */
export function requireEmpty(request: Request, ledger: Ledger, { features }: ReadModel, fate: 'archived' | 'deleted') {
  if (ledger.counts.live === 0) return;
  const live = [...features.values()].filter(({ feature }) => feature.archivedAt === null);
  const named = live.map(({ feature: { name } }) => ({ by: name, name }));
  throw inUseError(request, `The project "${ledger.project}" cannot be ${fate} while features of it are live`, named);
}
