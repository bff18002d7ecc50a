import { ApiError } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { versionsIn } from '../etag.ts';
import type { Middleware } from './state.ts';

/** Gives the table the versions that `If-Match` names. Where nothing has an ETag, none can match. */
export function precondition({ etag }: Pick<Declaration, 'etag'>): Middleware {
  return {
    before: function preconditionBefore({ event, context }) {
      const expectedVersions = versionsIn(event.headers['if-match']);
      if (expectedVersions === undefined) return;
      if (!etag) {
        throw new ApiError('PreconditionFailed', 'This operation changes something without an ETag; send no If-Match.');
      }
      context.table = { ...context.table, expectedVersions };
    },
  };
}
