import { forLaterPhases, runPhases } from '../entity/phases.ts';
import { ApiError } from '../errors.ts';
import * as projectKeys from '../projects/keys.ts';
import { type Request, withAllProjects, withoutAuthority, withoutGate } from '../request.ts';
import { readItem } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** Things that are deleted at once, while what belonged to them is deleted over time. */
type Removable = 'project' | 'environment';

/** The removal of all that belonged to a deleted thing. A later thing of the same name has another one, if any. */
export interface Removal {
  readonly kind: Removable;
  readonly of: string;
  readonly id: string;
  /** Plan that is being carried out under the name, for a thing that does not exist yet. */
  readonly plan?: string;
}

type RemovalItem = Pick<Removal, 'id' | 'plan'>;

const keyOf = ({ kind, of }: Pick<Removal, 'kind' | 'of'>) => projectKeys.removal(kind, of);

/** Reads the removal in progress of what belonged to a deleted thing, if any. */
export async function removalOf(request: Request, kind: Removable, of: string): Promise<Removal | undefined> {
  const item = await readItem<RemovalItem>(request, projectKeys.removal(kind, of));
  return item && { kind, of, id: item.id, ...(item.plan !== undefined && { plan: item.plan }) };
}

/**
 * Returns the write that begins a removal: in the transaction that deletes a thing, or before something is prepared
 * that is to be removed unless the thing is created.
 */
export function removalBegun({ plan, ...removal }: Removal): Write {
  return { put: keyOf(removal), item: { id: removal.id, ...(plan !== undefined && { plan }) }, when: 'absent' };
}

/** Returns the condition that a removal is still in progress: then there is no other thing of the name. */
export function removalUnderWay(removal: Removal): Extract<Write, { readonly check: unknown }> {
  const otherwise = () =>
    new ApiError('ConflictError', `Another request has taken the name "${removal.of}" of the ${removal.kind}.`);
  return { check: keyOf(removal), when: { same: { id: removal.id } }, otherwise };
}

/** Returns the write that ends a removal. */
export function removalOver(removal: Removal): Write {
  const { check, ...condition } = removalUnderWay(removal);
  return { remove: check, ...condition };
}

/** Returns the condition that nothing is left of an earlier thing of that name. */
export function notInRemoval(kind: Removable, of: string): Write {
  const otherwise = () => new ApiError('ConflictError', `The ${kind} "${of}" is still being deleted; try again.`);
  return { check: projectKeys.removal(kind, of), when: 'absent', otherwise };
}

/** Deletion of a thing and, over time, of all that belonged to it. */
interface Deletion {
  /** Deletes the thing with `removalBegun`, and returns the removal that is then in progress. */
  readonly itself: (request: Request, removal: Removal) => Promise<Removal>;
  readonly belongings: (request: Request) => Promise<void>;
}

/**
 * Deletes a thing in the first step of a request, and what belonged to it in the others. A repeat of an interrupted request
 * goes on with these: a thing of the name that exists by then is another one.
 */
export async function removeInSteps(request: Request, kind: Removable, of: string, { itself, belongings }: Deletion) {
  await runPhases(request, {
    first: (step, id) => itself(step, { kind, of, id }),
    again: async (id) => ({ kind, of, id }),
    rest: (_steps, removal) => completeRemoval(request, removal, belongings),
  });
}

/**
 * Removes the rest of a deleted thing, and records its completion in the last transaction of a request. Each step is
 * carried out only while this removal is in progress: as soon as another process has completed it, there may be another
 * thing of the name.
 */
async function completeRemoval(request: Request, removal: Removal, removeBelongings: Deletion['belongings']) {
  // What is deleted is gone: nothing may be left of it, even if the caller loses their rights meanwhile, and nothing of it
  // needs approval.
  const ours = withAllProjects(withoutAuthority(withoutGate(forLaterPhases(request))));
  try {
    await removeBelongings({ ...ours, guard: removalUnderWay(removal) });
    await transact(request, [removalOver(removal)], undefined);
  } catch (error) {
    const current = await removalOf(request, removal.kind, removal.of);
    if (current?.id === removal.id) throw error;
  }
}

/**
 * Removes the rest of an earlier thing of the name whose deletion was interrupted, so that a new one can have the name.
 */
export async function completeEarlierRemoval(
  request: Request,
  kind: Removable,
  of: string,
  removeBelongings: Deletion['belongings'],
): Promise<void> {
  const removal = await removalOf(request, kind, of);
  if (removal !== undefined) await completeRemoval(forLaterPhases(request), removal, removeBelongings);
}
