import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Table } from '../table/table.ts';
import type { Caller } from '../users/caller.ts';
import type { Permission } from '../users/permissions.ts';

/**
 * What an endpoint is. Everything else follows from it: the chain that guards it, the types of its handler, its local
 * and its deployed route, its rights on the table, its part of the OpenAPI document and the tests that all share.
 */
export interface Declaration {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** Under which heading the OpenAPI document lists it. */
  readonly tag: string;
  readonly summary: string;
  /** Said of an operation that may be removed. */
  readonly deprecated?: true;
  /** Needs no token. */
  readonly public?: true;
  /** The permission that a caller needs, or several of which one will do. Without it, any valid token will do. */
  readonly permission?: Permission | readonly Permission[];
  /**
   * `handler` says that the body or the stored state decides where the permission must hold, so that the handler asks.
   * Otherwise it must hold in the project that the path names, if it names one, and is checked before the body is read.
   */
  readonly authorizedBy?: 'handler';
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
  /** A variable that raises the body limit of this operation beyond that of all. */
  readonly bodyLimitVariable?: 'IMPORT_BODY_LIMIT_BYTES';
  /**
   * How often all callers together may call it where it is deployed, and how many of these calls may come at once;
   * beyond that the answer is 429. It is for operations of which each call is many times the work of others.
   */
  readonly throttle?: { readonly ratePerSecond: number; readonly burst: number };
  /**
   * Its answers carry an entity tag, which stands for the version of the feature that they tell of; where it changes the
   * feature, it heeds `If-Match`.
   */
  readonly entityTag?: true;
  /** What it does on the table; a GET reads, everything else writes, unless it says so here. */
  readonly rights?: 'read' | 'none';
  /** The answers by status; null for one without a body. */
  readonly responses: Readonly<Record<number, GenericSchema | null>>;
  /** The errors of the operation itself; those that follow from the fields above are added. */
  readonly errors?: readonly (400 | 404 | 409)[];
}

/** What a route is called: by API Gateway, in the log, and as the `operation` of the metrics. */
export function routeOf({ method, path }: Pick<Declaration, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Whether it changes something; then it heeds `idempotency-key` and `if-match`. */
export function isMutation({ method, rights }: Pick<Declaration, 'method' | 'rights'>): boolean {
  return method !== 'GET' && rights === undefined;
}

/** The declarations of which `isMutation` is false. */
export type Reading = { readonly method: 'GET' } | { readonly rights: 'read' | 'none' };

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

/** What a handler is given. */
export interface Request<D extends Declaration> {
  readonly params: Readonly<Record<PathParameter<D['path']>, string>>;
  readonly query: Parsed<D['query']>;
  readonly body: Parsed<D['body']>;
  /** Who asks; undefined where any valid token will do, since nothing is looked up about its user then. */
  readonly caller: D extends { permission: unknown } ? Caller : undefined;
  readonly table: Table;
  /** The versions of which the feature must have one, as `If-Match` says; undefined where any will do. */
  readonly expectedVersions: D extends { entityTag: true } ? ReadonlySet<number> | undefined : undefined;
}

/** What a handler may answer: one of the declared responses. */
export type Reply<D extends Declaration> = {
  [Status in keyof D['responses'] & number]: {
    readonly status: Status;
    readonly headers?: Readonly<Record<string, string>>;
  } & (D['responses'][Status] extends GenericSchema
    ? { readonly body: InferOutput<D['responses'][Status]> }
    : { readonly body?: undefined });
}[keyof D['responses'] & number];

/** A Lambda handler for API Gateway's payload 2.0. */
export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** A Lambda handler that carries its own declaration. */
export interface Endpoint extends LambdaHandler {
  readonly declaration: Declaration;
}
