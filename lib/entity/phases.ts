import { randomUUID } from 'node:crypto';
import { type Request, withoutIdempotencyRecord } from '../request.ts';

/** The phases of a request that takes several transactions. */
interface Phases<R extends Request, T> {
  /**
   * Makes the visible change, in one transaction.
   * @param runId identifies this run; a repeat of the request has the same id.
   */
  readonly first: (request: R, runId: string) => Promise<T>;
  /** Returns the result of the first phase for a repeat. It must not undo later changes of others. */
  readonly again: (runId: string) => Promise<T>;
  /** Carries out the other phases. It must do nothing if they are complete. */
  readonly rest: (request: R, result: T) => Promise<void>;
}

/**
 * Carries out a request in phases. If it is interrupted after the first one and sent again, it continues with the others.
 * @returns the result of the first phase.
 */
export async function runPhases<R extends Request, T>(request: R, { first, again, rest }: Phases<R, T>): Promise<T> {
  const { firstPhaseNote: earlier } = request.idempotencyRecord ?? {};
  const runId = earlier ?? randomUUID();
  const result = earlier === undefined ? await first(forFirstPhase(request, runId), runId) : await again(runId);
  await rest(forLaterPhases(request), result);
  return result;
}

/** The result of a change that exceeds one transaction. */
export const tooLargeForTransaction = Symbol('too large for one transaction');

/**
 * Carries out a change that may exceed one transaction: as long as it does, a part of it in a separate transaction. If it is
 * interrupted and sent again, it continues.
 * @param whole stores the rest of the change, or nothing if that exceeds a transaction.
 * @param part stores a part of the change, and returns the new version of the thing.
 */
export async function runInParts<R extends Request, T>(
  request: R,
  whole: (request: R) => Promise<T | typeof tooLargeForTransaction>,
  part: (request: R) => Promise<number>,
): Promise<T> {
  for (let current = request; ; ) {
    const result = await whole(current);
    if (result !== tooLargeForTransaction) return result;
    current = afterPart(current, await part(withoutIdempotencyRecord(current)));
  }
}

/** Returns the request for its first phase. A repeat of the request finds the id of the run in `idempotencyRecord.firstPhaseNote`. */
export function forFirstPhase<R extends Request>(request: R, runId: string): R {
  return { ...request, idempotencyRecord: request.idempotencyRecord?.forFirstPhase(runId) };
}

/** Returns the request for its later phases, without idempotency record and precondition, which the first phase has used. */
export function forLaterPhases<R extends Request>(request: R): R {
  return { ...withoutIdempotencyRecord(request), expectedVersions: undefined };
}

/** Returns the request after a part, which has checked `If-Match` and has made the version that the next part expects. */
function afterPart<R extends Request>(request: R, version: number): R {
  return request.expectedVersions === undefined ? request : { ...request, expectedVersions: new Set([version]) };
}
