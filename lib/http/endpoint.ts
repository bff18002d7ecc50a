import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { carryOutOnce } from './carry-out-once.ts';
import {
  type Declaration,
  type Endpoint,
  isMutation,
  type Reading,
  type Reply,
  type Request,
  routeOf,
} from './declaration.ts';
import { authenticate } from './middleware/authenticate.ts';
import { authorize } from './middleware/authorize.ts';
import { bodyLimit } from './middleware/body-limit.ts';
import { contentType } from './middleware/content-type.ts';
import { errors } from './middleware/errors.ts';
import { idempotencyKey } from './middleware/idempotency-key.ts';
import { invocation } from './middleware/invocation.ts';
import { precondition } from './middleware/precondition.ts';
import { report } from './middleware/report.ts';
import { respond } from './middleware/respond.ts';
import { table } from './middleware/table.ts';
import { validate } from './middleware/validate.ts';

// Answered early enough for the caller to receive an error of ours instead of the platform's.
export const timeoutEarlyInMillis = 300;

/**
 * Declares an endpoint. Two steps, because the declaration's literal types must be known before the reply is checked.
 *
 *     export const handler = endpoint({ method: 'GET', path: '/things/{id}', … }).handle(async ({ params }) => …);
 *
 * What changes something says apart what it does and what it replies to the result, since the reply is kept together with
 * the change for a caller who sends the request again:
 *
 *     export const handler = endpoint({ method: 'PUT', … }).handle(async ({ params }) => …, (thing) => ({ status: 200, … }));
 */
export function endpoint<const D extends Declaration>(declaration: D): Declared<D> {
  return {
    handle<Result>(run: (request: Request<D>) => Promise<Result>, reply = asItIs as Replier<D, Result>): Endpoint {
      const chain = guarded(declaration);
      // The middlewares have put the parts of the request into the context; only they know it as anything but a Context.
      chain.handler((_event, context) => carryOutOnce(context as unknown as Request<D>, run, reply));
      return Object.assign(chain as unknown as Endpoint, { declaration });
    },
  } as Declared<D>;
}

type Replier<D extends Declaration, Result> = (result: Result, request: Request<D>) => Reply<D>;

interface Declared<D extends Declaration> {
  handle: D extends Reading
    ? (answer: (request: Request<D>) => Promise<Reply<D>>) => Endpoint
    : <Result>(run: (request: Request<D>) => Promise<Result>, reply: Replier<D, Result>) => Endpoint;
}

/** What a read results in is its reply. */
function asItIs<T>(result: T): T {
  return result;
}

/** The chain that a request passes before it is carried out. */
function guarded(declaration: Declaration) {
  const chain = middy({ timeoutEarlyInMillis })
    .use(invocation())
    .use(report(routeOf(declaration)))
    .use(respond())
    .use(errors())
    .use(table())
    .use(authenticate(declaration))
    .use(authorize(declaration))
    .use(bodyLimit(declaration));
  if (declaration.body !== undefined) chain.use(contentType());
  if (isMutation(declaration)) chain.use(idempotencyKey(declaration)).use(precondition(declaration));
  // What comes this far has a content type that was checked, by a stricter rule.
  if (declaration.body !== undefined) chain.use(jsonBodyParser({ disableContentTypeCheck: true }));
  return chain.use(validate(declaration));
}
