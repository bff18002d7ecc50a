import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { type LocalProcess, startLocalProcess } from '../harness/local-process.ts';
import { startNodeSdk } from '../harness/node-sdk.ts';
import { Crowd } from './push/crowd.ts';
import { addClientToken, addFlags, addPlanOfTwo, crowdFlag, turnFlag } from './push/flags.ts';
import { processTimeOf } from './throughput/process-time.ts';
import { percentile } from './throughput/statistics.ts';

const help = `Measures streams of changes: the memory of each, the processor time of a change, the time until the last of many streams has it,
the time until all clients have connected again, that until a stopping server has ended all streams, and the time until the SDK of
Node has a change, and the start of a milestone of a release plan. A "npm start" with 1,000
flags serves them. Ends with PASS, or with FAIL and 1 when a bar is not met. It needs Linux, and 20,000 open files (ulimit -n).

  npm run bench:push -- [OPTIONS]

  --quick       500 streams instead of 5,000 and 10,000, which takes half a minute instead of two
  -h, --help    this text`;

const options = { quick: { type: 'boolean', default: false } } as const;

const flagCount = 1_000;
const changes = 20;
const pauseMs = 300;
/** The bar of processor time is the sum of `checkMs`, and `perStreamMs` for each stream. */
const bars = { streamBytes: 20_000, checkMs: 25, perStreamMs: 0.03, reconnectMs: 10_000, stopMs: 3_000 } as const;
const lastMs = (streams: number) => (streams > 5_000 ? 1_000 : 500);
const sdkBars = { p50: 50, p99: 250 } as const;

/** A figure, and the bar that it must not exceed. */
interface Figure {
  readonly name: string;
  readonly value: number;
  readonly max: number;
  readonly unit: string;
}

function show({ name, value, max, unit }: Figure): boolean {
  const isMet = value <= max;
  const shown = value >= 100 ? value.toFixed(0) : value.toFixed(1);
  console.log(
    `  ${name.padEnd(52)}${`${shown} ${unit}`.padStart(12)}   at most ${max} ${unit}${isMet ? '' : '   MISSED'}`,
  );
  return isMet;
}

/** Processor time of a server in milliseconds. */
const processorMsOf = ({ pid }: LocalProcess) => (processTimeOf([pid])?.server ?? 0) * 1_000;

function residentBytesOf({ pid }: LocalProcess): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** Yields functions that each turn one flag off or on. */
function* changesOf(local: LocalProcess) {
  for (let index = 0; index < changes; index += 1) {
    yield () => turnFlag(local, crowdFlag(Math.floor(index / 2)), index % 2 === 0 ? 'off' : 'on');
  }
}

/** Measures many streams, their reconnection and the stop of the server. */
async function measureStreams(streams: number): Promise<Figure[]> {
  await using local = await startLocalProcess({
    store: 'file',
    environment: { IMPORT_BODY_LIMIT_BYTES: '4000000', STREAMS_LIMIT: '15000' },
  });
  await addFlags(local, flagCount);
  const secret = await addClientToken(local, 'crowd');
  const port = Number(new URL(local.url).port);
  // The first stream makes the server load its code and build the delta cache that all streams share.
  using first = new Crowd();
  await first.connect({ port, secret, count: 1 });
  for (const change of changesOf(local)) await change();
  await first.drop();

  const alone: number[] = [];
  for (const change of changesOf(local)) alone.push(await processorMsDuring(local, change));
  using crowd = new Crowd();
  const before = residentBytesOf(local);
  const { refused, lastId } = await crowd.connect({ port, secret, count: streams });
  await sleep(2_000);
  const streamBytes = (residentBytesOf(local) - before) / streams;
  const idle = await processorMsDuring(local, () => sleep(changes * pauseMs));

  const times: number[] = [];
  const startedAt = processorMsOf(local);
  for (const [index, change] of [...changesOf(local)].entries()) {
    times.push(await crowd.measure(index, change));
    await sleep(pauseMs);
  }
  const total = processorMsOf(local) - startedAt;
  const writes = alone.reduce((sum, milliseconds) => sum + milliseconds, 0);
  const perChange = (total - idle - writes) / changes;

  await crowd.drop();
  const reconnectAt = performance.now();
  const again = await crowd.connect({ port, secret, count: streams, lastId });
  const reconnectMs = performance.now() - reconnectAt;
  const ended = crowd.untilEnded();
  const stopAt = performance.timeOrigin + performance.now();
  process.kill(local.pid, 'SIGTERM');
  const { at } = await ended;
  const figure = (name: string, value: number, max: number, unit: string): Figure => ({ name, value, max, unit });
  return [
    figure('memory of a stream', streamBytes / 1_000, bars.streamBytes / 1_000, 'kB'),
    figure('the last stream has a change, median', percentile(times, 0.5), lastMs(streams), 'ms'),
    figure('processor time of a check and its events', perChange, bars.checkMs + bars.perStreamMs * streams, 'ms'),
    figure('all connect again with what they have', reconnectMs, bars.reconnectMs, 'ms'),
    figure('refused', refused + again.refused, 0, 'streams'),
    figure('all are ended when the server stops', at - stopAt, bars.stopMs, 'ms'),
  ];
}

