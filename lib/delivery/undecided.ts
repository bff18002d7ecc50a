import type { Request } from '../request.ts';
import type { EvaluationResult } from './evaluation/evaluation.ts';

/** The reason why a feature is undecided for a context. */
export const undecidedReason =
  'The constraints take more work for these context values than one request may take; use shorter values.';

/** Warns the operator and the caller of undecided features. The log only counts them, since it names no feature. */
export function warnOfUndecided(request: Request, all: readonly EvaluationResult<unknown>[]): void {
  const count = all.filter(({ isDecided }) => !isDecided).length;
  if (count > 0) request.warnings.add(`Undecided flags, which are off: ${count}. ${undecidedReason}`);
}
