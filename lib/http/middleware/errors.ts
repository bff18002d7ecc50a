import { ApiError, describeProblem, type ErrorDetail, type ErrorName, errorStatuses, invalid } from '../../errors.ts';
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
      const isScim = protocol === 'SCIM' || isForDirectories(path);
      const page = errorPage?.({ status: statusCode, message, details, requestId, path, accept });
      const body = {
        id: requestId,
        name,
        message,
        details,
        ...(permissions && { permissions }),
        ...(statusCode === 401 && isForPeople(request) && buildSignInHint(request)),
        ...(protocol === 'OFREP' && buildOfrepError(request, name, message)),
      };
      request.response = {
        statusCode,
        headers: {
          ...((statusCode === 429 || statusCode === 503) && { 'retry-after': String(after ?? retryAfterSeconds) }),
          ...(statusCode === 405 && context.allow && { allow: context.allow }),
          // Without a scheme, a client could not tell that a token is missing. Some show this header to people, and not the body.
          ...(statusCode === 401 &&
            protocol === 'MCP' && {
              'www-authenticate': `Bearer error="invalid_token", error_description="${message}"`,
            }),
          ...(isScim && { 'content-type': 'application/scim+json' }),
          ...page?.headers,
        },
        body: page?.text ?? JSON.stringify(isScim ? buildScimError(request, name, message, details) : body),
      };
    },
  };
}

/** Tells whether a path belongs to SCIM, whose clients expect its errors for unknown paths and methods, too. */
function isForDirectories(path = ''): boolean {
  return /^\/+scim(\/|$)/i.test(path);
}

/** Returns an error as SCIM describes it (RFC 7644, section 3.12). Its clients refuse further properties. */
function buildScimError({ error }: ChainRequest, name: ErrorName, message: string, details: readonly ErrorDetail[]) {
  const scimType = scimTypeOf(error, name);
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(errorStatuses[name]),
    ...(scimType && { scimType }),
    detail: details.length > 1 ? details.map(describeProblem).join('\n') : message,
  };
}

/** The reasons that SCIM has names for. An error of SCIM itself brings its own. */
function scimTypeOf(error: unknown, name: ErrorName): string | undefined {
  if (error instanceof ApiError && 'scimType' in error) return String(error.scimType);
  if (name === 'NameExistsError') return 'uniqueness';
  if (name !== 'ValidationError') return undefined;
  return isRefusedJson(error) ? 'invalidSyntax' : 'invalidValue';
}

/** Unleash's admin UI needs this to show a login form. */
const byPassword = { type: 'password', path: '/auth/simple/login', defaultHidden: false };

/**
 * Returns the ways to sign in. For login pages, they include identity providers, and whether passwords are disabled.
 */
function buildSignInHint({ context: { waysIn } }: ChainRequest) {
  return waysIn ? { ...byPassword, defaultHidden: !waysIn.hasPasswords, options: waysIn.options } : byPassword;
}

function isForPeople({ event: { rawPath = '' } }: ChainRequest): boolean {
  return rawPath.startsWith('/api/admin') || rawPath === '/logout';
}

/** Returns the properties that OpenFeature providers expect in an error: a code, and the key if the request was for one flag. */
function buildOfrepError({ error, event }: ChainRequest, name: ErrorName, errorDetails: string) {
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
