import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { GenericSchema, InferOutput } from 'valibot';
import type { ErrorStatus } from '../errors.ts';
import type { Caller } from '../people/rights/caller.ts';
import type { Permission } from '../people/rights/permissions.ts';
import type { Request } from '../request.ts';
import type { WaysIn } from '../sign-in/ways.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { TokenScope } from '../tokens/token.ts';

/**
 * What an endpoint is. Everything else follows from it: the chain that guards it, the types of its handler, its local
 * and its deployed route, its rights on the table, its part of the OpenAPI document and the tests that all share.
 */
export interface Declaration {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** The heading under which the OpenAPI document lists it. */
  readonly group: string;
  readonly summary: string;
  /** Further text in the OpenAPI document. */
  readonly description?: string;
  /** Marks an operation that may be removed. */
  readonly deprecated?: true;
  /** Whose tokens it takes; those of the admin API by default. */
  readonly audience?: Audience;
  /**
   * Finds out who has signed a request, where callers have neither a token nor a session: before anything else is looked
   * at. The handler gets it as `signer`. It throws a 401 where nobody has.
   */
  readonly signedBy?: (request: Request, event: APIGatewayProxyEventV2) => Promise<Signer>;
  /**
   * The permission that a caller needs, or several of which one will do. 'NONE' is for what belongs to the caller, such
   * as the own profile: it needs a user but no permission. Without it any valid token will do, and nobody is looked up.
   */
  readonly permission?: Permission | readonly Permission[] | 'NONE';
  /**
   * `handler` says that the body or the stored state decides where the permission must hold, so that the handler asks.
   * Otherwise it must hold in the project and the environment that the path names, if it does, and is checked before the
   * body is read.
   */
  readonly authorizedBy?: 'handler';
  /** What the variables of the path must be, where that is more than text; a mistake in them is a 400. */
  readonly params?: GenericSchema;
  /** Which variables of the path hold any text. The others are names, of which none has a percent sign. */
  readonly freeText?: readonly string[];
  readonly query?: GenericSchema;
  /** Which parameters of the query may come several times, as `name` or `name[]`: each is a list. */
  readonly repeated?: readonly string[];
  readonly body?: GenericSchema;
  /** A further content type that the body may have. */
  readonly bodyType?: 'application/json-patch+json';
  /** The body may come compressed: what an SDK sends by itself. */
  readonly compressedBody?: true;
  /** A variable that raises the body limit of this operation beyond that of all. */
  readonly bodyLimitVariable?: 'IMPORT_BODY_LIMIT_BYTES';
  /** A body of so many bytes is taken in any case. */
  readonly bodyBytesMin?: number;
  /** A larger body is refused in any case: whoever may call it makes it work for nothing. */
  readonly bodyBytesMax?: number;
  /**
   * How often all callers together may call it where it is deployed, and how many of these calls may come at once;
   * beyond that the reply is 429. It is for operations of which each call is many times the work of others.
   */
  readonly throttle?: { readonly ratePerSecond: number; readonly burst: number };
  /**
   * The handler results in something versioned; the reply carries the version as its ETag. A mutation is refused with
   * 412 where `If-Match` names other versions: they travel with the table, and what changes the thing checks them. With
   * 'checked' it heeds `If-Match`, and its reply has no ETag: nothing is left of what it removes. A mutation without either
   * refuses every version in `If-Match`.
   */
  readonly etag?: true | 'checked';
  /** A mutation that is carried out in maintenance, too. */
  readonly duringMaintenance?: true;
  /** The body is a form, as a page of an identity provider posts it. */
  readonly takesForm?: true;
  /**
   * The headers that decide, together with the query, whether the reply is 304. A caller who sends the same ones again is
   * answered without the chain for as long as it would say the same; see `ReadyJson.holds`.
   */
  readonly decidedBy?: readonly string[];
  /** The reply holds a secret that is shown once: it is neither kept for a repeated request nor logged. */
  readonly secret?: true;
  /** How people sign in: a login page asks this operation, whose refusal says so. */
  readonly waysIn?: (request: Request) => Promise<WaysIn>;
  /** It sends mail, where a sender is configured. */
  readonly sendsMail?: true;
  /** The variables of the environment that it reads, besides those that every endpoint does. */
  readonly reads?: readonly Variable[];
  /**
   * What it does on the table; a GET reads, everything else changes something, unless it says so here. `count` writes how
   * much something is used, which is neither kept for a repeated request nor an event.
   */
  readonly rights?: 'read' | 'count' | 'none';
  /** The body by status, null for none: one status of success, and 304 if it has an ETag. */
  readonly responses: Readonly<Partial<Record<SuccessStatus | 304, GenericSchema | null>>>;
  /** A protocol whose clients look for more in an error than its name and message. */
  readonly protocol?: 'OFREP';
  /** The content type of the reply, application/json by default; the body of any other one is text. */
  readonly contentType?: `text/${string}` | `application/${string}`;
  /** The reply comes as CSV to a caller whose Accept header asks for that. */
  readonly csv?: true;
  /** The errors of the operation itself; those that follow from the fields above are added. */
  readonly errors?: readonly ErrorStatus[];
}

/** The variables of the environment that only some endpoints read; a function is given those that its endpoints name. */
export const variables = [
  'API_TOKENS_LIMIT',
  'PROJECT_FEATURES_LIMIT',
  'PROJECT_FEATURES_WARNING',
  'READABLE_CLIENT_TOKENS',
  'IMPORT_BODY_LIMIT_BYTES',
  'EMAIL_SENDER',
  'CONSOLE_DIRECTORY',
] as const;

