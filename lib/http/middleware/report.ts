import { ApiError } from '../../errors.ts';
import { userIdOf } from '../../identity/caller.ts';
import { countCall, trafficPathOf } from '../../usage/traffic.ts';
import { type Declaration, isOfSdks } from '../declaration.ts';
import { log } from '../log.ts';
import { collectMetrics, sendMetrics } from '../metrics.ts';
import type { RequestReport } from '../request-report.ts';
import { stackOf } from '../stack.ts';
import type { ChainRequest, Middleware } from './state.ts';

/** The number of successful SDK calls without a warning per log line: a line for each would cost more than the calls. */
const callsPerLine = 1_000;

/** Reports each answered request: counts it, and writes a log line and metrics. */
export function report(route: string, declaration: Pick<Declaration, 'audience'> = {}): Middleware {
  const report = createReporter(route, declaration);
  const path = trafficPathOf(route);
  const isRead = route.startsWith('GET ');
  async function reportAnswer(request: ChainRequest): Promise<void> {
    const parts = answered(request);
    report(parts);
    if (path === undefined) return;
    const { service, token } = request.context;
    await countCall(service, path, { status: parts.status, isRead, isKnown: token !== undefined });
  }

  return {
    before: function reportBefore({ context }) {
      context.startedAt = performance.now();
    },
    after: reportAnswer,
    onError: reportAnswer,
  };
}

/** An answered request, with the values of its report that are known. */
type Answered = Pick<RequestReport, 'requestId' | 'status' | 'durationMs'> & Partial<Omit<RequestReport, 'route'>>;

/** Returns a function that reports requests of a route. Values of the store default to 0. */
export function createReporter(
  route: string,
  declaration: Pick<Declaration, 'audience'>,
): (answered: Answered) => void {
  const isBusy = isOfSdks(declaration);
  return (request) => {
    const isQuiet = isBusy && request.error === undefined && request.warning === undefined;
    if (isQuiet) collectMetrics(request.durationMs);
    if (isQuiet && Math.random() * callsPerLine >= 1 && !writesEveryLine()) return;
    const report: RequestReport = {
      route,
      userId: undefined,
      storeRoundTrips: 0,
      storeWaits: 0,
      consumedReadUnits: 0,
      consumedWriteUnits: 0,
      error: undefined,
      reason: undefined,
      warning: undefined,
      stack: undefined,
      ...request,
    };
    log(levelOf(report), report.error === undefined ? 'answered' : 'refused', { ...report });
    if (!isQuiet) sendMetrics(report);
  };
}

function levelOf({ status, warning }: RequestReport): 'INFO' | 'WARN' | 'ERROR' {
  if (status >= 500) return 'ERROR';
  return warning === undefined ? 'INFO' : 'WARN';
}

/** Returns true if every line is written, at the level DEBUG. */
function writesEveryLine(): boolean {
  return process.env.LOG_LEVEL?.toUpperCase() === 'DEBUG';
}

function answered({ context, response, error }: ChainRequest): Answered {
  const { awsRequestId, startedAt, service, token, caller, errorName } = context;
  const { requests, waits, readUnits, writeUnits } = service.usage;
  const status = response?.statusCode ?? 500;
  return {
    requestId: awsRequestId,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    status,
    userId: caller?.id ?? (token && userIdOf(token)),
    storeRoundTrips: requests,
    storeWaits: waits,
    consumedReadUnits: readUnits,
    consumedWriteUnits: writeUnits,
    error: errorName,
    warning: service.warnings.size === 0 ? undefined : [...service.warnings].join(' '),
    reason: error instanceof ApiError ? error.reason : undefined,
    // A refusal needs no stack, since the reply explains it.
    stack: status >= 500 && !isRefusal(error) ? stackOf(error) : undefined,
  };
}

/** Returns true for a deliberate refusal, such as during maintenance; false for a failure of the store. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.cause === undefined;
}
