import * as registry from '../../../functions/index.ts';
import { measureActivity } from '../../../infra/local/metrics/measure.ts';
import { buildRequestCounter } from '../../../infra/local/metrics/request-counter.ts';
import { carryOut, observeActivities } from '../../../lib/activities.ts';
import { medianOf } from '../fresh-process.ts';
import { atMost, type BarVerdict, countingMicrosecondsMax } from './bars.ts';
import { times } from './names.ts';

/** Name of the row below for `--only`. */
export const countingName = 'counting for metrics';

const calls = 200_000;
const rounds = 9;

/** Measures the processor time that counting adds to a request, and to a request to the store. */
export async function measureCounting(): Promise<BarVerdict[]> {
  const count = buildRequestCounter(Object.values(registry).map(({ declaration }) => declaration));
  const answered = { method: 'GET', route: 'GET /api/client/features', target: '/', status: 304 };
  const request = async () => {
    for (let call = 0; call < calls; call += 1) count({ ...answered, milliseconds: call % 20 });
  };
  const activities = async () => {
    for (let call = 0; call < calls; call += 1) await carryOut({ kind: 'store request', name: 'Query' }, answer);
  };
  const unobserved = await microsecondsOf(activities);
  observeActivities(measureActivity);
  const observed = await microsecondsOf(activities);
  observeActivities(undefined);
  return [
    atMost(await microsecondsOf(request), countingMicrosecondsMax, 'per request', ' µs'),
    atMost(observed - unobserved, countingMicrosecondsMax, 'per request to the store', ' µs'),
  ];
}

const answer = async () => {};

/** Returns the processor time of one of the calls, in the middle of several rounds. */
async function microsecondsOf(run: () => Promise<void>): Promise<number> {
  const measured: number[] = [];
  for (const _ of times(rounds, (round) => round)) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    measured.push((user + system) / calls);
  }
  return medianOf(measured);
}
