import { randomUUID } from 'node:crypto';
import { type Request, withoutReceipt } from '../request.ts';

/** Steps of a request that takes several transactions. */
interface Steps<R extends Request, T> {
  /**
   * Makes the change that its caller sees, in one transaction.
   * @param claim identifies this run; a repeat of the request has the same one.
   */
  readonly first: (request: R, claim: string) => Promise<T>;
  /** Returns the result of the first step for a repeat. What others have done since then is not undone. */
  readonly again: (claim: string) => Promise<T>;
  /** Carries out the other steps, which do nothing where they are done already. */
  readonly rest: (request: R, begun: T) => Promise<void>;
}

/**
 * Carries out a request in steps. Interrupted after the first one and sent again, it goes on with the others.
 * @returns the result of the first one.
 */
export async function runPhases<R extends Request, T>(request: R, { first, again, rest }: Steps<R, T>): Promise<T> {
  const { firstPhaseNote: earlier } = request.receipt ?? {};
  const claim = earlier ?? randomUUID();
  const begun = earlier === undefined ? await first(forFirstPhase(request, claim), claim) : await again(claim);
  await rest(forLaterPhases(request), begun);
  return begun;
}

/** Result of a change that is more than one transaction holds. */
export const tooLargeForTransaction = Symbol('too much for one transaction');

/**
 * Carries out a change that may be more than one transaction holds: as long as it is, a part of it in a transaction of its
 * own. Interrupted between these and sent again, it completes.
 * @param whole makes all that is left of the change, and nothing where that is too much.
 * @param part makes a part of it, and returns the version that the thing has then.
 */
export async function runInParts<R extends Request, T>(
  request: R,
  whole: (request: R) => Promise<T | typeof tooLargeForTransaction>,
  part: (request: R) => Promise<number>,
): Promise<T> {
  for (let ours = request; ; ) {
    const result = await whole(ours);
    if (result !== tooLargeForTransaction) return result;
    ours = afterStep(ours, await part(withoutReceipt(ours)));
  }
}

/** For the first step: a repeat of the request finds the claim in `receipt.firstPhaseNote`. */
export function forFirstPhase<R extends Request>(request: R, claim: string): R {
  return { ...request, receipt: request.receipt?.forFirstPhase(claim) };
}

/** For the other steps: the receipt and the precondition of a request are for the whole of it. */
export function forLaterPhases<R extends Request>(request: R): R {
  return { ...withoutReceipt(request), expectedVersions: undefined };
}

/** For what comes after a step: what was expected has been checked, and the version is the one that the step has made. */
function afterStep<R extends Request>(request: R, version: number): R {
  return request.expectedVersions === undefined ? request : { ...request, expectedVersions: new Set([version]) };
}
