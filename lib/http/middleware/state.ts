import type { MiddlewareObj, Request as MiddyRequest } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ErrorName } from '../../errors.ts';
import type { RequestIdentity } from '../../idempotency/request-identity.ts';
import type { Caller } from '../../identity/caller.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Token } from '../../identity/tokens/tokens.ts';
import type { Request } from '../../request.ts';
import type { WaysIn } from '../../sign-in/ways.ts';
import type { RightsCondition } from '../../store/transactions/authority.ts';
import type { Moment } from '../../values/time.ts';
import type { Deadline } from '../deadline.ts';
import type { Signer } from '../declaration.ts';

/** State of a request: the findings of the middlewares, for each other and for the handler. */
export interface State {
  /** Time by the clock of `performance`. */
  startedAt: number;
  header: (name: string) => string | undefined;
  address: string;
  origin: string | undefined;
  /** Content of the session cookie. */
  session: string | undefined;
  /** Content of the sign-on cookie. */
  signOn: string | undefined;
  form: URLSearchParams;
  /** Cookie to set; undefined for none. */
  newCookie?: Promise<string | undefined>;
  params: unknown;
  query: unknown;
  body: unknown;
  /** A request of the service itself, with which the chain looks up who calls and what they may do. */
  service: Request;
  /** The request of the caller. It is there once `authorize` has found out what the caller may see and change. */
  request: Request;
  deadline?: Deadline;
  token?: Token;
  /** Token or session of a caller of the admin API. */
  credential?: RightsCondition;
  signer?: Signer;
  /** Projects and environment that the token of an SDK may read. */
  scope?: TokenScope | undefined;
  /** Settles when the use of the token has been noted. */
  seen?: Promise<void>;
  caller?: Caller;
  /** Tells, without asking the store, whether the token would still be accepted. */
  tokenHolds?: ((at: Moment) => boolean) | undefined;
  /** Tells, without asking the store, whether the reply would still be a 304. */
  holds?: ((at: Moment) => boolean) | undefined;
  /** Identity of the request, if its caller has sent a key. */
  requestIdentity?: RequestIdentity;
  /** Ways to sign in, if a login page asked for them and nobody is signed in. */
  waysIn?: WaysIn | undefined;
  /** Methods that the path supports, if that of the request is not among them. */
  allow?: string;
  /** Name of the error in the answer. */
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

/** A middleware that only looks at a request before it is carried out, or adds to its state. */
export type RequestCheck = (request: ChainRequest) => void | Promise<void>;
