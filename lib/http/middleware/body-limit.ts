import { ApiError } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import { bodyLimitOf } from '../limits.ts';
import type { Middleware } from './state.ts';

/** Answers 413 to a body above the limit, before it is parsed. Exactly the limit passes. */
export function bodyLimit(declaration: Declaration): Middleware {
  return {
    before: function bodyLimitBefore({ event: { body, isBase64Encoded } }) {
      const limit = bodyLimitOf(declaration);
      const bytes = Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
      if (bytes > limit) {
        throw new ApiError('ContentTooLarge', `The request body exceeds the limit of ${limit} bytes.`);
      }
    },
  };
}
