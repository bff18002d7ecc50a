import { forLaterPhases, runPhases } from '../entity/phases.ts';
import { ApiError } from '../errors.ts';
import * as projectKeys from '../projects/keys.ts';
import { type Request, withAllProjects, withoutAuthority, withoutGate } from '../request.ts';
import { readItem } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** The kinds of things that are deleted at once, and their belongings afterwards. */
type Removable = 'project' | 'environment';

/** The removal of the belongings of a deleted thing. A later thing of the same name has a removal of its own. */
export interface Removal {
  readonly kind: Removable;
  readonly name: string;
  readonly id: string;
  /** The plan of a preparation for a thing that does not exist yet. */
  readonly plan?: string;
}

type RemovalItem = Pick<Removal, 'id' | 'plan'>;

const keyOf = ({ kind, name }: Pick<Removal, 'kind' | 'name'>) => projectKeys.removal(kind, name);

/** Loads the removal in progress of the belongings of a deleted thing, if any. */
export async function loadRemoval(request: Request, kind: Removable, name: string): Promise<Removal | undefined> {
  const item = await readItem<RemovalItem>(request, projectKeys.removal(kind, name));
  return item && { kind, name, id: item.id, ...(item.plan !== undefined && { plan: item.plan }) };
}

/**
 * Builds the write that starts a removal: in the transaction that deletes a thing, or before the preparation of a thing,
 * which is removed unless the thing is created.
 */
export function buildRemovalStart({ plan, ...removal }: Removal): Write {
  return { put: keyOf(removal), item: { id: removal.id, ...(plan !== undefined && { plan }) }, when: 'absent' };
}

/** Builds the condition that a removal is still in progress, so that no other thing has the name. */
export function buildRemovalCheck(removal: Removal): Extract<Write, { readonly check: unknown }> {
  const otherwise = () =>
    new ApiError('ConflictError', `Another request has taken the name "${removal.name}" of the ${removal.kind}.`);
  return { check: keyOf(removal), when: { same: { id: removal.id } }, otherwise };
}

/** Builds the write that ends a removal. */
export function buildRemovalEnd(removal: Removal): Write {
  const { check, ...condition } = buildRemovalCheck(removal);
  return { remove: check, ...condition };
}

/** Builds the condition that an earlier thing of that name has no belongings any more. */
export function buildNoRemovalCheck(kind: Removable, name: string): Write {
  const otherwise = () => new ApiError('ConflictError', `The ${kind} "${name}" is still being deleted; try again.`);
  return { check: projectKeys.removal(kind, name), when: 'absent', otherwise };
}

/** The deletion of a thing, and then of its belongings. */
interface Deletion {
  /** Deletes the thing with `buildRemovalStart`, and returns the removal that is then in progress. */
  readonly deleteThing: (request: Request, removal: Removal) => Promise<Removal>;
  readonly removeBelongings: (request: Request) => Promise<void>;
}

/**
 * Deletes a thing in the first phase of a request, and its belongings in the other phases. A repeat of an interrupted request
 * continues with the belongings: a thing of that name is then a new one.
 */
export async function removeInPhases(
  request: Request,
  kind: Removable,
  name: string,
  { deleteThing, removeBelongings }: Deletion,
): Promise<void> {
  await runPhases(request, {
    first: (phaseRequest, id) => deleteThing(phaseRequest, { kind, name, id }),
    again: async (id) => ({ kind, name, id }),
    rest: (_phaseRequest, removal) => completeRemoval(request, removal, removeBelongings),
  });
}

/**
 * Removes the belongings of a deleted thing, and ends the removal in the last transaction of the request. All writes require
 * that this removal is in progress: if another process has completed it, a new thing may have the name.
 */
async function completeRemoval(request: Request, removal: Removal, removeBelongings: Deletion['removeBelongings']) {
  // The thing is deleted, so that its belongings are removed even if the caller loses their rights, and without approval.
  const removalRequest = withAllProjects(withoutAuthority(withoutGate(forLaterPhases(request))));
  try {
    await removeBelongings({ ...removalRequest, guard: buildRemovalCheck(removal) });
    await transact(request, [buildRemovalEnd(removal)], undefined);
  } catch (error) {
    const current = await loadRemoval(request, removal.kind, removal.name);
    if (current?.id === removal.id) throw error;
  }
}

/**
 * Removes the belongings of an earlier thing whose deletion was interrupted, so that a new one can have its name.
 */
export async function completeEarlierRemoval(
  request: Request,
  kind: Removable,
  name: string,
  removeBelongings: Deletion['removeBelongings'],
): Promise<void> {
  const removal = await loadRemoval(request, kind, name);
  if (removal !== undefined) await completeRemoval(forLaterPhases(request), removal, removeBelongings);
}
