import { ApiError, type ErrorName, errorStatuses, invalid } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** Seconds after which a caller may try again what the store, or a limit, refused for now. */
const retryAfterSeconds = 1;

/** Levels of nesting for which the parser's stack suffices in any case. */
const levelsMax = 1_000;

/** Turns every error into the one error format, or into a page for a person at a browser. Nothing unknown leaks. */
export function errors({ protocol, errorPage }: Pick<Declaration, 'protocol' | 'errorPage'> = {}): Middleware {
  return {
    onError: function errorsOnError(request) {
      const { name, message, details, permissions, retryAfterSeconds: after } = toApiError(request.error);
      const statusCode = errorStatuses[name];
      const { context, event } = request;
      context.errorName = name;
      const { awsRequestId: requestId } = context;
      const { rawPath: path, headers: { accept } = {} } = event;
      const page = errorPage?.({ status: statusCode, message, details, requestId, path, accept });
      request.response = {
        statusCode,
        headers: {
          ...((statusCode === 429 || statusCode === 503) && { 'retry-after': String(after ?? retryAfterSeconds) }),
          ...(statusCode === 405 && context.allow && { allow: context.allow }),
          ...page?.headers,
        },
        body:
          page?.text ??
          JSON.stringify({
            id: requestId,
            name,
            message,
            details,
            ...(permissions && { permissions }),
            ...(statusCode === 401 && isForPeople(request) && signInHint(request)),
            ...(protocol === 'OFREP' && ofrepError(request, name, message)),
          }),
      };
    },
  };
}

/** Hint by which Unleash's admin UI knows the ways to sign in; without it, it shows nothing. */
const byPassword = { type: 'password', path: '/auth/simple/login', defaultHidden: false };

/**
 * Returns the ways to sign in. The request of a login page also learns of identity providers, and whether passwords are
 * off.
 */
function signInHint({ context: { waysIn } }: ChainRequest) {
  return waysIn ? { ...byPassword, defaultHidden: !waysIn.hasPasswords, options: waysIn.options } : byPassword;
}

function isForPeople({ event: { rawPath = '' } }: ChainRequest): boolean {
  return rawPath.startsWith('/api/admin') || rawPath === '/logout';
}

/** Adds the properties that OpenFeature providers expect in an error: a code, and the key if one flag was asked for. */
function ofrepError({ error, event }: ChainRequest, name: ErrorName, errorDetails: string) {
  const key = event.pathParameters?.key;
  return { ...(key !== undefined && { key }), errorCode: ofrepCode(error, name), errorDetails };
}

function ofrepCode(error: unknown, name: ErrorName): string {
  if (name === 'NotFoundError') return 'FLAG_NOT_FOUND';
  if (name !== 'ValidationError') return 'GENERAL';
  return isRefusedJson(error) ? 'PARSE_ERROR' : 'INVALID_CONTEXT';
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTooDeep(error)) return invalid(`The request body is nested too deeply; up to ${levelsMax} levels are read.`);
  if (isRefusedJson(error)) {
    // Of a malformed body, the parser says no more than that.
    const reason = error.cause instanceof SyntaxError ? '' : `: ${error.message}`;
    return invalid(`The request body is not valid JSON${reason}.`);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ApiError('ServiceUnavailable', 'The operation took too long; try again.');
  }
  return new ApiError('InternalError', 'Something went wrong on our side.');
}

/** Tells whether the body parser reports a body that is malformed, or has a key such as `__proto__`. */
function isRefusedJson(error: unknown): error is Error {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 422;
}

/** Tells whether a body was nested too deeply, which the parser says in the words of the engine alone. */
function isTooDeep(error: unknown): boolean {
  return isRefusedJson(error) && /call stack/.test((error.cause as Error | undefined)?.message ?? '');
}
