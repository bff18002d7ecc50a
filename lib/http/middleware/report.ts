import { userIdOf } from '../../users/caller.ts';
import { type Declaration, isOfSdks } from '../declaration.ts';
import { log } from '../log.ts';
import { gatherMetrics, sendMetrics } from '../metrics.ts';
import type { RequestReport } from '../request-report.ts';
import { stackOf } from '../stack.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** Of the calls of SDKs that went well, one in so many has a line in the log: lines would cost more than the calls. */
const callsALine = 1_000;

/** Reports each request when it is answered: a line in the log, and its metrics. */
export function report(route: string, declaration: Pick<Declaration, 'audience'> = {}): Middleware {
  const isBusy = isOfSdks(declaration);

  function tell(request: ChainRequest): void {
    const report = reportOf(route, request);
    const isQuiet = isBusy && report.error === undefined;
    if (!isQuiet || isWatched() || Math.random() * callsALine < 1) {
      log(report.status >= 500 ? 'ERROR' : 'INFO', report.error === undefined ? 'answered' : 'refused', { ...report });
    }
    (isQuiet ? gatherMetrics : sendMetrics)(report);
  }

  return {
    before: function reportBefore({ context }) {
      context.startedAt = performance.now();
    },
    after: tell,
    onError: tell,
  };
}

/** At the level DEBUG every line is written. */
function isWatched(): boolean {
  return process.env.LOG_LEVEL?.toUpperCase() === 'DEBUG';
}

function reportOf(route: string, { context, response, error }: ChainRequest): RequestReport {
  const { awsRequestId, startedAt, table, token, caller, errorName } = context;
  const { requests, waits, readUnits, writeUnits } = table.usage;
  const status = response?.statusCode ?? 500;
  return {
    requestId: awsRequestId,
    route,
    status,
    userId: caller?.id ?? (token && userIdOf(token)),
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    storeRoundTrips: requests,
    storeWaits: waits,
    consumedReadUnits: readUnits,
    consumedWriteUnits: writeUnits,
    error: errorName,
    // A caller's mistake needs no stack: the response explains it.
    stack: status >= 500 ? stackOf(error) : undefined,
  };
}
