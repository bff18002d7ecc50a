import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type Counter, counterOf, trafficPathOf } from '../usage/traffic.ts';
import { BoundedMap } from '../values/cache.ts';
import { type Moment, readClocks } from '../values/time.ts';
import { type Declaration, type LambdaHandler, routeOf } from './declaration.ts';
import { createReporter } from './middleware/report.ts';
import type { State } from './middleware/state.ts';

/** The headers of a 304, and a check whether the chain would still send it, without reading the store. */
interface Unchanged {
  readonly ifNoneMatch: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly holds: (at: Moment) => boolean;
  readonly counter: Counter | undefined;
}

/** The instances of an application send the same poll, so the number of different polls is limited. */
const maxPolls = 1_000;

/**
 * Repeats the 304 of an earlier, equal poll, as long as the chain would send it again; see `ReadyJson.holds`. Polls are most of the
 * requests of SDKs, and the chain takes three times as long.
 * @param decidedBy headers that determine, together with the query and `If-None-Match`, whether the reply is a 304.
 */
export function answerRepeats(...decidedBy: readonly string[]) {
  return (declaration: Declaration, chain: LambdaHandler) => answerRepeatsOf(declaration, decidedBy, chain);
}

function answerRepeatsOf(declaration: Declaration, decidedBy: readonly string[], chain: LambdaHandler): LambdaHandler {
  const report = createReporter(routeOf(declaration), declaration);
  const trafficPath = trafficPathOf(declaration.path);
  // Only the latest result of each kind of poll is kept, since it keeps the data of its reply in memory. It contains a check of the
  // store's state.
  const memory = new BoundedMap<string, Unchanged>(maxPolls);
  const kindOf = ({ rawQueryString, headers }: APIGatewayProxyEventV2) => {
    let kind = rawQueryString;
    for (const name of decidedBy) kind += `\n${headers[name] ?? ''}`;
    return kind;
  };

  return async (event, context: Context & Partial<State>) => {
    const ifNoneMatch = event.headers?.['if-none-match'];
    if (ifNoneMatch === undefined || event.requestContext?.http?.method !== 'GET') return chain(event, context);
    const kind = kindOf(event);
    const unchanged = memory.get(kind);
    if (unchanged?.ifNoneMatch === ifNoneMatch && unchanged.holds(readClocks())) {
      const requestId = context.awsRequestId;
      if (unchanged.counter !== undefined) unchanged.counter.calls += 1;
      // It takes less than 0.1 ms, the smallest value in a report.
      report({ requestId, status: 304, durationMs: 0 });
      const headers = { ...unchanged.headers, 'x-request-id': requestId };
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