async function processorMsDuring(local: LocalProcess, action: () => Promise<unknown>): Promise<number> {
  const before = processorMsOf(local);
  await action();
  return processorMsOf(local) - before;
}

/** Measures the time from the answer to a change until the SDK of Node has it: a switch, and the start of a milestone. */
async function measureSdk(count: number): Promise<Figure[]> {
  await using local = await startLocalProcess({ store: 'file', environment: { IMPORT_BODY_LIMIT_BYTES: '4000000' } });
  await addFlags(local, flagCount);
  const sdk = startNodeSdk(local.url, await addClientToken(local, 'sdk'), {
    ...{ appName: 'bench', disableMetrics: true, experimentalMode: { type: 'streaming' } },
  });
  while (!sdk.unleash.isSynchronized()) await sleep(20);
  const flag = () => sdk.unleash.getFeatureToggleDefinition(crowdFlag(0));
  /** Measures changes of a flag, each until the SDK has what is wanted. */
  const measure = async (change: (index: number) => Promise<() => boolean>): Promise<number[]> => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const isThere = await change(index);
      const answeredAt = performance.now();
      while (!isThere()) await sleep(1);
      times.push(performance.now() - answeredAt);
      await sleep(20);
    }
    return times;
  };
  await turnFlag(local, crowdFlag(0), 'off');
  const turns = await measure(async (index) => {
    const wanted = index % 2 === 0;
    await turnFlag(local, crowdFlag(0), wanted ? 'on' : 'off');
    return () => flag()?.enabled === wanted;
  });
  await turnFlag(local, crowdFlag(0), 'on');
  const milestones = [...(await addPlanOfTwo(local, crowdFlag(0)))].toReversed();
  const starts = await measure(async (index) => {
    const [rollout, start] = milestones[index % 2] ?? ['', async () => {}];
    await start();
    return () => flag()?.strategies?.[0]?.parameters.rollout === rollout;
  });
  sdk.unleash.destroy();
  const figures = (what: string, times: readonly number[]): Figure[] =>
    ([0.5, 0.99] as const).map((part) => ({
      name: `the SDK of Node has ${what}, ${part * 100} % of ${count}`,
      value: percentile(times, part),
      max: part === 0.5 ? sdkBars.p50 : sdkBars.p99,
      unit: 'ms',
    }));
  return [...figures('a change', turns), ...figures("a milestone's start", starts)];
}

async function bench({ values: { quick } }: CommandLine<typeof options>): Promise<Verdict> {
  console.log(`Node ${process.versions.node}, ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`);
  let missed = 0;
  const showAll = (figures: readonly Figure[]) => {
    missed += figures.map(show).filter((isMet) => !isMet).length;
  };
  for (const streams of quick ? [500] : [5_000, 10_000]) {
    console.log(`${streams} streams of ${flagCount} flags`);
    showAll(await measureStreams(streams));
  }
  console.log(`An SDK with ${flagCount} flags`);
  showAll(await measureSdk(quick ? 50 : 200));
  return { passed: missed === 0, summary: missed === 0 ? 'no bar was missed.' : `${missed} bars were missed.` };
}

await runCommand({ name: 'bench:push', help, options, run: bench });
