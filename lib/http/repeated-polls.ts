import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type Counter, counterOf, trafficPathOf } from '../usage/traffic.ts';
import { BoundedMap } from '../values/cache.ts';
import { type Moment, readClocks } from '../values/time.ts';
import { type Declaration, type LambdaHandler, routeOf } from './declaration.ts';
import { reporter } from './middleware/report.ts';
import type { State } from './middleware/state.ts';

/** Headers of a reply of 304, and a check that the chain would still give it without asking the store. */
interface Unchanged {
  readonly ifNoneMatch: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly holds: (at: Moment) => boolean;
  readonly counter: Counter | undefined;
}

/** Instances of an application send the same poll, so that these are as many as there are kinds of them. */
const rememberedMax = 1_000;

/**
 * Answers a poll as the chain has answered the same one with 304, for as long as the chain would do so again; see
 * `ReadyJson.holds`. Polls are nearly all that SDKs send, and the chain takes three times as long.
 * @param decidedBy headers that decide, together with the query and `If-None-Match`, whether the reply is a 304.
 */
export function answerRepeats(...decidedBy: readonly string[]) {
  return (declaration: Declaration, chain: LambdaHandler) => answerRepeatsOf(declaration, decidedBy, chain);
}

function answerRepeatsOf(declaration: Declaration, decidedBy: readonly string[], chain: LambdaHandler): LambdaHandler {
  const report = reporter(routeOf(declaration), declaration);
  const trafficPath = trafficPathOf(declaration.path);
  // Of a kind of poll only the latest is kept, since it keeps in memory what it was about. That it still holds says the
  // store that was asked.
  const memory = new BoundedMap<string, Unchanged>(rememberedMax);
  const kindOf = ({ rawQueryString, headers }: APIGatewayProxyEventV2) => {
    let kind = rawQueryString;
    for (const name of decidedBy) kind += `\n${headers[name] ?? ''}`;
    return kind;
  };

  return async (event, context: Context & Partial<State>) => {
    const ifNoneMatch = event.headers?.['if-none-match'];
    if (ifNoneMatch === undefined || event.requestContext?.http?.method !== 'GET') return chain(event, context);
    const kind = kindOf(event);
    const known = memory.get(kind);
    if (known?.ifNoneMatch === ifNoneMatch && known.holds(readClocks())) {
      const requestId = context.awsRequestId;
      if (known.counter !== undefined) known.counter.calls += 1;
      // It takes less than the tenth of a millisecond that a report shows at least.
      report({ requestId, status: 304, durationMs: 0 });
      const headers = { ...known.headers, 'x-request-id': requestId };
      return { statusCode: 304, headers, body: '', isBase64Encoded: false };
    }
    memory.delete(kind);
    const response = await chain(event, context);
    const { holds, request } = context;
    if (response.statusCode === 304 && holds !== undefined) {
      const counter = request && trafficPath && counterOf(request, trafficPath, 304);
      const headers = response.headers as Readonly<Record<string, string>>;
      memory.set(kind, { ifNoneMatch, headers, holds, counter });
    }
    return response;
  };
}
