import { forLaterPhases, runPhases } from '../entity/phases.ts';
import { ApiError } from '../errors.ts';
import * as projectKeys from '../projects/keys.ts';
import { type Request, withAllProjects, withoutAuthority, withoutGate } from '../request.ts';
import { readItem } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** Kinds that are deleted in one transaction, and their content in later ones. */
type Removable = 'project' | 'environment';

/** The removal of the content of a deleted project or environment. */
export interface Removal {
  readonly kind: Removable;
  readonly name: string;
  /** Distinguishes it from the removal of a later project or environment of that name. */
  readonly id: string;
  /** Identifies the request that prepares an environment, until it is created. */
  readonly plan?: string;
}

type RemovalItem = Pick<Removal, 'id' | 'plan'>;

const keyOf = ({ kind, name }: Pick<Removal, 'kind' | 'name'>) => projectKeys.removal(kind, name);

/** Loads the removal in progress of the content of a deleted project or environment, if any. */
export async function loadRemoval(request: Request, kind: Removable, name: string): Promise<Removal | undefined> {
  const item = await readItem<RemovalItem>(request, projectKeys.removal(kind, name));
  return item && { kind, name, id: item.id, ...(item.plan !== undefined && { plan: item.plan }) };
}

/**
 * Starts a removal: in the transaction that deletes a project or environment, or before content is prepared for a new one.
 * If it is never created, that content is removed.
 */
export function buildRemovalStart({ plan, ...removal }: Removal): Write {
  return { put: keyOf(removal), item: { id: removal.id, ...(plan !== undefined && { plan }) }, when: 'absent' };
}

/** Builds the condition that a removal is still in progress, so that nothing new has the name. */
export function buildRemovalCheck(removal: Removal): Extract<Write, { readonly check: unknown }> {
  const otherwise = () =>
    new ApiError(
      'ConflictError',
      `Another request has created or deleted the ${removal.kind} "${removal.name}" meanwhile; try again.`,
    );
  return { check: keyOf(removal), when: { same: { id: removal.id } }, otherwise };
}

/** Builds the write that ends a removal. */
export function buildRemovalEnd(removal: Removal): Write {
  const { check, ...condition } = buildRemovalCheck(removal);
  return { remove: check, ...condition };
}

/** Builds the condition that no content of an earlier project or environment of that name is left. */
export function buildNoRemovalCheck(kind: Removable, name: string): Write {
  const otherwise = () => new ApiError('ConflictError', `The ${kind} "${name}" is still being deleted; try again.`);
  return { check: projectKeys.removal(kind, name), when: 'absent', otherwise };
}

/** The deletion of a project or environment, and then of its content. */
interface Deletion {
  /** Deletes the project or environment with `buildRemovalStart`, and returns the removal that is then in progress. */
  readonly deleteOnly: (request: Request, removal: Removal) => Promise<Removal>;
  readonly removeContent: (request: Request) => Promise<void>;
}

/**
 * Deletes a project or environment in the first phase of a request, and its content in the other phases. A repeat of an interrupted
 * request continues with the content. It does not delete again, since what has the name now would be new.
 */
export async function removeInPhases(
  request: Request,
  kind: Removable,
  name: string,
  { deleteOnly, removeContent }: Deletion,
): Promise<void> {
  await runPhases(request, {
    first: (phaseRequest, id) => deleteOnly(phaseRequest, { kind, name, id }),
    again: async (id) => ({ kind, name, id }),
    // The last transaction needs the idempotency record of the request, which the requests of later phases lack.
    rest: (_phaseRequest, removal) => completeRemoval(request, removal, removeContent),
  });
}

/**
 * Removes the content of a deleted project or environment, and ends the removal in the last transaction of the request. All writes
 * require that this removal is in progress: if another process has completed it, something new may have the name.
 */
async function completeRemoval(request: Request, removal: Removal, removeContent: Deletion['removeContent']) {
  // Since it is already deleted, its content is removed without approval, and even if the caller has lost their rights.
  const removalRequest = withAllProjects(withoutAuthority(withoutGate(forLaterPhases(request))));
  try {
    await removeContent({ ...removalRequest, condition: buildRemovalCheck(removal) });
    await transact(request, [buildRemovalEnd(removal)], undefined);
  } catch (error) {
    // If another request has completed this removal, the error does not matter.
    const current = await loadRemoval(request, removal.kind, removal.name);
    if (current?.id === removal.id) throw error;
  }
}

/**
 * Removes the content of an earlier project or environment whose deletion was interrupted, so that a new one can have its name.
 */
export async function completeEarlierRemoval(
  request: Request,
  kind: Removable,
  name: string,
  removeContent: Deletion['removeContent'],
): Promise<void> {
  const removal = await loadRemoval(request, kind, name);
  if (removal !== undefined) await completeRemoval(forLaterPhases(request), removal, removeContent);
}
