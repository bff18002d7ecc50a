import { ApiError } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { versionsIn } from '../entity-tag.ts';
import type { Middleware } from './state.ts';

/** Hands over the versions that `If-Match` names. Where nothing has an entity tag, none can match. */
export function precondition({ entityTag }: Pick<Declaration, 'entityTag'>): Middleware {
  return {
    before: function preconditionBefore({ event, context }) {
      context.expectedVersions = versionsIn(event.headers['if-match']);
      if (context.expectedVersions !== undefined && !entityTag) {
        throw new ApiError('PreconditionFailed', 'What this operation changes has no entity tag; leave If-Match out.');
      }
    },
  };
}
