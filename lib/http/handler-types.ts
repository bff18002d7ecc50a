import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { EffectsOf, FlagRequest } from '../entity/effects.ts';
import type { Caller, PermittedCaller } from '../identity/caller.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Token } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { EventStream } from '../values/event-stream.ts';
import type { Moment } from '../values/time.ts';
import type { CallableEndpoint, SuccessStatus, WrittenDeclaration } from './declaration.ts';

/* What a handler gets, returns and can call, as it follows from the declaration of its endpoint. */

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined;

/** Endpoints whose callers have a token of an SDK. */
type OfSdks = { readonly audience: 'client' | 'frontend' | 'evaluation' } | { readonly tokenInPath: string };

/** The input of a handler. */
export interface Input<D extends WrittenDeclaration> {
  readonly params: D['params'] extends GenericSchema
    ? InferOutput<D['params']>
    : Readonly<Record<PathParameter<D['route']>, string>>;
  readonly query: Parsed<D['query']>;
  readonly body: Parsed<D['body']>;
  /** The authenticated caller; undefined without `permission`, since the user of the token is not loaded then. */
  readonly caller: D extends { permissionBy: 'store' }
    ? Caller
    : D extends { permission: unknown }
      ? PermittedCaller
      : undefined;
  /** The projects and the environment of an SDK token; undefined for other callers. */
  readonly scope: D extends OfSdks ? TokenScope : undefined;
  /** The token of an SDK; undefined for other callers. */
  readonly token: D extends OfSdks ? Token : undefined;
  /** The signer of the request, if the endpoint declares `signedBy`. */
  readonly signer: D extends { signedBy: (...sent: never) => Promise<infer S> } ? S : undefined;
  /** Returns a request header by its lowercase name. */
  header(name: string): string | undefined;
  /** The IP address of the caller. */
  readonly address: string;
  /** The base URL of the service, such as https://flags.example.com; undefined if unknown. */
  readonly origin: string | undefined;
  /** The value of the session cookie. Only if the endpoint requires a caller is it known to be a valid session. */
  readonly session: string | undefined;
  /** The value of the cookie that ties the browser to a sign-on that it began. */
  readonly signOn: string | undefined;
  /** The fields of a form; empty if the body is not a form. */
  readonly form: URLSearchParams;
  readonly request: D extends { effectsOf: EffectsOf } ? FlagRequest : Request;
  /** Calls another operation; undefined unless the endpoint declares `calls`. */
  readonly call: D extends { calls: readonly CallableEndpoint[] } ? Call : undefined;
}

/**
 * Calls one of the declared operations as a part of this request: with its caller, its deadline and its count of calls to the store. The
 * operation checks the caller and the input as it does for a request of its own.
 * @returns the body of the reply, as JSON.
 * @throws ApiError the error of the operation.
 */
export type Call = <D extends WrittenDeclaration>(
  operation: CallableEndpoint<D>,
  sent?: Sent<D>,
) => Promise<AnswerOf<D>>;

/** The body of the reply of a called operation, which belongs to the caller. */
export type AnswerOf<D extends WrittenDeclaration> = {
  [Status in keyof D['responses'] & SuccessStatus]: D['responses'][Status] extends GenericSchema
    ? InferOutput<D['responses'][Status]>
    : undefined;
}[keyof D['responses'] & SuccessStatus];

/** The input of a called operation, as it would be in a request. */
export interface Sent<D extends WrittenDeclaration> {
  readonly params?: Readonly<Record<PathParameter<D['route']>, string>>;
  readonly query?: D['query'] extends GenericSchema ? Optional<InferInput<D['query']>> : undefined;
  readonly body?: D['body'] extends GenericSchema ? Immutable<InferInput<D['body']>> : undefined;
  /** The program that sends it, if it is known better than by the header User-Agent of the request. */
  readonly client?: string | undefined;
}

type Optional<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The JSON text that can be sent as it is. */
export interface ReadyJson {
  readonly text: string;
  /**
   * Returns true if the reply would still have this content. It does not read the store. Content that has it is shared by many requests,
   * and is always the same object, so that it is compressed only once.
   */
  readonly holds?: (at: Moment) => boolean;
}

/** The result of a handler: `T`, with its version if the reply has an ETag. */
export type Result<D extends WrittenDeclaration, T> = D extends { etag: true } ? Versioned<T> : T;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body returns nothing.
type NoBody = void;

/** The body of a successful reply. */
export type Body<D extends WrittenDeclaration> = {
  [Status in keyof D['responses'] & SuccessStatus]: D['responses'][Status] extends GenericSchema
    ? Immutable<InferOutput<D['responses'][Status]>>
    : NoBody;
}[keyof D['responses'] & SuccessStatus];

/** The deeply read-only form of `T`, so that handlers can return data that they must not change. */
export type Immutable<T> = unknown extends T ? T : { readonly [Key in keyof T]: Immutable<T[Key]> };

/** The headers and body of a reply. The body or its JSON is required, unless the result itself is the body. */
export type ReplyParts<D extends WrittenDeclaration, T> = {
  readonly headers?: Readonly<Record<string, string>>;
} & (D extends { streams: true }
  ? { readonly stream: EventStream }
  : D extends { protocol: 'MCP' }
    ? { readonly status: number; readonly json: ReadyJson }
    : NoBody extends Body<D>
      ? { readonly body?: undefined }
      : [T] extends [Body<D>]
        ? { readonly body?: Body<D> }
        : { readonly body: Body<D> } | { readonly json: ReadyJson });
