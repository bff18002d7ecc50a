import { type BaseIssue, type GenericSchema, getDotPath, type InferOutput, safeParse } from 'valibot';

/** Error names with their statuses, under Unleash's names where it has one. No reply has another error name. */
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

/** One thing that is wrong with a request; `path` names the place in the body, with dots ("constraints.0.values"). */
export interface ErrorDetail {
  message: string;
  path?: string;
  /** The rules that a password breaks, where a client looks for them. */
  validationErrors?: readonly string[];
  /** The values that stand against a change: what it was made on, what is there now, and what it wants. */
  difference?: { readonly before: unknown; readonly now: unknown; readonly wanted: unknown };
}

/** An error whose message is meant for the caller. Anything else that is thrown reaches them as a bare 500. */
export class ApiError extends Error {
  override readonly name: ErrorName;
  readonly details: readonly ErrorDetail[];
  /** Seconds until a retry may succeed, where known. */
  readonly retryAfterSeconds: number | undefined;
  /** Additional text for the log, not for the caller. */
  readonly reason: string | undefined;
  /** Permissions with which the request would be carried out, where a client looks for them. */
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
    super(printable(message));
    this.name = name;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = reason;
    this.permissions = permissions;
    this.details = details.map((detail) => ({
      ...detail,
      message: printable(detail.message),
      ...(detail.path !== undefined && { path: placeAt(detail.path) }),
    }));
  }
}

/** Messages quote what was sent, which may be what no text should hold, or be cut within a character. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** A path to be read: the key of a map may be empty, and a reader would not find it. */
function placeAt(path: string): string {
  return path === '' ? '""' : printable(path);
}

/** Returns a 404 that names the missing thing, e.g. `notFound('feature', 'checkout')`. */
export function notFound(kind: string, name: string | number): ApiError {
  return new ApiError('NotFoundError', `There is no ${kind} "${String(name).slice(0, 100)}".`);
}

/** Waits for a change that has nothing left to do where something is gone by now. */
export async function ifThere<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof ApiError && error.name === 'NotFoundError') return undefined;
    throw error;
  }
}

/** Returns a 400 with one reason. */
export function invalid(message: string, path?: string): ApiError {
  return new ApiError('ValidationError', message, [path === undefined ? { message } : { message, path }]);
}

/** Limit of details of an error: a body can contain more mistakes than a reply can hold. */
const detailsMax = 10_000;

/** Returns a 400 that lists every problem found; the message is the first of them when it is the only one. */
export function invalidRequest(problems: readonly ErrorDetail[]): ApiError {
  const more = problems.length - detailsMax;
  const details = more > 0 ? [...problems.slice(0, detailsMax), { message: `And ${more} more.` }] : problems;
  const [first] = details;
  const message =
    first !== undefined && details.length === 1
      ? describe(first)
      : `The request has ${problems.length} problems; the details list them.`;
  return new ApiError('ValidationError', message, details);
}

function describe({ message, path }: ErrorDetail): string {
  return path === undefined ? message : `${placeAt(path)}: ${message}`;
}

/** Shortens a text to what an error quotes. */
export function shown(text: string): string {
  return text.slice(0, 100);
}

/** A message quotes what was sent; more of a long text would not help anybody. */
const messageLengthMax = 300;

const sentenceList = new Intl.ListFormat('en');
/** Number of things that a sentence names. */
const namedMax = 20;

/** Joins the names of things to a list in a sentence; of many, it names the first. */
export function joinNames(names: readonly string[]): string {
  const more = names.length - namedMax;
  return sentenceList.format(more > 0 ? [...names.slice(0, namedMax), `${more} more`] : names);
}

/** Describes a problem and its path as a caller would look for it. */
export function toDetail(issue: BaseIssue<unknown>): ErrorDetail {
  // A schema speaks of a missing key as if undefined had been sent, which JSON cannot.
  const message = issue.received === 'undefined' ? 'This property is required.' : issue.message;
  const short = message.length > messageLengthMax ? `${message.slice(0, messageLengthMax)}…` : message;
  const path = getDotPath(issue);
  return path === null ? { message: short } : { message: short, path };
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

/** An error of a request as somebody gets to see it. */
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
