import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { callOperation } from './call-operation.ts';
import { carryOutOnce } from './carry-out-once.ts';
import { timeoutEarlyInMillis } from './deadline.ts';
import {
  type CallableEndpoint,
  type Declaration,
  declarationOf,
  isMutation,
  type LambdaHandler,
  routeOf,
  type WrittenDeclaration,
} from './declaration.ts';
import { fallback } from './fallback.ts';
import type { Body, Call, Input, ReplyParts, Result } from './handler-types.ts';
import { authenticate } from './middleware/authenticate.ts';
import { authorize, hiddenProject, type NeedsOf, requirePermissions } from './middleware/authorize.ts';
import { bodyLimit, contentType, decompress, expressionLimit, form, reportParser } from './middleware/body.ts';
import { cors } from './middleware/cors.ts';
import { errors } from './middleware/errors.ts';
import { idempotencyKey } from './middleware/idempotency-key.ts';
import { invocation } from './middleware/invocation.ts';
import { maintenance } from './middleware/maintenance.ts';
import { openStoreForRequest } from './middleware/open-store.ts';
import { precondition } from './middleware/precondition.ts';
import { report } from './middleware/report.ts';
import { respond } from './middleware/respond.ts';
import type { ChainRequest, RequestCheck } from './middleware/state.ts';
import { validate } from './middleware/validate.ts';
import { endRefusedStream } from './refuse-streaming.ts';
import { buildReply } from './reply.ts';

/**
 * Declares an endpoint, in two steps, since the literal types of the declaration must be known before the handler is checked.
 *
 *     export const getThing = endpoint({ route: 'GET /things/{id}', … }).handle(({ request, params }) => …);
 *
 * In between, `.needs(({ params, body }) => [{ permission, project, environment }])` returns permissions that depend on the body.
 *
 * The handler returns the body of the reply. Headers, or a body in another form, come from a second function, since the reply is
 * stored together with the change for a repeated request:
 *
 *     ….handle(({ request, body }) => addThing(request, body), ({ id }) => ({ headers: { location: `/things/${id}` } }));
 */
export function endpoint<const D extends WrittenDeclaration>(written: D): Declared<D> {
  const declaration = declarationOf(written);
  const declared: NeedsStep<D> & HandleStep<D> = {
    needs: (needsOf) => buildHandleStep<D>(declaration, needsOf),
    ...buildHandleStep<D>(declaration),
  };
  return declared as Declared<D>;
}

/**
 * Returns `endpoint` for the endpoints of one group, which then need not name it.
 * @param shared sets `effectsOf` or `throttle` for all of them.
 */
export function endpointsOf<
  const Group extends string,
  Shared extends Partial<Pick<WrittenDeclaration, 'effectsOf' | 'throttle'>> = object,
>(group: Group, shared?: Shared) {
  return <const D extends Omit<WrittenDeclaration, 'group' | 'effectsOf'>>(written: D) =>
    endpoint({ ...written, ...shared, group } as D & Shared & { readonly group: Group });
}

function buildHandleStep<D extends WrittenDeclaration>(declaration: Declaration, needsOf?: NeedsOf<D>): HandleStep<D> {
  return {
    handle<T>(
      run: (request: Input<D>) => Promise<Result<D, T>>,
      partsOf: (value: T, request: Input<D>) => ReplyParts<D, T> | object = () => ({}),
    ): CallableEndpoint<D> {
      const carryOut = ({ event, context }: Pick<ChainRequest, 'event' | 'context'>) => {
        const { calls } = declaration;
        if (calls) {
          const call: Call = (operation, sent) => callOperation({ event, context }, calls, operation, sent);
          Object.assign(context, { call });
        }
        // The middlewares have added the parts of the request to the context, whose type is that of Lambda.
        const request = context as unknown as Input<D>;
        return carryOutOnce(
          request,
          run,
          (result) => buildReply(declaration, result, (value) => partsOf(value as T, request)),
          declaration.secret === true,
        );
      };
      const handler = onFirstRequest(() => {
        const chain = buildChain(declaration);
        for (const check of listInputChecks(declaration, needsOf)) chain.before(check);
        chain.handler(((event: ChainRequest['event'], context: ChainRequest['context']) =>
          carryOut({ event, context })) as never);
        const chainHandler = chain as unknown as LambdaHandler;
        return declaration.answerRepeats?.(declaration, chainHandler) ?? chainHandler;
      });
      return Object.assign(withOtherMethods(declaration, handler), {
        declaration,
        carryOut: async (request: ChainRequest) => {
          const checks = [...listCallerChecks(declaration), ...listInputChecks(declaration, needsOf)];
          for (const check of checks) await check(request);
          return carryOut(request);
        },
      });
    },
  };
}

