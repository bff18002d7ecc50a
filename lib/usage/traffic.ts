import type { Request } from '../request.ts';
import { queryAll } from '../store/read.ts';
import { cachePerObject } from '../values/cache.ts';
import { computeExpiry, hasElapsed, readClocks } from '../values/time.ts';
import * as usageKeys from './keys.ts';
import type { Traffic, TrafficPath, TrafficQuery } from './traffic-schema.ts';
import { type CountUpdate, writeCounts } from './write-counts.ts';

const paths: readonly TrafficPath[] = ['/api/admin', '/api/frontend', '/api/client'];

/** The time for which the counts of a day are kept: a year and the month in which it begins. */
const keptSeconds = 400 * 24 * 60 * 60;
/** The time after which a process writes its counts, if no report of SDKs has caused a write. */
const overdueMs = 2 * 60_000;
/** The longest time that a caller waits for this write. */
const writeTimeoutMs = 200;

/** The calls for which one read counts in Lambda functions for people: one of ten is counted. @internal */
export const sampling = { calls: 10 };

/** The number of calls with one class of status that a process has not written yet. */
export interface Counter {
  calls: number;
}

/** The calls that a process has answered since its last write. */
class Counters {
  readonly #counters = new Map<string, Counter>();
  #takenAt = readClocks();

  get isOverdue(): boolean {
    return hasElapsed(this.#takenAt, overdueMs);
  }

  of(path: TrafficPath, status: number): Counter {
    return this.#getOrCreate(`${path}:${Math.floor(status / 100)}`);
  }

  #getOrCreate(id: string): Counter {
    const existing = this.#counters.get(id);
    if (existing !== undefined) return existing;
    const counter = { calls: 0 };
    this.#counters.set(id, counter);
    return counter;
  }

  /** Returns the counts to write, and resets them. A call just before midnight can count for the next day. */
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
    for (const [id, calls] of Object.entries(add)) this.#getOrCreate(id).calls += calls;
  }
}

const countersOf = cachePerObject((_: Request['store']) => new Counters());

/** Returns the path under which calls of a route are counted, if any. OFREP counts as the frontend API. */
export function trafficPathOf(route: string): TrafficPath | undefined {
  const path = route.slice(route.indexOf('/'));
  if (path.startsWith('/ofrep/')) return '/api/frontend';
  return paths.find((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** Returns the counter of the calls of a path with a status. */
export function counterOf({ store }: Pick<Request, 'store'>, path: TrafficPath, status: number): Counter {
  return countersOf(store).of(path, status);
}

/**
 * Counts an answered call. A process that serves SDKs writes its counts together with their reports. In Lambda, a function
 * for people can end after one call: there, one of several reads is counted for all and written at once, and changes are
 * not counted, so that they do not cost a further write.
 * @param isKnown true if the caller is authenticated; other callers cause no write in such a function.
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
  // After a failure there is no time left, or the store would fail again, so the counts are written later.
  if (status < 500 && (isSampled || counters.isOverdue)) await flushTraffic(request);
}

/** Writes the counts; if this fails, they are kept for the next time. */
async function flushTraffic(request: Request): Promise<void> {
  const counts = takeTraffic(request);
  if (counts === undefined) return;
  try {
    await writeCounts({ ...request, signal: AbortSignal.timeout(writeTimeoutMs) }, counts);
  } catch {
    countersOf(request.store).putBack(counts);
  }
}

/** Returns the counts, to write them together with reports of SDKs, and resets them. */
export function takeTraffic({ store }: Pick<Request, 'store'>): Required<CountUpdate> | undefined {
  return countersOf(store).take();
}

/** Reads the number of calls by path and by day or month of a range. */
export async function loadTraffic(request: Request, { grouping, from, to }: TrafficQuery): Promise<Traffic> {
  const days =
    from > to
      ? []
      : await queryAll<{ sk: string } & Partial<Record<string, number>>>(request, usageKeys.trafficBetween(from, to));
  const periods = Map.groupBy(days, ({ sk }) => (grouping === 'daily' ? sk : sk.slice(0, 'yyyy-MM'.length)));
  const sumOf = (periodDays: typeof days, names: readonly string[]) =>
    periodDays.flatMap((day) => names.map((name) => day[name] ?? 0)).reduce((sum, calls) => sum + calls, 0);
  const apiData = paths.map((apiPath) => ({
    apiPath,
    dataPoints: [...periods].map(([period, periodDays]) => ({
      period,
      // 304 counts as successful: it is the answer to nearly all polls of SDKs.
      trafficTypes: [
        { group: 'successful-requests' as const, count: sumOf(periodDays, [`${apiPath}:2`, `${apiPath}:3`]) },
      ],
      clientErrors: sumOf(periodDays, [`${apiPath}:4`]),
      serverErrors: sumOf(periodDays, [`${apiPath}:5`]),
    })),
  }));
  return { grouping, dateRange: { from, to }, apiData };
}
