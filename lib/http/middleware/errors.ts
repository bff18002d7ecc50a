import { ApiError, type ErrorName, errorStatuses, invalid } from '../../errors.ts';
import type { Declaration } from '../declaration.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** The seconds after which callers may retry a request that the store or a limit refused temporarily. */
const retryAfterSeconds = 1;

/** The nesting depth that the parser's stack always supports. */
const maxLevels = 1_000;

/** Converts every error to the one error format, or to a page for browsers. Details of unknown errors are not sent. */
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
          // Without a scheme, a client could not tell that a token is missing.
          ...(statusCode === 401 && protocol === 'MCP' && { 'www-authenticate': 'Bearer' }),
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

/** Unleash's admin UI needs this to show a login form. */
const byPassword = { type: 'password', path: '/auth/simple/login', defaultHidden: false };

/**
 * Returns the ways to sign in. For login pages, they include identity providers, and whether passwords are disabled.
 */
function signInHint({ context: { waysIn } }: ChainRequest) {
  return waysIn ? { ...byPassword, defaultHidden: !waysIn.hasPasswords, options: waysIn.options } : byPassword;
}

function isForPeople({ event: { rawPath = '' } }: ChainRequest): boolean {
  return rawPath.startsWith('/api/admin') || rawPath === '/logout';
}

/** Returns the properties that OpenFeature providers expect in an error: a code, and the key if the request was for one flag. */
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
  if (isTooDeep(error))
    return invalid(`The request body is nested too deeply; at most ${maxLevels} levels are allowed.`);
  if (isRefusedJson(error)) {
    // The parser's message for a malformed body contains nothing more.
    const reason = error.cause instanceof SyntaxError ? '' : `: ${error.message}`;
    return invalid(`The request body is not valid JSON${reason}.`);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ApiError('ServiceUnavailable', 'The operation took too long; try again.');
  }
  return new ApiError('InternalError', 'Something went wrong on our side.');
}

/** Returns true if the body parser reports a body that is malformed, or has a key such as `__proto__`. */
function isRefusedJson(error: unknown): error is Error {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 422;
}

/** Returns true for a body that was nested too deeply. The parser only passes on the engine's message. */
function isTooDeep(error: unknown): boolean {
  return isRefusedJson(error) && /call stack/.test((error.cause as Error | undefined)?.message ?? '');
}
