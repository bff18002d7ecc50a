import { type Request, withoutReceipt } from '../request.ts';

/**
 * For the first of several steps of a request, of which the others do nothing where they are done already: a repeat of the
 * request, which finds the note in `receipt.begun`, goes on after it. What others have done since then is not undone.
 * @param note what the repeat has to know of it.
 */
export function forFirstStep({ receipt, ...request }: Request, note: string): Request {
  return receipt === undefined ? request : { ...request, receipt: receipt.beginning(note) };
}

/** For the other steps: the receipt and the precondition of a request are for the whole of it. */
export function forSteps(request: Request): Request {
  const { expectedVersions: _versions, ...step } = withoutReceipt(request);
  return step;
}

/** For what comes after a step: what was expected has been checked, and the version is the one that the step has made. */
export function afterStep(request: Request, version: number): Request {
  return request.expectedVersions === undefined ? request : { ...request, expectedVersions: new Set([version]) };
}
