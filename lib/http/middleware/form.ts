import { ApiError } from '../../errors.ts';
import type { Middleware } from './state.ts';

/** Reads the fields of a form; anything else is a 415. */
export function form(): Middleware {
  return {
    before: function formBefore({ event: { headers, body = '', isBase64Encoded }, context }) {
      if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) {
        throw new ApiError('ContentTypeerror', 'The content-type must be application/x-www-form-urlencoded.');
      }
      context.form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
    },
  };
}
