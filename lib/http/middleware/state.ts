import type { MiddlewareObj, Request as MiddyRequest } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ErrorName } from '../../errors.ts';
import type { RequestIdentity } from '../../idempotency/request-identity.ts';
import type { Caller } from '../../identity/caller.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Token } from '../../identity/tokens/tokens.ts';
import type { Request } from '../../request.ts';
import type { WaysIn } from '../../sign-in/ways.ts';
import type { RightsCondition } from '../../store/transactions/write.ts';
import type { Authority } from '../../store/work.ts';
import type { Moment } from '../../values/time.ts';
import type { Deadline } from '../deadline.ts';

/** The signer of a request. */
export interface Signer {
  readonly id: string;
  /** The key of the signer. Unlike the signature it never changes, and unlike the id it is secret. */
  readonly secret: string;
  /** The conditions of a change of rights; missing if the signer changes none. */
  readonly authority?: Authority;
}

/** The state of a request, which the middlewares fill for each other and for the handler. */
export interface State {
  /** The start, by `performance.now()`. */
  startedAt: number;
  header: (name: string) => string | undefined;
  address: string;
  origin: string | undefined;
  /** The value of the session cookie. */
  session: string | undefined;
  /** The value of the sign-on cookie. */
  signOn: string | undefined;
  form: URLSearchParams;
  /** The cookie that the reply sets. */
  newCookie?: Promise<string | undefined>;
  params: unknown;
  query: unknown;
  body: unknown;
  /** A request of the service itself, for the chain to look up the caller and their permissions. */
  service: Request;
  /** The request of the caller. `authorize` sets it after it has found out what the caller may see and change. */
  request: Request;
  deadline?: Deadline;
  token?: Token;
  /** The token or session of a caller of the admin API. */
  credential?: RightsCondition;
  signer?: Signer;
  /** The projects and the environment of an SDK token. */
  scope?: TokenScope | undefined;
  /** Settles when the use of the token has been recorded. */
  seen?: Promise<void>;
  caller?: Caller;
  /** Returns true if the token would still be accepted. It does not read the store. */
  tokenHolds?: ((at: Moment) => boolean) | undefined;
  /** Returns true if the reply would still be a 304. It does not read the store. */
  holds?: ((at: Moment) => boolean) | undefined;
  /** The identity of the request, if it has an idempotency key. */
  requestIdentity?: RequestIdentity | undefined;
  /** The ways to sign in, if a login page requested them and nobody is signed in. */
  waysIn?: WaysIn | undefined;
  /** The methods of the path, if the method of the request is none of them. */
  allow?: string;
  /** The name of the error in the reply. */
  errorName?: ErrorName;
}

export type ChainRequest = MiddyRequest<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Error,
  Context & State
>;
export type Middleware = MiddlewareObj<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Error,
  Context & State
>;

/** A middleware that checks a request before the handler runs, or adds to its state. */
export type RequestCheck = (request: ChainRequest) => void | Promise<void>;
