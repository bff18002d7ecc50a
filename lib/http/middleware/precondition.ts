import { ApiError } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { versionsIn } from '../etag.ts';
import type { RequestCheck } from './state.ts';

/**
 * Gives the request the versions that `If-Match` names. An operation that does not check them refuses the header, so
 * that nobody relies on it.
 */
export function precondition({ etag }: Pick<Declaration, 'etag'>): RequestCheck {
  return ({ event, context }) => {
    const expectedVersions = versionsIn(event.headers['if-match']);
    if (expectedVersions === undefined) return;
    if (!etag) {
      throw new ApiError(
        'PreconditionFailed',
        'This operation changes nothing that has a version: send it without If-Match.',
      );
    }
    context.request = { ...context.request, expectedVersions };
  };
}
