import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { GenericSchema, InferOutput } from 'valibot';
import type { EffectsOf, FlagRequest } from '../entity/effects.ts';
import type { ErrorStatus, ShownError } from '../errors.ts';
import type { HttpReply } from '../idempotency/receipt-items.ts';
import type { Caller, PermittedCaller } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import type { WaysIn } from '../sign-in/ways.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Moment } from '../values/time.ts';

/**
 * Declaration of an endpoint: the one source of its middleware chain, the types of its handler, its local and deployed
 * route, its access to the store, its part of the OpenAPI document, and the tests that all endpoints share.
 */
export interface WrittenDeclaration {
  /** Method and path, whose variables are in braces: `GET /api/admin/segments/{id}`. */
  readonly route: `${Method} /${string}`;
  /** Tag under which the OpenAPI document lists the operation. */
  readonly group: string;
  readonly summary: string;
  /** Further Markdown for the OpenAPI document, below the summary. */
  readonly description?: string;
  /** Marks an operation that may be removed. */
  readonly deprecated?: true;
  /** Kind of caller, and so the kinds of token that are accepted; `admin` by default. */
  readonly audience?: Audience;
  /**
   * Verifies the signature of a request and returns its signer, for callers that have neither a token nor a session.
   * Runs before anything else of the request is looked at; the handler gets the result as `signer`.
   * @throws ApiError 401 for a missing or wrong signature.
   */
  readonly signedBy?: (request: Request, event: APIGatewayProxyEventV2) => Promise<Signer>;
  /**
   * Permission that the caller needs; of several, any one is enough. `NONE` requires a user but no permission, for
   * resources that belong to the caller, such as their own profile. If omitted, any valid token is enough, and its user
   * is not looked up.
   */
  readonly permission?: Permission | readonly Permission[] | 'NONE';
  /**
   * The place that decides where the permission must hold. By default that is the path: the chain asks for it, before it
   * reads the body, in the project and the environment that the path names, if any. `body` leaves all to `needs`. `store`
   * leaves it to the operation, which asks once it has read the thing: the caller that its handler gets makes no change
   * before (see `requirePermission`).
   */
  readonly permissionBy?: 'body' | 'store';
  /** Schema of the path parameters, for those that are more than text; a mismatch is a 400. */
  readonly params?: GenericSchema;
  /** The path parameter that takes any text, also with slashes. All others are names, which contain no percent sign. */
  readonly freeText?: readonly string[];
  readonly query?: GenericSchema;
  /** Query parameters that may be repeated, as `name` or `name[]`; each is parsed as a list. */
  readonly repeated?: readonly string[];
  readonly body?: GenericSchema;
  /** Accepts a request without a body, as one with an empty object. */
  readonly bodyOptional?: true;
  /** Content type that the body may have besides JSON. */
  readonly bodyType?: 'application/json-patch+json';
  /** Accepts a compressed body, as SDKs send. */
  readonly compressedBody?: true;
  /** Environment variable that sets the body limit of this operation apart from the general one. */
  readonly bodyLimitVariable?: 'IMPORT_BODY_LIMIT_BYTES';
  /** Body size in bytes that is always accepted, however low the configured limit is. */
  readonly bodyBytesMin?: number;
  /**
   * Body size in bytes above which a request is always refused, however high the configured limit is. For operations
   * that anybody can make work for nothing.
   */
  readonly bodyBytesMax?: number;
  /**
   * Rate limit of the deployed operation, shared by all its callers; `burst` is the number of calls at once. Excess
   * calls get a 429. For operations whose calls cost many times more than others.
   */
  readonly throttle?: { readonly ratePerSecond: number; readonly burst: number };
  /**
   * Makes the handler return a `Versioned` result, whose version is sent as the ETag. If `If-Match` names other
   * versions, a mutation is refused with 412: the versions travel with the request, and the write of the resource
   * checks them. `checked` heeds `If-Match` without sending an ETag, for operations that remove the resource. A
   * mutation without this property refuses every version in `If-Match`.
   */
  readonly etag?: true | 'checked';
  /** Allows a mutation during maintenance. */
  readonly duringMaintenance?: true;
  /** Accepts a form as the body, as the page of an identity provider posts it. */
  readonly takesForm?: true;
  /** Returns a handler that answers a repeated request without running the chain, as `answerRepeats` does. */
  readonly answerRepeats?: (declaration: Declaration, chain: LambdaHandler) => LambdaHandler;
  /** The units of writes that follow from changes of features and segments; an operation that changes these has to declare it. */
  readonly effectsOf?: EffectsOf;
  /** Marks a reply that holds a secret shown only once: it is neither kept for a repeated request nor logged. */
  readonly secret?: true;
  /** Finds the ways to sign in, for the operation that login pages call: its 401 lists them. */
  readonly waysIn?: (request: Request) => Promise<WaysIn>;
  /** Lets the operation send mail, if a sender is configured. */
  readonly sendsMail?: true;
  /** Environment variables that the operation reads, besides those that all endpoints read. */
  readonly reads?: readonly Variable[];
  /**
   * Access to the store, if it does not follow from the method: by default a GET reads, and all other methods write.
   * `count` writes bookkeeping alone, such as usage or a sign-on that has begun: the operation records no event, and
   * heeds no `idempotency-key`. `none` never asks the store.
   */
  readonly rights?: 'read' | 'count' | 'none';
  /**
   * Schemas of the reply's body by status, null for no body: one status of success, and 304 if the operation declares
   * it.
   */
  readonly responses: Readonly<Partial<Record<SuccessStatus | 304, GenericSchema | null>>>;
  /** Makes the page of an error, for an operation that people reach at a browser: where it names HTML, it gets no JSON. */
  readonly errorPage?: ErrorPage;
  /** Protocol whose clients expect more in an error than its name and message. */
  readonly protocol?: 'OFREP';
  /** Content type of the reply, `application/json` by default. The body of any other type is text. */
  readonly contentType?: `text/${string}` | `application/${string}`;
  /** Sends the reply as CSV if the `Accept` header asks for it. */
  readonly csv?: true;
  /**
   * Error statuses of the operation itself: by default 404 where the path has a variable. Those that follow from the other
   * properties are added.
   */
  readonly errors?: readonly ErrorStatus[];
}

