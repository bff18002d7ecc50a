import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { GenericSchema } from 'valibot';
import type { EffectsOf } from '../entity/effects.ts';
import type { ErrorStatus, ShownError } from '../errors.ts';
import type { HttpReply } from '../idempotency/record-items.ts';
import type { Permission } from '../identity/permissions.ts';
import type { Request } from '../request.ts';
import type { WaysIn } from '../sign-in/ways.ts';
import type { ChainRequest, Signer } from './middleware/state.ts';

/**
 * The declaration of an endpoint. It determines the middleware chain, the types of the handler, the local and deployed route, the
 * access to the store, the entry in the OpenAPI document, and the shared tests.
 */
export interface WrittenDeclaration {
  /** The method and the path, with variables in braces: `GET /api/admin/segments/{id}`. */
  readonly route: `${Method} /${string}`;
  /** Another path with the same variables that leads to the endpoint. The OpenAPI document does not list it. */
  readonly alias?: `/${string}`;
  /** The tag of the operation in the OpenAPI document. */
  readonly group: string;
  readonly summary: string;
  /** Further Markdown for the OpenAPI document, after the summary. */
  readonly description?: string;
  /** Marks an operation that may be removed. */
  readonly deprecated?: true;
  /** The kind of caller, which determines the accepted kinds of token; `admin` by default. */
  readonly audience?: Audience;
  /**
   * Verifies the signature of a request and returns its signer, for callers without a token or a session. It runs before any other
   * check; the handler gets the result as `signer`.
   * @throws ApiError 401 for a missing or wrong signature.
   */
  readonly signedBy?: (request: Request, event: APIGatewayProxyEventV2) => Promise<Signer>;
  /**
   * The permission that the caller needs; one of them if there are several. `NONE` requires a user but no permission, for resources of
   * the caller, such as their profile. If omitted, any valid token is enough, and its user is not loaded.
   */
  readonly permission?: Permission | readonly Permission[] | 'NONE';
  /**
   * Determines where the permission is checked. By default, the chain checks it before it reads the body, in the project and
   * environment of the path. With `body`, `needs` returns the permissions. With `store`, the operation checks it after it has read the
   * object; until then, its caller cannot be used for a change (see `requirePermission`).
   */
  readonly permissionBy?: 'body' | 'store';
  /**
   * The answer to a token that may only propose changes, if the default is wrong. By default, it can call an operation that only reads.
   * Set `refused` for a read that shows a secret, and `allowed` for an operation that only writes proposals.
   */
  readonly agents?: 'allowed' | 'refused';
  /** The schema of path parameters that are more than text. A mismatch is a 400. */
  readonly params?: GenericSchema;
  /** The path parameters that may be any text, even with slashes. All others are names, which contain no percent sign. */
  readonly freeText?: readonly string[];
  readonly query?: GenericSchema;
  /** Query parameters that may be repeated, as `name` or `name[]`; each is parsed as a list. */
  readonly repeated?: readonly string[];
  readonly body?: GenericSchema;
  /** Treats a missing body as an empty object. */
  readonly bodyOptional?: true;
  /** A content type of the body in addition to JSON. */
  readonly bodyType?: 'application/json-patch+json' | 'application/scim+json';
  /** Accepts a compressed body, which SDKs send. */
  readonly compressedBody?: true;
  /** The environment variable with a body limit for this operation alone. */
  readonly bodyLimitVariable?: 'IMPORT_BODY_LIMIT_BYTES';
  /** The body size in bytes that is always accepted, even if the configured limit is lower. */
  readonly bodyBytesMin?: number;
  /**
   * The body size in bytes above which a request is always refused, even if the configured limit is higher. It is for operations that
   * anyone can cause work with.
   */
  readonly bodyBytesMax?: number;
  /**
   * The rate limit of the deployed operation for all callers together; `burst` is the number of concurrent calls. Further calls get a
   * 429. It is for operations that cost many times more than others.
   */
  readonly throttle?: { readonly ratePerSecond: number; readonly burst: number };
  /**
   * Makes the handler return a `Versioned` result, whose version is sent as the ETag. If `If-Match` names other versions, a mutation is
   * refused with 412: the versions are part of the request, and the write of the resource checks them. `checked` uses `If-Match`
   * without sending an ETag, for operations that delete the resource. A mutation without this property refuses every version in
   * `If-Match`.
   */
  readonly etag?: true | 'checked';
  /** Allows a mutation during maintenance. */
  readonly duringMaintenance?: true;
  /** Accepts a form as the body, which pages of identity providers post. */
  readonly takesForm?: true;
  /** Returns a handler that answers repeated requests without running the chain, such as `answerRepeats`. */
  readonly answerRepeats?: (declaration: Declaration, chain: LambdaHandler) => LambdaHandler;
  /** The writes that follow from changes of features and segments. Operations that change these must declare it. */
  readonly effectsOf?: EffectsOf;
  /** Marks a reply with a secret that is shown only once. It is neither stored for a repeated request nor logged. */
  readonly secret?: true;
  /** Finds the ways to sign in, for the operation of login pages: its 401 lists them. */
  readonly waysIn?: (request: Request) => Promise<WaysIn>;
  /** Lets the operation send mail, if a sender is configured. */
  readonly sendsMail?: true;
  /** Environment variables that the operation reads in addition to those of all endpoints. */
  readonly reads?: readonly Variable[];
  /**
   * The access to the store, if it differs from that of the method: a GET reads, and all other methods write. `count` only writes
   * bookkeeping, such as usage or the start of a sign-on: the operation records no event and ignores idempotency keys. `none` never
   * uses the store. `calls` itself only reads; the operations that it calls have their own access.
   */
  readonly rights?: 'read' | 'count' | 'none' | 'calls';
  /** The operations that the handler calls with `call`. Its function gets their access and their variables, too. */
  readonly calls?: readonly CallableEndpoint[];
  /**
   * The schemas of the reply's body by status, or null for no body. There is one success status, and 304 if the operation declares it.
   */
  readonly responses: Readonly<Partial<Record<SuccessStatus | 304, GenericSchema | null>>>;
  /** Returns an error as a page, for an operation that people open in a browser, if the request accepts HTML. */
  readonly errorPage?: ErrorPage;
  /**
   * A protocol whose clients expect more than the name and message of an error. Clients of MCP send a token; the operation accepts no
   * session, and no request of a page of another origin.
   */
  readonly protocol?: 'OFREP' | 'MCP' | 'SCIM';
  /**
   * The path parameter with the hash of a token of an SDK, in place of a header with the token: browsers send no header of their own
   * with a request for a stream. The audience of such an endpoint is `public`.
   */
  readonly tokenInPath?: string;
  /** The content type of the reply, `application/json` by default. With a type that is not based on JSON, the body is text. */
  readonly contentType?: `text/${string}` | `application/${string}`;
  /**
   * Marks a reply that goes on as a stream of events. Only a server that keeps running can send one, so the endpoint is not deployed.
   */
  readonly streams?: true;
  /** Sends the reply as CSV if the `Accept` header asks for it. */
  readonly csv?: true;
  /**
   * The error statuses of the operation itself; by default 404 if the path has a variable. Statuses that follow from the other
   * properties are added.
   */
  readonly errors?: readonly ErrorStatus[];
}