/**
 * Adds HEAD, and all methods that no endpoint of the path has, to the function of a GET. API Gateway has no HEAD for a GET route, so
 * this function has a route for all methods. `ALLOW` contains the methods of the path's endpoints.
 */
function withOtherMethods({ method }: Declaration, handler: LambdaHandler): LambdaHandler {
  if (method !== 'GET') return handler;
  const otherwise = onFirstRequest(() => fallback(async () => process.env.ALLOW ?? 'GET, HEAD, OPTIONS'));
  return (event, context) => {
    const requestMethod = event.requestContext?.http?.method ?? method;
    return requestMethod === 'GET' || requestMethod === 'HEAD' ? handler(event, context) : otherwise(event, context);
  };
}

/** Creates a handler with its first request, so that a function with many endpoints starts with only one chain. */
function onFirstRequest(make: () => LambdaHandler): LambdaHandler {
  let handler: LambdaHandler | undefined;
  return (event, context) => {
    handler ??= make();
    return handler(event, context);
  };
}

/** The builder of an endpoint. If the body determines where the permission is checked, the endpoint must call `needs`. */
type Declared<D extends WrittenDeclaration> = D extends { permissionBy: 'body' }
  ? NeedsStep<D>
  : NeedsStep<D> & HandleStep<D>;

interface NeedsStep<D extends WrittenDeclaration> {
  /** Adds permissions that depend on the path and the body. The caller needs all of them. */
  needs(needsOf: NeedsOf<D>): HandleStep<D>;
}

interface HandleStep<D extends WrittenDeclaration> {
  handle(run: (request: Input<D>) => Promise<Result<D, Body<D>>>): CallableEndpoint<D>;
  handle<T>(
    run: (request: Input<D>) => Promise<Result<D, T>>,
    partsOf: (value: T, request: Input<D>) => ReplyParts<D, T>,
  ): CallableEndpoint<D>;
}

/**
 * Returns the middleware chain of a request. On the way in, middy calls the middlewares in this order, which is the order of the errors
 * that callers see: 401, 403, 503 during maintenance, 413, 415, 400, 404. On the way out, after the handler or an error, it calls them
 * in reverse order: `errors` converts an error to a reply, `respond` completes every reply, and `report` logs the final reply. So
 * everything that can throw comes after these three.
 */
function buildChain(declaration: Declaration) {
  const chain = middy({ timeoutEarlyInMillis })
    .use(invocation())
    .use(report(routeOf(declaration), declaration))
    .use(cors(() => (declaration.tokenInPath === undefined ? declaration.audience : 'evaluation')))
    .use(respond(declaration));
  if (declaration.streams) chain.use(endRefusedStream());
  chain.use(errors(declaration)).use(openStoreForRequest()).use(authenticate(declaration));
  for (const check of listCallerChecks(declaration)) chain.before(check);
  chain.before(bodyLimit(declaration));
  if (declaration.compressedBody) chain.before(decompress(declaration));
  if (declaration.body !== undefined) chain.before(contentType(declaration));
  if (isMutation(declaration)) chain.before(idempotencyKey(declaration)).before(precondition(declaration));
  if (declaration.body !== undefined) {
    // `contentType` has checked the content type already, more strictly.
    if (declaration.rights === 'count') chain.before(reportParser());
    else chain.use(jsonBodyParser({ disableContentTypeCheck: true }));
  }
  if (declaration.takesForm) chain.before(form());
  return chain;
}

/** Lists the checks of an authenticated caller. They come before all others, also if another operation calls this one. */
function listCallerChecks(declaration: Declaration): RequestCheck[] {
  return [authorize(declaration), maintenance(declaration)];
}

/** Lists the checks of the parsed input, which are the same if another operation calls this one. */
function listInputChecks(declaration: Declaration, needsOf: NeedsOf<WrittenDeclaration> | undefined): RequestCheck[] {
  return [
    ...(declaration.body !== undefined && declaration.rights !== 'count' ? [expressionLimit()] : []),
    validate(declaration),
    ...(needsOf === undefined ? [] : [requirePermissions(needsOf)]),
    hiddenProject(declaration),
  ];
}