/** Makes the page of an error; undefined where JSON is answered all the same. */
export type ErrorPage = (error: ShownError) => HttpReply | undefined;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Declaration as the code reads it, with its route in two parts. */
export interface Declaration extends Omit<WrittenDeclaration, 'route'> {
  readonly method: Method;
  readonly path: `/${string}`;
}

/** Splits the route of a declaration. */
export function declarationOf({ route, ...written }: WrittenDeclaration): Declaration {
  const [method, path] = route.split(' ') as [Method, Declaration['path']];
  return { method, path, ...written };
}

/** Environment variables that only some endpoints read; a function is given those that its endpoints declare. @internal */
export const variables = [
  'API_TOKENS_LIMIT',
  'PROJECT_FEATURES_LIMIT',
  'PROJECT_FEATURES_WARNING',
  'READABLE_CLIENT_TOKENS',
  'IMPORT_BODY_LIMIT_BYTES',
  'EMAIL_SENDER',
  'CONSOLE_DIRECTORY',
  'INTEGRATION_ALLOWED_HOSTS',
  'INTEGRATION_DAILY_LIMIT',
  'FLAGSTAFF_COMMIT',
] as const;

export type Variable = (typeof variables)[number];

/** Returns the environment variables that an endpoint declares, and those that its other properties imply. */
export function readsOf({
  reads = [],
  bodyLimitVariable,
  sendsMail,
}: Pick<Declaration, 'reads' | 'bodyLimitVariable' | 'sendsMail'>): Variable[] {
  const implied = [bodyLimitVariable ?? [], sendsMail ? ('EMAIL_SENDER' as const) : []].flat();
  return [...reads, ...implied];
}

/**
 * Kind of caller: people and their scripts (`admin`), SDKs on servers (`client`), SDKs in pages and apps (`frontend`),
 * either kind of SDK that has its flags evaluated here (`evaluation`), or anybody, without a token (`public`).
 */
export type Audience = 'admin' | 'client' | 'frontend' | 'evaluation' | 'public';

/** Tells whether SDKs call the endpoint: each of their instances does so every few seconds, all day. */
export function isOfSdks({ audience = 'admin' }: Pick<Declaration, 'audience'>): boolean {
  return audience === 'client' || audience === 'frontend' || audience === 'evaluation';
}

/** Signer of a request. */
export interface Signer {
  readonly id: string;
  /** Key that the signer signs with. Unlike the signature it never changes, and unlike the id nobody else knows it. */
  readonly secret: string;
}

export type SuccessStatus = 200 | 201 | 202 | 204 | 302;

