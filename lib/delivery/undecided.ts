import type { Request } from '../request.ts';
import type { EvaluationResult } from './evaluation/evaluation.ts';

/** The reason why a feature is not decided for a context. */
export const undecidedReason =
  'The constraints take more work for the values of the context than one request may; shorter values take less.';

/** Warns the operator and the caller of features that were not decided. No log names a feature. */
export function warnOfUndecided(request: Request, all: readonly EvaluationResult<unknown>[]): void {
  const count = all.filter(({ isDecided }) => !isDecided).length;
  if (count > 0) request.warnings.add(`Flags that are not decided, and so off: ${count}. ${undecidedReason}`);
}
