import { type Declaration, isOfSdks, routeOf } from '../../../lib/http/declaration.ts';
import type { AnsweredRequest } from '../../../lib/http/local/local-server.ts';
import type { Count, Distribution } from './families.ts';
import { metrics } from './metrics.ts';

type PollApi = 'client' | 'frontend' | 'ofrep';

/** Returns the API that an endpoint belongs to if it serves flags or evaluations; otherwise undefined. */
function pollApiOf(declaration: Declaration): PollApi | undefined {
  if (!isOfSdks(declaration) || declaration.rights === 'count') return undefined;
  return declaration.audience === 'evaluation' ? 'ofrep' : (declaration.audience as PollApi);
}

/** The numbers that an answered request changes. */
interface RequestNumbers {
  readonly count: Count;
  readonly duration: Distribution;
  readonly poll: Count | undefined;
}

/**
 * Returns a function that counts answered requests by method, route and status. It never counts by path, since anybody can send any
 * number of paths.
 */
export function buildRequestCounter(declarations: readonly Declaration[]): (answered: AnsweredRequest) => void {
  const apis = new Map(declarations.map((declaration) => [routeOf(declaration), pollApiOf(declaration)]));
  const numbersByKey = new Map<string, RequestNumbers>();

  function findNumbers({ method, route, status }: AnsweredRequest): RequestNumbers {
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
    let numbers = numbersByKey.get(key);
    if (numbers === undefined) {
      numbers = findNumbers(answered);
      numbersByKey.set(key, numbers);
    }
    numbers.count.value += 1;
    numbers.duration.add(answered.milliseconds);
    if (numbers.poll !== undefined) numbers.poll.value += 1;
  };
}

function pollResultOf(status: number) {
  if (status === 304) return 'unchanged';
  if (status < 400) return 'full';
  return status < 500 ? 'refused' : 'failed';
}
