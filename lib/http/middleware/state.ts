import type { MiddlewareObj, Request as MiddyRequest } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ErrorName } from '../../errors.ts';
import type { RequestIdentity } from '../../idempotency/request-identity.ts';
import type { Caller } from '../../people/rights/caller.ts';
import type { Request } from '../../request.ts';
import type { WaysIn } from '../../sign-in/ways.ts';
import type { Standing } from '../../store/transactions/authority.ts';
import type { TokenScope } from '../../tokens/token.ts';
import type { Token } from '../../tokens/tokens.ts';
import type { Deadline } from '../deadline.ts';
import type { Signer } from '../declaration.ts';

/** What the middlewares find out about a request, for each other and for the handler. */
export interface State {
  /** By the clock of `performance`. */
  startedAt: number;
  header: (name: string) => string | undefined;
  address: string;
  origin: string | undefined;
  /** What the cookie of a session says. */
  session: string | undefined;
  /** What the cookie of a sign-on says. */
  signOn: string | undefined;
  form: URLSearchParams;
  /** The cookie that is to be set; undefined for none. */
  newCookie?: Promise<string | undefined>;
  params: unknown;
  query: unknown;
  body: unknown;
  request: Request;
  deadline?: Deadline;
  token?: Token;
  /** The token or the session by which a caller of the admin API has come. */
  credential?: Standing;
  /** Who has signed it. */
  signer?: Signer;
  /** What the token of an SDK may read. */
  scope?: TokenScope | undefined;
  /** Ends when it is noted that the token was used. */
  seen?: Promise<void>;
  caller?: Caller;
  /** Whether the token would still be taken, without asking the store. */
  tokenHolds?: (() => boolean) | undefined;
  /** Whether the reply would still be 304, without asking the store. */
  holds?: (() => boolean) | undefined;
  /** Which request it is, if its caller has given it a key. */
  requestIdentity?: RequestIdentity;
  /** How people sign in, where a login page has asked and nobody is signed in. */
  waysIn?: WaysIn | undefined;
  /** The methods that the path takes, where the one that was sent is none of them. */
  allow?: string;
  /** What went wrong, in the words of the answer. */
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
