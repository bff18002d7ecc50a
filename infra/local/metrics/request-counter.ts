import { type Declaration, isOfSdks, routeOf } from '../../../lib/http/declaration.ts';
import type { AnsweredRequest } from '../../../lib/http/local/local-server.ts';
import type { Count, Distribution } from './families.ts';
import { metrics } from './metrics.ts';

type PollApi = 'client' | 'frontend' | 'ofrep';

/** Returns the API that an endpoint serves flags or evaluations of; undefined for every other endpoint. */
function pollApiOf(declaration: Declaration): PollApi | undefined {
  if (!isOfSdks(declaration) || declaration.rights === 'count') return undefined;
  return declaration.audience === 'evaluation' ? 'ofrep' : (declaration.audience as PollApi);
}

/** The numbers that an answered request changes. */
interface RequestCells {
  readonly count: Count;
  readonly duration: Distribution;
  readonly poll: Count | undefined;
}

/**
 * Returns a function that counts answered requests by method, route and status. It never uses the path, since anybody can send any
 * number of paths.
 */
export function buildRequestCounter(declarations: readonly Declaration[]): (answered: AnsweredRequest) => void {
  const apis = new Map(declarations.map((declaration) => [routeOf(declaration), pollApiOf(declaration)]));
  const cells = new Map<string, RequestCells>();

  function createCells({ method, route, status }: AnsweredRequest): RequestCells {
    const api = apis.get(route);
    const labels = { method, route: route.slice(route.indexOf(' ') + 1) };
    return {
      count: metrics.requests.of({ ...labels, status: String(status) }),
      duration: metrics.requestDurations.of(labels),
      poll: api && metrics.polls.of({ api, result: pollResultOf(status) }),
    };
  }

  return (answered) => {
    const key = `${answered.method} ${answered.status} ${answered.route}`;
    let found = cells.get(key);
    if (found === undefined) {
      found = createCells(answered);
      cells.set(key, found);
    }
    found.count.value += 1;
    found.duration.add(answered.milliseconds);
    if (found.poll !== undefined) found.poll.value += 1;
  };
}

function pollResultOf(status: number) {
  if (status === 304) return 'unchanged';
  if (status < 400) return 'full';
  return status < 500 ? 'refused' : 'failed';
}
