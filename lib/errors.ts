import { type BaseIssue, type GenericSchema, getDotPath, type InferOutput, safeParse } from 'valibot';

/** The names of all errors in replies, with their statuses. They are Unleash's names where Unleash has one. */
export const errorStatuses = {
  ValidationError: 400,
  AuthenticationRequired: 401,
  /** Unleash's name for a link that is no longer valid, which its admin UI checks for. */
  InvalidTokenError: 401,
  NoAccessError: 403,
  /** Unleash's name for a change that needs approval, which scripts match. */
  PermissionError: 403,
  NotFoundError: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  NameExistsError: 409,
  InUseError: 409,
  ConflictError: 409,
  PreconditionFailed: 412,
  ContentTooLarge: 413,
  // Unleash spells it like this.
  ContentTypeerror: 415,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
} as const;

export type ErrorName = keyof typeof errorStatuses;
export type ErrorStatus = (typeof errorStatuses)[ErrorName];

/** A problem of a request. `path` names the property of the body, with dots: "constraints.0.values". */
export interface ErrorDetail {
  message: string;
  path?: string;
  /** The rules that a password breaks, in the property where clients expect them. */
  validationErrors?: readonly string[];
  /** The conflict of a change: the value that it was based on, the present value, and the wanted value. */
  difference?: { readonly before: unknown; readonly now: unknown; readonly wanted: unknown };
}

/** An error with a message for the caller. For any other error, the caller gets a 500 without details. */
export class ApiError extends Error {
  override readonly name: ErrorName;
  readonly details: readonly ErrorDetail[];
  /** Seconds until a retry may succeed, where known. */
  readonly retryAfterSeconds: number | undefined;
  /** Additional text for the log, not for the caller. */
  readonly reason: string | undefined;
  /** The permissions that the caller lacks, in the property where clients expect them. */
  readonly permissions: readonly string[] | undefined;

  constructor(
    name: ErrorName,
    message: string,
    details: readonly ErrorDetail[] = [{ message }],
    {
      retryAfterSeconds,
      reason,
      permissions,
    }: Partial<Pick<ApiError, 'retryAfterSeconds' | 'reason' | 'permissions'>> = {},
  ) {
    super(removeUnprintable(message));
    this.name = name;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = reason;
    this.permissions = permissions;
    this.details = details.map((detail) => ({
      ...detail,
      message: removeUnprintable(detail.message),
      ...(detail.path !== undefined && { path: readablePath(detail.path) }),
    }));
  }
}

/** Replaces NUL and lone surrogates: a message quotes what was sent, perhaps shortened within a character. */
function removeUnprintable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Returns a path as people can read it: the key of a map may be empty. */
function readablePath(path: string): string {
  return path === '' ? '""' : removeUnprintable(path);
}

/** Returns a 404 that names the missing thing, e.g. `notFound('feature', 'checkout')`. */
export function notFound(kind: string, name: string | number): ApiError {
  return new ApiError('NotFoundError', `There is no ${kind} "${String(name).slice(0, 100)}".`);
}

/** Waits for a change that has nothing to do if its thing no longer exists. */
export async function ignoreNotFound<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof ApiError && error.name === 'NotFoundError') return undefined;
    throw error;
  }
}

/** Returns a 400 with one problem. */
export function invalid(message: string, path?: string): ApiError {
  return new ApiError('ValidationError', message, [path === undefined ? { message } : { message, path }]);
}

/** Limit of the details of an error: a body can have more problems than fit into a reply. */
const detailsMax = 10_000;

/** Returns a 400 that lists every problem. Its message describes a single problem, or says how many there are. */
export function invalidRequest(problems: readonly ErrorDetail[]): ApiError {
  const more = problems.length - detailsMax;
  const details = more > 0 ? [...problems.slice(0, detailsMax), { message: `And ${more} more.` }] : problems;
  const [first] = details;
  const message =
    first !== undefined && details.length === 1
      ? describeProblem(first)
      : `The request has ${problems.length} problems; the details list them.`;
  return new ApiError('ValidationError', message, details);
}

/** Returns a problem as a sentence that begins with its path. */
export function describeProblem({ message, path }: ErrorDetail): string {
  return path === undefined ? message : `${readablePath(path)}: ${message}`;
}

/** Shortens a text for an error that quotes it. */
export function truncate(text: string): string {
  return text.slice(0, 100);
}

/** Limit of a message, which may quote a long text. */
const messageLengthMax = 300;

const sentenceList = new Intl.ListFormat('en');
/** Limit of the things that a sentence names. */
const namesMax = 20;

/** Joins names to a list in a sentence: "a, b, and 7 more". */
export function joinNames(names: readonly string[]): string {
  const more = names.length - namesMax;
  return sentenceList.format(more > 0 ? [...names.slice(0, namesMax), `${more} more`] : names);
}

/** Converts an issue of valibot to a problem, with the path by which the caller finds it. */
export function toDetail(issue: BaseIssue<unknown>): ErrorDetail {
  return toDetailWithin(issue, messageLengthMax);
}

/** Converts an issue as `toDetail` does, with a message of limited length. */
export function toDetailWithin(issue: BaseIssue<unknown>, lengthMax: number): ErrorDetail {
  // Valibot reports a missing key as the value undefined, which JSON does not have.
  const message = issue.received === 'undefined' ? 'This property is required.' : shortenMessage(issue, lengthMax);
  const path = getDotPath(issue);
  return path === null ? { message } : { message, path };
}

/** Shortens the message of an issue. A list of what is expected ends after a whole name. */
function shortenMessage({ message, expected }: BaseIssue<unknown>, lengthMax: number): string {
  if (message.length <= lengthMax) return message;
  const start = message.slice(0, lengthMax);
  const isWithinList = expected !== null && message.indexOf(expected) + expected.length > lengthMax;
  const end = isWithinList ? start.lastIndexOf(' | ') : -1;
  return end === -1 ? `${start}…` : `${start.slice(0, end)} | …`;
}

/**
 * Validates a value that was derived from a request, such as the result of a patch.
 * @throws ApiError 400 with every problem.
 */
export function requireValid<T extends GenericSchema>(schema: T, value: unknown): InferOutput<T> {
  const { success, output, issues } = safeParse(schema, value);
  if (!success) throw invalidRequest(issues.map(toDetail));
  return output;
}

/** An error of a request, for a page that shows it. */
export interface ShownError {
  readonly status: number;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  /** The id by which the log knows the request. */
  readonly requestId: string;
  readonly path: string;
  /** The header that says what the caller takes. */
  readonly accept: string | undefined;
}
