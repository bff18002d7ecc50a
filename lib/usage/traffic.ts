import type { Request } from '../request.ts';
import { queryAll } from '../store/read.ts';
import { cachePerObject } from '../values/cache.ts';
import { computeExpiry, hasElapsed, readClocks } from '../values/time.ts';
import * as usageKeys from './keys.ts';
import type { Traffic, TrafficPath, TrafficQuery } from './traffic-schema.ts';
import { type CountUpdate, writeCounts } from './write-counts.ts';

const paths: readonly TrafficPath[] = ['/api/admin', '/api/frontend', '/api/client'];

/** The seconds for which the calls of a day are kept: a year and the month that it begins in. */
const keptSeconds = 400 * 24 * 60 * 60;
/** The milliseconds after which a process in which nothing else is due writes its counts by themselves. */
const overdueMs = 2 * 60_000;
/** The most milliseconds that a caller waits for that. */
const patienceMs = 200;

/** The number of reads of a function of people for each one that is counted as so many. @internal */
export const sampling = { calls: 10 };

/** The calls with one kind of answer that a process has not written down yet. */
export interface Counter {
  calls: number;
}

/** The calls that a process has answered since it last wrote them down. */
class Counters {
  readonly #counters = new Map<string, Counter>();
  #takenAt = readClocks();

  get isOverdue(): boolean {
    return hasElapsed(this.#takenAt, overdueMs);
  }

  of(path: TrafficPath, status: number): Counter {
    return this.#named(`${path}:${Math.floor(status / 100)}`);
  }

  #named(id: string): Counter {
    const known = this.#counters.get(id);
    if (known !== undefined) return known;
    const counter = { calls: 0 };
    this.#counters.set(id, counter);
    return counter;
  }

  /** Returns the calls to write down, and begins anew. A call just before midnight may count for the next day. */
  take(): Required<CountUpdate> | undefined {
    this.#takenAt = readClocks();
    const counted = [...this.#counters].filter(([, { calls }]) => calls > 0);
    if (counted.length === 0) return undefined;
    const add = Object.fromEntries(counted.map(([id, { calls }]) => [id, calls]));
    for (const [, counter] of counted) counter.calls = 0;
    const set = { expiresAtSeconds: computeExpiry(keptSeconds) };
    return { key: usageKeys.traffic(new Date().toISOString().slice(0, 10)), add, set };
  }

  putBack({ add }: Required<CountUpdate>): void {
    for (const [id, calls] of Object.entries(add)) this.#named(id).calls += calls;
  }
}

const countersOf = cachePerObject((_: Request['store']) => new Counters());

/** The path by which the calls of a route are counted, if they are. Evaluations by OpenFeature are those of a page. */
export function trafficPathOf(route: string): TrafficPath | undefined {
  const path = route.slice(route.indexOf('/'));
  if (path.startsWith('/ofrep/')) return '/api/frontend';
  return paths.find((each) => path === each || path.startsWith(`${each}/`));
}

/** The counter of the calls to a path that are answered with a status. */
export function counterOf({ store }: Pick<Request, 'store'>, path: TrafficPath, status: number): Counter {
  return countersOf(store).of(path, status);
}

/**
 * Counts an answered call. A process of SDKs writes its counts with what they report. In Lambda, a function of people may answer
 * one call and end: there one in several reads is counted for all of them, and written at once, and no change, which is to cost
 * nothing more.
 * @param isKnown true if the caller has shown who they are, without which nobody makes such a function write.
 */
export async function countCall(
  request: Request,
  path: TrafficPath,
  { status, isRead, isKnown }: { readonly status: number; readonly isRead: boolean; readonly isKnown: boolean },
): Promise<void> {
  const counters = countersOf(request.store);
  const isSampled = path === '/api/admin' && process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  if (isSampled && !(isRead && isKnown && Math.random() * sampling.calls < 1)) return;
  counters.of(path, status).calls += isSampled ? sampling.calls : 1;
  // After a failure the time is over, or the store would fail again: those counts are written later.
  if (status < 500 && (isSampled || counters.isOverdue)) await flushTraffic(request);
}

/** Writes the counts down; those that the store does not take wait for the next time. */
async function flushTraffic(request: Request): Promise<void> {
  const counts = takeTraffic(request);
  if (counts === undefined) return;
  try {
    await writeCounts({ ...request, signal: AbortSignal.timeout(patienceMs) }, counts);
  } catch {
    countersOf(request.store).putBack(counts);
  }
}

/** Takes the counts, to be written together with what SDKs have reported. */
export function takeTraffic({ store }: Pick<Request, 'store'>): Required<CountUpdate> | undefined {
  return countersOf(store).take();
}

/** Returns the number of calls by path, and by the days or months of a range. */
export async function trafficIn(request: Request, { grouping, from, to }: TrafficQuery): Promise<Traffic> {
  const days =
    from > to
      ? []
      : await queryAll<{ sk: string } & Partial<Record<string, number>>>(request, usageKeys.trafficBetween(from, to));
  const periods = Map.groupBy(days, ({ sk }) => (grouping === 'daily' ? sk : sk.slice(0, 'yyyy-MM'.length)));
  const sumOf = (members: typeof days, names: readonly string[]) =>
    members.flatMap((each) => names.map((name) => each[name] ?? 0)).reduce((sum, calls) => sum + calls, 0);
  const apiData = paths.map((apiPath) => ({
    apiPath,
    dataPoints: [...periods].map(([period, members]) => ({
      period,
      // Nearly all polls of SDKs are answered with 304.
      trafficTypes: [
        { group: 'successful-requests' as const, count: sumOf(members, [`${apiPath}:2`, `${apiPath}:3`]) },
      ],
      clientErrors: sumOf(members, [`${apiPath}:4`]),
      serverErrors: sumOf(members, [`${apiPath}:5`]),
    })),
  }));
  return { grouping, dateRange: { from, to }, apiData };
}
