import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../harness/ports.ts';
import { atLeast, type BarVerdict, barConnections, edgeRatioMins, nothingDone } from './bars.ts';
import { startMeasuredServer } from './local-server.ts';
import { costRatioOf, type MeasuringPlan, measureInTurn, warmUp } from './measure.ts';
import { figuresHead, figuresLine } from './print.ts';
import { processTimeOf } from './process-time.ts';
import { allFeatures, evaluatedFlags, notModified } from './sdk-work.ts';
import { MeasuredServer } from './server.ts';

/** Name of the rows for `--only`. */
export const edgeName = 'beside Unleash Edge, processor time of a call';

/** The flags of a service of medium size. */
const flags = 350;

const startSecondsMax = 30;
const lookMs = 100;

/**
 * Measures the requests of SDKs beside an Unleash Edge that serves the same flags: those of a server here, which it reads once.
 * @param program the path of Edge's executable.
 * @returns the verdicts on the processor time of a call. Figures are printed on the way.
 * @throws Error if Edge does not start.
 */
export async function* measureBesideEdge(program: string, plan: MeasuringPlan): AsyncGenerator<BarVerdict> {
  await using local = await startMeasuredServer({ store: 'memory' });
  const { server } = local;
  const works = [
    { work: evaluatedFlags(flags), ratioMin: edgeRatioMins.evaluated },
    { work: allFeatures(flags), ratioMin: edgeRatioMins.all },
    { work: notModified(flags), ratioMin: edgeRatioMins.notModified },
  ];
  // Edge serves the tokens that it starts with.
  const tokens: string[] = [];
  for (const { work } of works) tokens.push(...(await work.prepare(server, 1)).flatMap(({ token }) => token ?? []));
  await using edge = await startEdge(program, server, [...new Set(tokens)]);
  const servers = [server, edge.server];
  console.log(figuresHead);
  for (const { work, ratioMin } of works) {
    for (const each of servers) await warmUp(each, work, barConnections, plan.freshSeconds);
    const figures = await measureInTurn(servers, work, barConnections, plan);
    servers.forEach(({ name }, index) => {
      console.log(figuresLine(work.name, name, barConnections, figures[index]));
    });
    const [own, edges] = figures;
    yield own === undefined || edges === undefined
      ? nothingDone
      : atLeast(costRatioOf(own, edges), ratioMin, "processor time of Edge's call", '× ours');
  }
}

async function startEdge(
  program: string,
  upstream: MeasuredServer,
  tokens: readonly string[],
): Promise<AsyncDisposable & { readonly server: MeasuredServer }> {
  const host = '127.0.0.1';
  const port = await freePort(host);
  // It asks its upstream for changes, of which there are none, when everything is over.
  const polling = ['--features-refresh-interval-seconds', '3600', '--metrics-interval-seconds', '3600'];
  const child = spawn(
    program,
    [
      ...['--interface', host, '--port', String(port), 'edge', '--upstream-url', upstream.url],
      ...['--tokens', tokens.join(), ...polling],
    ],
    // One thread for its work, as Node has one.
    { stdio: ['ignore', 'ignore', 'inherit'], env: { TOKIO_WORKER_THREADS: '1', RUST_LOG: 'error' } },
  );
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs);
  const address = { name: 'Edge', url: `http://${host}:${port}`, token: upstream.token };
  await untilHealthy(address.url);
  return {
    server: new MeasuredServer(address, upstream.preparation, () => processTimeOf([child.pid ?? 0]), upstream),
    async [Symbol.asyncDispose]() {
      process.off('exit', endWithUs);
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** @throws Error if Edge does not answer in time. */
async function untilHealthy(url: string): Promise<void> {
  const end = performance.now() + startSecondsMax * 1_000;
  for (;;) {
    const response = await fetch(`${url}/internal-backstage/health`).catch(() => undefined);
    if (response?.ok) return;
    if (performance.now() > end) throw new Error(`Edge has not started within ${startSecondsMax} seconds.`);
    await sleep(lookMs);
  }
}
