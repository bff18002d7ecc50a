import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { type Counter, counterOf, trafficPathOf } from '../usage/traffic.ts';
import type { TrafficPath } from '../usage/traffic-schema.ts';
import { BoundedMap } from '../values/memory.ts';
import { type Moment, now } from '../values/moment.ts';
import { type AnswerAgain, type Declaration, type LambdaHandler, type Poll, routeOf } from './declaration.ts';
import { reporter, writesEveryLine } from './middleware/report.ts';
import type { State } from './middleware/state.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers of a reply of 304, and a check that the chain would still give it without asking the store. */
interface Unchanged {
  readonly ifNoneMatch: Poll['headers'][string];
  readonly headers: Headers;
  readonly holds: (at: Moment) => boolean;
  /** Missing where nothing is made of it. To ask the environment with each takes as long as to find the answer. */
  readonly report: ((requestId: string) => void) | undefined;
  readonly counter: Counter | undefined;
}

/** Instances of an application send the same poll, so that these are as many as there are kinds of them. */
const rememberedMax = 1_000;

/**
 * Memory of the polls that the chain of an endpoint has answered with 304, for those that repeat one. Polls are nearly
 * all that SDKs send, and the chain takes several times as long as they do.
 */
export class RepeatedPolls {
  readonly #decidedBy: readonly string[];
  readonly #report: ReturnType<typeof reporter>;
  readonly #trafficPath: TrafficPath | undefined;
  // Of a kind of poll only the latest is kept, since it keeps in memory what it was about. That it still holds says the
  // store that was asked.
  readonly #memory = new BoundedMap<string, Unchanged>(rememberedMax);

  /** @param decidedBy headers that decide, together with the query and `If-None-Match`, whether the reply is a 304. */
  constructor(declaration: Declaration, decidedBy: readonly string[]) {
    this.#decidedBy = decidedBy;
    this.#report = reporter(routeOf(declaration), declaration);
    this.#trafficPath = trafficPathOf(declaration.path);
  }

  /** Returns the answers to a poll from the memory of the process: the headers of the 304 that the chain would give again. */
  answersTo(poll: Poll): AnswerAgain {
    const ifNoneMatch = poll.headers['if-none-match'];
    const kind = this.#kindOf(poll);
    return (requestId) => {
      const known = this.#memory.get(kind);
      if (ifNoneMatch === undefined || known?.ifNoneMatch !== ifNoneMatch) return undefined;
      if (!known.holds(now())) {
        this.#memory.delete(kind);
        return undefined;
      }
      const { headers, report, counter } = known;
      if (counter !== undefined) counter.calls += 1;
      report?.(requestId);
      return headers;
    };
  }

  /** Returns a handler that runs the chain only for what does not repeat a poll. */
  before(chain: LambdaHandler): LambdaHandler {
    return async (event, context) => {
      const isPoll = event.headers?.['if-none-match'] !== undefined && event.requestContext?.http?.method === 'GET';
      if (!isPoll) return chain(event, context);
      const headers = this.answersTo(event)(context.awsRequestId);
      if (headers === undefined) return this.#learn(event, await chain(event, context), context);
      const answered = { ...headers, 'x-request-id': context.awsRequestId };
      return { statusCode: 304, headers: answered, body: '', isBase64Encoded: false };
    };
  }

  #learn(
    poll: Poll,
    response: APIGatewayProxyStructuredResultV2,
    { holds, request }: Context & Partial<State>,
  ): APIGatewayProxyStructuredResultV2 {
    const ifNoneMatch = poll.headers['if-none-match'];
    if (response.statusCode === 304 && holds !== undefined && ifNoneMatch !== undefined) {
      const counter = request && this.#trafficPath && counterOf(request, this.#trafficPath, 304);
      const { 'x-request-id': _itsOwn, ...headers } = response.headers as Headers;
      this.#memory.set(this.#kindOf(poll), { ifNoneMatch, headers, holds, report: this.#reports(), counter });
    }
    return response;
  }

  /** It takes less than the tenth of a millisecond that a report shows at least. Of a success, no line in words is written. */
  #reports(): Unchanged['report'] {
    if (process.env.LOG_FORMAT === 'text') return undefined;
    const isWatched = writesEveryLine();
    return (requestId) => this.#report({ requestId, status: 304, durationMs: 0, isWatched });
  }

  #kindOf({ rawQueryString, headers }: Poll): string {
    let kind = rawQueryString;
    for (const name of this.#decidedBy) kind += `\n${headers[name] ?? ''}`;
    return kind;
  }
}