/** Returns the name of a route for API Gateway, for the log, and for the metrics, as their `operation`. */
export function routeOf({ method, path }: Pick<Declaration, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Tells whether the endpoint changes something, and so heeds `idempotency-key` and `if-match`. */
export function isMutation({ method, rights }: Pick<Declaration, 'method' | 'rights'>): boolean {
  return method !== 'GET' && rights === undefined;
}

/**
 * Tells whether a caller who already has the reply gets a 304: for every JSON read of the admin API, by the version of
 * one resource or the content of a list, and for every endpoint that declares a 304.
 */
export function isConditional({
  method,
  audience = 'admin',
  contentType,
  responses,
}: Pick<Declaration, 'method' | 'audience' | 'contentType' | 'responses'>): boolean {
  return 304 in responses || (method === 'GET' && audience === 'admin' && contentType === undefined);
}

/** Returns the permissions of which a caller needs one; none if any valid token is enough. */
export function permissionsOf({ permission = 'NONE' }: Pick<Declaration, 'permission'>): readonly Permission[] {
  return permission === 'NONE' ? [] : [permission].flat();
}

/** Returns the status of success. */
export function statusOf({ responses }: Pick<Declaration, 'responses'>): SuccessStatus {
  const statuses = Object.keys(responses).map(Number);
  return statuses.find((status): status is SuccessStatus => status !== 304) ?? 200;
}

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

/** Input of a handler. */
export interface Input<D extends WrittenDeclaration> {
  readonly params: D['params'] extends GenericSchema
    ? InferOutput<D['params']>
    : Readonly<Record<PathParameter<D['route']>, string>>;
  readonly query: Parsed<D['query']>;
  readonly body: Parsed<D['body']>;
  /** Authenticated caller; undefined without `permission`, since the user of the token is not looked up then. */
  readonly caller: D extends { permissionBy: 'store' }
    ? Caller
    : D extends { permission: unknown }
      ? PermittedCaller
      : undefined;
  /** Projects and environment that the token of an SDK may read; undefined for other callers. */
  readonly scope: D extends { audience: 'client' | 'frontend' | 'evaluation' } ? TokenScope : undefined;
  /** Signer of the request, if the endpoint declares `signedBy`. */
  readonly signer: D extends { signedBy: (...sent: never) => Promise<infer S> } ? S : undefined;
  /** Returns a request header by its lowercase name. */
  header(name: string): string | undefined;
  /** IP address that the request came from. */
  readonly address: string;
  /** Base URL of the service, such as https://flags.example.com; undefined if unknown. */
  readonly origin: string | undefined;
  /** Content of the session cookie. It is known to stand for a session only if the endpoint requires a caller. */
  readonly session: string | undefined;
  /** Content of the cookie that ties the browser to the sign-on it has begun. */
  readonly signOn: string | undefined;
  /** Fields of a form; empty if the body is not a form. */
  readonly form: URLSearchParams;
  readonly request: D extends { effectsOf: EffectsOf } ? FlagRequest : Request;
}

/**
 * JSON text ready to be sent. As long as its content is the same, it is the same object, so that it is compressed only
 * once.
 */
export interface ReadyJson {
  readonly text: string;
  /** Tells, without asking the store, whether this is still what would be sent. */
  readonly holds?: (at: Moment) => boolean;
}

/** Result of a handler: `T`, with its version if the reply carries an ETag. */
export type Result<D extends WrittenDeclaration, T> = D extends { etag: true } ? Versioned<T> : T;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body returns nothing.
type NoBody = void;

/** Body of a successful reply. */
export type Body<D extends WrittenDeclaration> = {
  [Status in keyof D['responses'] & SuccessStatus]: D['responses'][Status] extends GenericSchema
    ? Immutable<InferOutput<D['responses'][Status]>>
    : NoBody;
}[keyof D['responses'] & SuccessStatus];

/** Deeply read-only form of `T`, so that a handler can return data that it must not change. */
type Immutable<T> = unknown extends T ? T : { readonly [Key in keyof T]: Immutable<T[Key]> };

/** Headers and body of a reply. The body, or its JSON, is required unless the result itself is the body. */
export type ReplyParts<D extends WrittenDeclaration, T> = {
  readonly headers?: Readonly<Record<string, string>>;
} & (NoBody extends Body<D>
  ? { readonly body?: undefined }
  : [T] extends [Body<D>]
    ? { readonly body?: Body<D> }
    : { readonly body: Body<D> } | { readonly json: ReadyJson });

/** Lambda handler for payload format 2.0 of API Gateway. */
export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** Lambda handler that carries its own declaration. */
export interface Endpoint extends LambdaHandler {
  readonly declaration: Declaration;
}
