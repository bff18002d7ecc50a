import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { carryOutOnce } from './carry-out-once.ts';
import { timeoutEarlyInMillis } from './deadline.ts';
import {
  type Body,
  type Declaration,
  declarationOf,
  type Endpoint,
  type Input,
  isMutation,
  type LambdaHandler,
  type ReplyParts,
  type Result,
  routeOf,
  type WrittenDeclaration,
} from './declaration.ts';
import { fallback } from './fallback.ts';
import { authenticate } from './middleware/authenticate.ts';
import { authorize, hiddenProject, type NeedsOf, requirePermissions } from './middleware/authorize.ts';
import { bodyLimit, contentType, decompress, form, reportParser } from './middleware/body.ts';
import { cors } from './middleware/cors.ts';
import { errors } from './middleware/errors.ts';
import { idempotencyKey } from './middleware/idempotency-key.ts';
import { invocation } from './middleware/invocation.ts';
import { maintenance } from './middleware/maintenance.ts';
import { openStoreForRequest } from './middleware/open-store.ts';
import { precondition } from './middleware/precondition.ts';
import { report } from './middleware/report.ts';
import { respond } from './middleware/respond.ts';
import { validate } from './middleware/validate.ts';
import { replyTo } from './reply.ts';

/**
 * Declares an endpoint. Two steps, because the declaration's literal types must be known before the handler is checked.
 *
 *     export const getThing = endpoint({ route: 'GET /things/{id}', … }).handle(({ request, params }) => …);
 *
 * Between the two, `.needs(({ params, body }) => [{ permission, project, environment }])` names permissions that depend on
 * the body.
 *
 * The handler results in the body of the reply. What else the reply has, a header or a body of another shape, is said
 * apart, since the reply is kept together with the change for a caller who sends the request again:
 *
 *     ….handle(({ request, body }) => addThing(request, body), ({ id }) => ({ headers: { location: `/things/${id}` } }));
 */
export function endpoint<const D extends WrittenDeclaration>(written: D): Declared<D> {
  const declaration = declarationOf(written);
  const declared: Asking<D> & Handling<D> = {
    needs: (needsOf) => handling<D>(declaration, needsOf),
    ...handling<D>(declaration),
  };
  return declared as Declared<D>;
}

/**
 * Returns `endpoint` for the endpoints of one group, which then need not name it.
 * @param effects declares `effectsOf` for all of them.
 */
export function endpointsOf<const Group extends string, Effects extends Pick<WrittenDeclaration, 'effectsOf'> = object>(
  group: Group,
  effects?: Effects,
) {
  return <const D extends Omit<WrittenDeclaration, 'group' | 'effectsOf'>>(written: D) =>
    endpoint({ ...written, ...effects, group } as D & Effects & { readonly group: Group });
}

function handling<D extends WrittenDeclaration>(declaration: Declaration, needsOf?: NeedsOf<D>): Handling<D> {
  return {
    handle<T>(
      run: (request: Input<D>) => Promise<Result<D, T>>,
      partsOf: (value: T, request: Input<D>) => ReplyParts<D, T> | object = () => ({}),
    ): Endpoint {
      const handler = onFirstRequest(() => {
        const chain = guarded(declaration);
        if (needsOf !== undefined) chain.before(requirePermissions(needsOf as NeedsOf<WrittenDeclaration>));
        chain.before(hiddenProject(declaration)).handler((_event, context) => {
          // The middlewares have put the parts of the request into the context, which is typed as Lambda's own.
          const request = context as unknown as Input<D>;
          return carryOutOnce(
            request,
            run,
            (result) => replyTo(declaration, result, (value) => partsOf(value as T, request)),
            declaration.secret === true,
          );
        });
        const whole = chain as unknown as LambdaHandler;
        return declaration.answerRepeats?.(declaration, whole) ?? whole;
      });
      return Object.assign(withOtherMethods(declaration, handler), { declaration });
    },
  };
}

/**
 * Adds HEAD and all methods that no endpoint of the path takes to the function of a GET. API Gateway leaves HEAD to a
 * route of its own, or to one that takes all methods; the function has such a route. `ALLOW` lists the methods that an
 * endpoint takes.
 */
function withOtherMethods({ method }: Declaration, handler: LambdaHandler): LambdaHandler {
  if (method !== 'GET') return handler;
  const otherwise = onFirstRequest(() => fallback(async () => process.env.ALLOW ?? 'GET, HEAD, OPTIONS'));
  return (event, context) => {
    const sent = event.requestContext?.http?.method ?? method;
    return sent === 'GET' || sent === 'HEAD' ? handler(event, context) : otherwise(event, context);
  };
}

/** Makes a handler when its first request comes, so that a function of many endpoints starts with the chain of one. */
function onFirstRequest(make: () => LambdaHandler): LambdaHandler {
  let handler: LambdaHandler | undefined;
  return (event, context) => {
    handler ??= make();
    return handler(event, context);
  };
}

/** An endpoint of which the body decides where the permission must hold has to say where. */
type Declared<D extends WrittenDeclaration> = D extends { permissionBy: 'body' } ? Asking<D> : Asking<D> & Handling<D>;

interface Asking<D extends WrittenDeclaration> {
  /** Adds permissions that follow from the path and the body; the caller needs all of them. */
  needs(needsOf: NeedsOf<D>): Handling<D>;
}

interface Handling<D extends WrittenDeclaration> {
  handle(run: (request: Input<D>) => Promise<Result<D, Body<D>>>): Endpoint;
  handle<T>(
    run: (request: Input<D>) => Promise<Result<D, T>>,
    partsOf: (value: T, request: Input<D>) => ReplyParts<D, T>,
  ): Endpoint;
}

/**
 * Returns the chain that a request passes before it is carried out. On the way in, middy calls the middlewares in this
 * order, which is the order of the refusals that callers see: 401, 403, 503 in maintenance, 413, 415, 400, 404. On the
 * way out, after the handler or an error, it calls them backwards: `errors` turns an error into a reply, `respond`
 * gives every reply its final form, and `report`, which comes last, logs the reply that really goes out. So everything
 * that can throw stands after these three.
 */
function guarded(declaration: Declaration) {
  const chain = middy({ timeoutEarlyInMillis })
    .use(invocation())
    .use(report(routeOf(declaration), declaration))
    .use(cors(() => declaration.audience))
    .use(respond(declaration))
    .use(errors(declaration))
    .use(openStoreForRequest())
    .use(authenticate(declaration))
    .before(authorize(declaration))
    .before(maintenance(declaration))
    .before(bodyLimit(declaration));
  if (declaration.compressedBody) chain.before(decompress(declaration));
  if (declaration.body !== undefined) chain.before(contentType(declaration));
  if (isMutation(declaration)) chain.before(idempotencyKey(declaration)).before(precondition(declaration));
  if (declaration.body !== undefined) {
    // The content type was checked already, by a stricter rule.
    if (declaration.rights === 'count') chain.before(reportParser());
    else chain.use(jsonBodyParser({ disableContentTypeCheck: true }));
  }
  if (declaration.takesForm) chain.before(form());
  return chain.before(validate(declaration));
}
