import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, post, type TimedCall } from '../../harness/http-call.ts';
import { atMost, type BarVerdict, besideSignInsMsMax } from './bars.ts';
import { startMeasuredServer } from './local-server.ts';
import { freshName, times } from './names.ts';
import { sdkWorks } from './sdk-work.ts';
import type { MeasuredServer } from './server.ts';
import type { Workload } from './workload.ts';
import { writes } from './writes.ts';

const clients = 100;
/** The pause from one answer to the next timed call, and from a refused sign-in to the next one. */
const pauseMs = 20;
const againMs = 250;
/** Number of polls and changes before the flood, after which all that they need is compiled and in memory. */
const warmCalls = 50;

/** Name of the row below for `--only`. */
export const signInFloodName = `polls and changes beside ${clients} concurrent sign-ins`;

/**
 * Measures how long polls of SDKs and changes take while many clients sign in with wrong passwords, again and again, each from
 * an address of its own.
 * @param seconds duration of the flood.
 * @returns the verdicts on its promises.
 */
export async function measureBesideSignIns(seconds: number): Promise<BarVerdict[]> {
  await using local = await startMeasuredServer({ store: 'file', environment: { TRUSTED_PROXIES: '1' } });
  const { server } = local;
  // More calls than fit into the time.
  const amount = warmCalls + (seconds * 1_000) / pauseMs;
  const polls = await workNamed(sdkWorks, 'GET client features of 1000').prepare(server, amount);
  const changes = await workNamed(writes, 'PUT feature').prepare(server, amount);
  for (const call of [...polls.splice(0, warmCalls), ...changes.splice(0, warmCalls)]) await server.send(call);
  const end = performance.now() + seconds * 1_000;
  const [statuses, ofPolls, ofChanges] = await Promise.all([
    Promise.all(times(clients, (client) => signInAgainAndAgain(server, client, end))),
    timesOf(server, polls, end),
    timesOf(server, changes, end),
  ]);
  const signIns = statuses.flat();
  const tried = signIns.filter((status) => status === 401).length;
  const beside = `beside ${tried} wrong passwords and ${signIns.length - tried} refused requests`;
  const longestOf = (all: readonly Timed[]) => Math.max(...all.map(({ milliseconds }) => milliseconds));
  const failed = [...ofPolls, ...ofChanges].filter(({ isDone }) => !isDone).length;
  return [
    atMost(longestOf(ofPolls), besideSignInsMsMax, `longest of ${ofPolls.length} polls ${beside}`, ' ms'),
    atMost(longestOf(ofChanges), besideSignInsMsMax, `longest of ${ofChanges.length} changes`, ' ms'),
    atMost(failed, 0, 'failed polls and changes'),
  ];
}

function workNamed(works: readonly Workload[], name: string): Workload {
  const work = works.find((each) => each.name === name);
  if (work === undefined) throw new Error(`There is no work "${name}".`);
  return work;
}

/** Signs in as users who do not exist, from one address, and answers all statuses. */
async function signInAgainAndAgain(server: MeasuredServer, client: number, end: number): Promise<number[]> {
  const statuses: number[] = [];
  while (performance.now() < end) {
    const call = post('/auth/simple/login', { username: freshName('user'), password: 'A-wrong-horse-7' });
    const headers = { ...headersOf(server, call), 'x-forwarded-for': `198.51.100.${client}` };
    const response = await fetch(server.url + call.path, { method: 'POST', headers, body: call.body ?? null });
    await response.arrayBuffer();
    statuses.push(response.status);
    if (response.status !== 401) await sleep(againMs);
  }
  return statuses;
}

interface Timed {
  readonly milliseconds: number;
  readonly isDone: boolean;
}

/** Times calls, one after the other, as many as begin before the end. */
async function timesOf(server: MeasuredServer, calls: readonly TimedCall[], end: number): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const call of calls) {
    const start = performance.now();
    if (start >= end) break;
    const isDone = await server.send(call).then(
      () => true,
      () => false,
    );
    timed.push({ milliseconds: performance.now() - start, isDone });
    await sleep(pauseMs);
  }
  return timed;
}