/** Returns an error as a page, or undefined for JSON. */
export type ErrorPage = (error: ShownError) => HttpReply | undefined;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A declaration with its route split into method and path. */
export interface Declaration extends Omit<WrittenDeclaration, 'route'> {
  readonly method: Method;
  readonly path: `/${string}`;
}

/** Splits the route of a declaration. */
export function declarationOf({ route, ...written }: WrittenDeclaration): Declaration {
  const [method, path] = route.split(' ') as [Method, Declaration['path']];
  return { method, path, ...written };
}

/** Environment variables that only some endpoints read. A function gets those that its endpoints declare. @internal */
export const variables = [
  'API_TOKENS_LIMIT',
  'PROJECT_FEATURES_LIMIT',
  'PROJECT_FEATURES_WARNING',
  'READABLE_CLIENT_TOKENS',
  'IMPORT_BODY_LIMIT_BYTES',
  'EMAIL_SENDER',
  'SMTP_PARAMETER',
  'CONSOLE',
  'CONSOLE_DIRECTORY',
  'INTEGRATION_ALLOWED_HOSTS',
  'INTEGRATION_DAILY_LIMIT',
  'FLAGSTAFF_COMMIT',
] as const;

export type Variable = (typeof variables)[number];

/** Returns the environment variables that an endpoint declares, and those that follow from its other properties. */
export function readsOf({
  reads = [],
  bodyLimitVariable,
  sendsMail,
  calls = [],
}: Pick<Declaration, 'reads' | 'bodyLimitVariable' | 'sendsMail' | 'calls'>): Variable[] {
  const implied = [bodyLimitVariable ?? [], sendsMail ? (['EMAIL_SENDER', 'SMTP_PARAMETER'] as const) : []].flat();
  return [...reads, ...implied, ...calls.flatMap(({ declaration }) => readsOf(declaration))];
}

