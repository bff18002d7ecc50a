import { ApiError, errorStatuses, invalid } from '../../errors.ts';
import type { Middleware } from './state.ts';

/** Seconds after which a caller may try again what the store, or a limit, refused for now. */
const retryAfterSeconds = '1';

/** Turns whatever was thrown into the one error shape (interface, section "Errors"). Nothing unknown leaks. */
export function errors(): Middleware {
  return {
    onError: function errorsOnError(request) {
      const { name, message, details } = toApiError(request.error);
      const statusCode = errorStatuses[name];
      request.response = {
        statusCode,
        headers: statusCode === 429 || statusCode === 503 ? { 'retry-after': retryAfterSeconds } : {},
        body: JSON.stringify({ id: request.context.awsRequestId, name, message, details }),
      };
    },
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isMalformedJson(error)) return invalid('The request body is not valid JSON.');
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ApiError('ServiceUnavailable', 'The operation took too long; try again.');
  }
  return new ApiError('InternalError', 'Something went wrong on our side.');
}

/** The body parser's own way to say so; content types were checked before it. */
function isMalformedJson(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 422;
}
