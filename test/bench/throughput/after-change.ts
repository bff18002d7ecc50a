import { get, headersOf, post, put, type TimedCall } from '../../harness/http-call.ts';
import { paths } from '../../harness/paths.ts';
import { openMemoryStore, openService } from '../../prove/service.ts';
import { type Cost, costOf } from '../cost/measure.ts';
import { afterChangeMax, atMost, type BarVerdict } from './bars.ts';
import { importCall, rolloutStrategy } from './bodies.ts';
import { startMeasuredServer } from './local-server.ts';
import { freshName, freshNames, times } from './names.ts';
import { benchEnvironment, benchPaths } from './paths.ts';

const flags = 1_000;

/** Name of the rows below for `--only`. */
export const afterChangeName = `poll of ${flags} flags after a change`;

/** Sends a call of an administrator, and answers the body. */
type Send = (call: TimedCall) => Promise<unknown>;

/**
 * Measures the first poll after a change of one feature, in a process that has served all features before.
 * @param rounds number of measurements of its processor time.
 * @returns the verdicts on its promises.
 */
export async function measureAfterChange(rounds: number): Promise<BarVerdict[]> {
  const { requests, waits, readUnits } = await costAfterChange();
  const milliseconds = await timeAfterChange(rounds);
  return [
    atMost(requests, afterChangeMax.requests, 'requests to the store'),
    atMost(waits, afterChangeMax.waits, 'of them one after the other'),
    atMost(readUnits, afterChangeMax.readUnits, 'read units'),
    atMost(milliseconds, afterChangeMax.processorMs, 'processor time of the server', ' ms'),
  ];
}

/** Measures the cost at the store, by its own figures, with real handlers in this process. */
async function costAfterChange(): Promise<Cost> {
  await using _store = await openMemoryStore();
  const service = await openService();
  const send: Send = async ({ method, path, body, headers = {}, token }) => {
    const all = { ...headers, ...(token !== undefined && { authorization: token }) };
    return (await service.call(method, path, { body, headers: all })).body;
  };
  const { change, poll } = await prepared(send);
  await send(poll());
  await send(change());
  const cost = await costOf(service.table, () => send(poll()));
  if (cost.requests === 0) throw new Error('The poll did not look for the change.');
  return cost;
}

/** Milliseconds of a server in a process of its own. */
async function timeAfterChange(rounds: number): Promise<number> {
  await using local = await startMeasuredServer({ store: 'memory' });
  const { server } = local;
  const { change, poll } = await prepared((call) => server.send(call));
  const samples: number[] = [];
  // The first half compiles what it does.
  for (const _round of times(2 * rounds, (each) => each)) {
    await server.send(change());
    const before = server.processTime()?.server ?? Number.NaN;
    const call = poll();
    const { method, path } = call;
    await (await fetch(server.url + path, { method, headers: headersOf(server, call) })).arrayBuffer();
    samples.push((server.processTime()?.server ?? Number.NaN) - before);
  }
  // The platform counts in steps of 10 ms, so that only the mean of many says something.
  return (samples.slice(rounds).reduce((sum, each) => sum + each, 0) / rounds) * 1_000;
}

/** Prepares a store with features, a change of one of them, the next one each time, and a poll of all. */
async function prepared(send: Send) {
  process.env.IMPORT_BODY_LIMIT_BYTES = '4000000';
  const names = freshNames(flags);
  await send(importCall(names.map((name) => ({ name, enabled: true, strategies: [rolloutStrategy(50)] }))));
  const wanted = { tokenName: freshName('token'), type: 'client', environment: benchEnvironment, projects: ['*'] };
  const { secret } = (await send(post(benchPaths.apiTokens, wanted))) as { secret: string };
  // An SDK that has seen a later revision makes the process ask the store at once, instead of after a second: once for
  // each revision.
  let seen = 900_000_000;
  const headers = () => ({
    'accept-encoding': 'gzip',
    'unleash-client-spec': '5.2.0',
    'if-none-match': `"00000000:${++seen}:00000000"`,
  });
  const remaining = names.values();
  return {
    change: () => put(paths.feature(remaining.next().value ?? ''), { description: freshName('description') }),
    poll: () => ({ ...get(benchPaths.clientFeatures), headers: headers(), token: secret }),
  };
}