/**
 * The kind of caller: people and their scripts (`admin`), server-side SDKs (`client`), client-side SDKs (`frontend`), SDKs of both
 * kinds whose flags are evaluated here (`evaluation`), or anyone, without a token (`public`).
 */
export type Audience = 'admin' | 'client' | 'frontend' | 'evaluation' | 'public';

/** Returns true if SDKs call the endpoint: each of their instances does so every few seconds, all day. */
export function isOfSdks({ audience, tokenInPath }: Pick<Declaration, 'audience' | 'tokenInPath'>): boolean {
  return audience === 'client' || audience === 'frontend' || audience === 'evaluation' || tokenInPath !== undefined;
}

export type SuccessStatus = 200 | 201 | 202 | 204 | 302;

/** Returns the name of a route for API Gateway, the log and the metrics (`operation`). */
export function routeOf({ method, path }: Pick<Declaration, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns true if the endpoint changes something. Such endpoints support `Idempotency-Key` and `If-Match`. */
export function isMutation({ method, rights }: Pick<Declaration, 'method' | 'rights'>): boolean {
  return method !== 'GET' && rights === undefined;
}

/** Tells whether a token that may only propose changes can call the endpoint. */
export function isOpenToAgents({ method, rights, agents }: Pick<Declaration, 'method' | 'rights' | 'agents'>): boolean {
  if (agents !== undefined) return agents === 'allowed';
  return rights === 'read' || (method === 'GET' && rights !== 'count');
}

/**
 * Returns true if a caller who already has the reply gets a 304. That applies to every JSON read of the admin API, by the version of a
 * resource or the content of a list, and to every endpoint that declares a 304.
 */
export function isConditional({
  method,
  audience = 'admin',
  contentType,
  responses,
}: Pick<Declaration, 'method' | 'audience' | 'contentType' | 'responses'>): boolean {
  return 304 in responses || (method === 'GET' && audience === 'admin' && contentType === undefined);
}

/** Returns the permissions of which a caller needs one. It is empty if any valid token is enough. */
export function permissionsOf({ permission = 'NONE' }: Pick<Declaration, 'permission'>): readonly Permission[] {
  return permission === 'NONE' ? [] : [permission].flat();
}

/** Returns the success status. */
export function statusOf({ responses }: Pick<Declaration, 'responses'>): SuccessStatus {
  const statuses = Object.keys(responses).map(Number);
  return statuses.find((status): status is SuccessStatus => status !== 304) ?? 200;
}

/** A Lambda handler for payload format 2.0 of API Gateway. */
export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** A Lambda handler with its declaration. */
export interface Endpoint extends LambdaHandler {
  readonly declaration: Declaration;
}

/** An endpoint that other operations can call, with the types of its declaration. */
export interface CallableEndpoint<D extends WrittenDeclaration = WrittenDeclaration> extends Endpoint {
  /** Carries the operation out as a part of another request, whose caller is known (see `callOperation`). */
  readonly carryOut: (request: ChainRequest) => Promise<HttpReply>;
  /** Never set; it lets the compiler infer the types. */
  readonly types?: D;
}
