import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { environmentStore } from '../store/client/client.ts';
import type { Store } from '../store/work.ts';
import { BoundedMap, onceFor } from '../values/memory.ts';
import { type Declaration, type LambdaHandler, routeOf } from './declaration.ts';
import { reporter } from './middleware/report.ts';
import type { State } from './middleware/state.ts';

/** Reply of 304, and a check that the chain would still give it without asking the store. */
interface Unchanged {
  readonly response: APIGatewayProxyStructuredResultV2;
  readonly holds: () => boolean;
}

/** Instances of an application send the same poll, so that these are as many as there are kinds of them. */
const rememberedMax = 1_000;

const memoryOf = onceFor((_: Store) => new BoundedMap<string, Unchanged>(rememberedMax));

/**
 * Answers a poll without the chain if the chain has answered the same one with 304, and would do so again from the
 * memory of the process. Polls are nearly all that SDKs send, and the chain takes several times as long as they do.
 */
export function answeringRepeats(declaration: Declaration, handler: LambdaHandler): LambdaHandler {
  const { decidedBy } = declaration;
  if (decidedBy === undefined) return handler;
  const report = reporter(routeOf(declaration), declaration);
  return async (event, context) => {
    const { headers, rawQueryString, requestContext } = event;
    const isRepeat = headers?.['if-none-match'] !== undefined && requestContext?.http?.method === 'GET';
    if (!isRepeat) return handler(event, context);
    const startedAt = performance.now();
    const known = memoryOf(environmentStore());
    const poll = [rawQueryString, ...decidedBy.map((name) => headers[name])].join('\n');
    const unchanged = known.get(poll);
    if (unchanged?.holds()) {
      const { awsRequestId: requestId } = context;
      const { response } = unchanged;
      report({ requestId, status: 304, startedAt });
      return { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
    }
    known.delete(poll);
    const response = await handler(event, context);
    const { holds } = context as Context & Partial<State>;
    if (response.statusCode === 304 && holds !== undefined) known.set(poll, { response, holds });
    return response;
  };
}
