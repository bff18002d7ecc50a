import { ApiError } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { versionsIn } from '../etag.ts';
import type { RequestCheck } from './state.ts';

/**
 * Adds the versions in `If-Match` to the request. An operation that does not check versions refuses the header, so that nobody relies
 * on it.
 */
export function precondition({ etag }: Pick<Declaration, 'etag'>): RequestCheck {
  return ({ event, context }) => {
    const expectedVersions = versionsIn(event.headers['if-match']);
    if (expectedVersions === undefined) return;
    if (!etag) {
      throw new ApiError(
        'PreconditionFailed',
        'This operation does not support If-Match: send the request without it.',
      );
    }
    context.request = { ...context.request, expectedVersions };
  };
}
