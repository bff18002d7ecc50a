import { log } from '../log.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** Writes one line about each request: never a token, a header or a body. */
export function requestLog(route: string): Middleware {
  const starts = new WeakMap<object, number>();

  function fieldsOf({ context, response }: ChainRequest) {
    return {
      requestId: context.awsRequestId,
      route,
      status: response?.statusCode,
      userId: context.caller?.id,
      durationMs: Math.round(performance.now() - (starts.get(context) ?? 0)),
    };
  }

  return {
    before: function requestLogBefore({ context }) {
      starts.set(context, performance.now());
    },
    after: function requestLogAfter(request) {
      log('INFO', 'answered', fieldsOf(request));
    },
    onError: function requestLogOnError(request) {
      const { response, error } = request;
      const failed = (response?.statusCode ?? 500) >= 500;
      // The stack is for the operator, who alone reads the log; a caller's mistake needs none.
      const cause = failed ? { error: error?.stack } : { error: error?.name };
      log(failed ? 'ERROR' : 'INFO', 'refused', { ...fieldsOf(request), ...cause });
    },
  };
}
