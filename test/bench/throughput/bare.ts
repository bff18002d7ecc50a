import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { headersOf, type TimedCall } from '../../harness/http-call.ts';
import { medianOf } from '../fresh-process.ts';
import { atMost, type BarVerdict, barConnections, bareRatioMax } from './bars.ts';
import { startMeasuredServer } from './local-server.ts';
import { type MeasuringPlan, measureInTurn, warmUp } from './measure.ts';
import { times } from './names.ts';
import { processTimeOf } from './process-time.ts';
import { inRounds } from './rounds.ts';
import { notModified } from './sdk-work.ts';
import { MeasuredServer } from './server.ts';
import type { Workload } from './workload.ts';

const file = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** Headers that Node's server adds by itself. */
const ofNode = ['connection', 'date', 'keep-alive'];

/**
 * Measures the poll of an SDK that has everything already beside a server that is nothing but Node's own, which gets the
 * same requests and answers with the same headers.
 * @returns the verdicts on the processor time of a call, for one connection and for several: the middle of the ratios of pairs of
 * rounds, so that what else the machine did during one of them does not decide.
 */
export async function* measureBeside(plan: MeasuringPlan): AsyncGenerator<BarVerdict> {
  await using local = await startMeasuredServer({ store: 'memory' });
  const { server } = local;
  const polls = notModified(1_000);
  const [poll] = (await polls.prepare(server, 1)) as [TimedCall];
  const { status, headers } = await fetch(server.url + poll.path, { headers: headersOf(server, poll) });
  const sent = Object.fromEntries([...headers].filter(([name]) => !ofNode.includes(name)));
  await using bare = await startBare(server, status, sent);
  const work: Workload = { ...polls, prepare: async (_server, amount) => times(amount, () => poll) };
  const servers = [server, bare.server];
  for (const each of servers) await warmUp(each, work, barConnections, plan.freshSeconds);
  // Processor time comes in hundredths of a second, of which these calls take few.
  const pair = { ...plan, rounds: 1, seconds: 1.5, warmSeconds: Math.min(plan.warmSeconds, 0.5) };
  for (const connections of [1, barConnections]) {
    for (const each of servers) await warmUp(each, work, connections, plan.warmSeconds);
    const pairs: [ours: number, theirs: number][] = [];
    // A pair warms up again and has two rounds, which take about twice as long as those of other works.
    await inRounds({ ...plan, secondsMax: 2 * plan.secondsMax }, async () => {
      const figures = await measureInTurn(servers, work, connections, pair);
      const [ours, theirs] = figures.map((each) => each?.processor?.server ?? Number.NaN) as [number, number];
      pairs.push([ours, theirs]);
    });
    const middle = (figureOf: (pair: [number, number]) => number) => medianOf(pairs.map(figureOf));
    const [ours, theirs] = [middle(([mine]) => mine), middle(([, bares]) => bares)].map((each) => each.toFixed(1));
    const words = `${connections} at a time: ${ours} µs by ours, ${theirs} by node:http alone, the middle of ${pairs.length} pairs:`;
    const ratio = middle(([mine, bares]) => mine / bares);
    yield atMost(ratio, bareRatioMax, words, '×');
  }
}

async function startBare(
  { preparation }: MeasuredServer,
  status: number,
  headers: object,
): Promise<AsyncDisposable & { readonly server: MeasuredServer }> {
  const args = [file, String(status), JSON.stringify(headers)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const address = { name: 'node:http', url: `http://127.0.0.1:${port.toString().trim()}`, token: '' };
  return {
    server: new MeasuredServer(address, preparation, () => processTimeOf([child.pid ?? 0])),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