export type Variable = (typeof variables)[number];

/** The variables that an endpoint names, with those that follow from what else it says. */
export function readsOf({
  reads = [],
  bodyLimitVariable,
  sendsMail,
}: Pick<Declaration, 'reads' | 'bodyLimitVariable' | 'sendsMail'>): Variable[] {
  const implied = [bodyLimitVariable ?? [], sendsMail ? ('EMAIL_SENDER' as const) : []].flat();
  return [...reads, ...implied];
}

/**
 * Who calls: people and their scripts, SDKs on servers, SDKs in pages and apps, either of these where flags are evaluated
 * for them, or anybody without a token.
 */
export type Audience = 'admin' | 'client' | 'frontend' | 'evaluation' | 'public';

/** Whether SDKs call it, each of whose instances does so every few seconds, all day. */
export function isOfSdks({ audience = 'admin' }: Pick<Declaration, 'audience'>): boolean {
  return audience === 'client' || audience === 'frontend' || audience === 'evaluation';
}

/** Who has signed a request. */
export interface Signer {
  readonly id: string;
  /** What it signs with: unlike a signature the same each time, and unlike the name known to nobody else. */
  readonly secret: string;
}

export type SuccessStatus = 200 | 201 | 202 | 204 | 302;

/** What a route is called: by API Gateway, in the log, and as the `operation` of the metrics. */
export function routeOf({ method, path }: Pick<Declaration, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Whether it changes something; then it heeds `idempotency-key` and `if-match`. */
export function isMutation({ method, rights }: Pick<Declaration, 'method' | 'rights'>): boolean {
  return method !== 'GET' && rights === undefined;
}

/**
 * Whether a caller who has the reply already is answered 304: that is so of whatever the admin API reads, by the version
 * of one thing or by the content of a list, and of what says so itself.
 */
export function isConditional({
  method,
  audience = 'admin',
  contentType,
  responses,
}: Pick<Declaration, 'method' | 'audience' | 'contentType' | 'responses'>): boolean {
  return 304 in responses || (method === 'GET' && audience === 'admin' && contentType === undefined);
}

/** The permissions of which a caller needs one; none where a valid token is enough. */
export function permissionsOf({ permission = 'NONE' }: Pick<Declaration, 'permission'>): readonly Permission[] {
  return permission === 'NONE' ? [] : [permission].flat();
}

/** The one status of success. */
export function statusOf({ responses }: Pick<Declaration, 'responses'>): SuccessStatus {
  const statuses = Object.keys(responses).map(Number);
  return statuses.find((status): status is SuccessStatus => status !== 304) ?? 200;
}

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

/** What a handler is given. */
export interface Input<D extends Declaration> {
  readonly params: D['params'] extends GenericSchema
    ? InferOutput<D['params']>
    : Readonly<Record<PathParameter<D['path']>, string>>;
  readonly query: Parsed<D['query']>;
  readonly body: Parsed<D['body']>;
  /** Who asks; undefined where any valid token will do, since nothing is looked up about its user then. */
  readonly caller: D extends { permission: unknown } ? Caller : undefined;
  /** What the token of an SDK may read; undefined for everybody else. */
  readonly scope: D extends { audience: 'client' | 'frontend' | 'evaluation' } ? TokenScope : undefined;
  /** Who has signed the request, where it has to be signed. */
  readonly signer: D extends { signedBy: (...sent: never) => Promise<infer S> } ? S : undefined;
  /** A header of the request, by its name in small letters. */
  header(name: string): string | undefined;
  /** Where the request came from. */
  readonly address: string;
  /** The address of the service, such as https://flags.example.com; undefined where nobody has said it. */
  readonly origin: string | undefined;
  /** What the cookie of a session says; whether there is such a session is known only where a caller is required. */
  readonly session: string | undefined;
  /** What the browser has kept of a sign-on that it has begun. */
  readonly signOn: string | undefined;
  /** The fields of a form; none where the body is not one. */
  readonly form: URLSearchParams;
  readonly request: Request;
}

/** JSON that is ready to be sent, and stays the same object for as long as it does: it is compressed once. */
export interface ReadyJson {
  readonly text: string;
  /** Whether it is still what would be sent, without asking the store. */
  readonly holds?: () => boolean;
}

/** What a handler results in: `T`, with its version where the reply has an ETag. */
export type Result<D extends Declaration, T> = D extends { etag: true } ? Versioned<T> : T;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body returns nothing.
type NoBody = void;

/** The body of the reply of success. */
export type Body<D extends Declaration> = {
  [Status in keyof D['responses'] & SuccessStatus]: D['responses'][Status] extends GenericSchema
    ? Immutable<InferOutput<D['responses'][Status]>>
    : NoBody;
}[keyof D['responses'] & SuccessStatus];

/** What is only read may be given to it. */
type Immutable<T> = unknown extends T ? T : { readonly [Key in keyof T]: Immutable<T[Key]> };

/** Headers and body of a reply. The body must be given, or its JSON, if the value is not the body itself. */
export type ReplyParts<D extends Declaration, T> = {
  readonly headers?: Readonly<Record<string, string>>;
} & (NoBody extends Body<D>
  ? { readonly body?: undefined }
  : [T] extends [Body<D>]
    ? { readonly body?: Body<D> }
    : { readonly body: Body<D> } | { readonly json: ReadyJson });

/** A Lambda handler for API Gateway's payload 2.0. */
export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** A Lambda handler that carries its own declaration. */
export interface Endpoint extends LambdaHandler {
  readonly declaration: Declaration;
}
