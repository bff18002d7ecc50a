import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { type Declaration, type Endpoint, type Reply, type Request, routeOf } from './declaration.ts';
import { authenticate } from './middleware/authenticate.ts';
import { authorize } from './middleware/authorize.ts';
import { bodyLimit } from './middleware/body-limit.ts';
import { contentType } from './middleware/content-type.ts';
import { errors } from './middleware/errors.ts';
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
 */
export function endpoint<const D extends Declaration>(declaration: D) {
  return {
    handle(answer: (request: Request<D>) => Promise<Reply<D>>): Endpoint {
      const chain = middy({ timeoutEarlyInMillis })
        .use(report(routeOf(declaration)))
        .use(respond())
        .use(errors())
        .use(table())
        .use(authenticate(declaration))
        .use(authorize(declaration))
        .use(bodyLimit(declaration));
      if (declaration.body !== undefined) {
        // What comes this far has a content type that was checked, by a stricter rule.
        chain.use(contentType()).use(jsonBodyParser({ disableContentTypeCheck: true }));
      }
      chain.use(validate(declaration));
      // The middlewares have put the parts of the request into the context; only they know it as anything but a Context.
      chain.handler((_event, context) => answer(context as unknown as Request<D>));
      return Object.assign(chain as unknown as Endpoint, { declaration });
    },
  };
}
