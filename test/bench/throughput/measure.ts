import { medianOf } from '../fresh-process.ts';
import { load } from './load.ts';
import { inRounds, type RoundsPlan } from './rounds.ts';
import type { MeasuredServer } from './server.ts';
import { percentile } from './statistics.ts';
import type { Workload } from './workload.ts';

/** Duration and number of the measurements. */
export interface MeasuringPlan extends RoundsPlan {
  /** Intended duration of each round of a server and a number of connections, without its preparation. */
  readonly seconds: number;
  /** Time that each server works before the rounds. */
  readonly warmSeconds: number;
  /** Time that a server which has just begun works before that. */
  readonly freshSeconds: number;
}

interface ProcessorTime {
  readonly server: number;
  readonly store: number;
}

/** Result of one round, or of all rounds together. */
export interface Sample {
  readonly seconds: number;
  readonly latencies: readonly number[];
  readonly failures: ReadonlyMap<string, number>;
  /** Processor seconds; undefined where they are not known. */
  readonly processor: ProcessorTime | undefined;
}

/** Measurements of one kind of work on one server. */
export interface Measurements {
  /** Calls that succeeded, in a second: the middle of all rounds. */
  readonly perSecond: number;
  /** Milliseconds that half, 95 and 99 of a hundred calls did not exceed. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Microseconds of processor time for each call that succeeded: the middle of all rounds. */
  readonly processor: ProcessorTime | undefined;
  /** The same of the server and its store together, by round; no numbers where it is not known. */
  readonly costs: readonly number[];
  /** Counts of the other answers. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Work that can be prepared for a few calls at a time only is not prepared for ever. */
const batchesMax = 5;
/** The calls that warm a server up are counted out anew after each such time. */
const warmStepSeconds = 0.5;

/** Measures one round: so many calls, in as many batches as their preparation asks for. */
export async function sampleOf(
  server: MeasuredServer,
  work: Pick<Workload, 'prepare' | 'callsMax'>,
  connections: number,
  amount: number,
): Promise<Sample> {
  const samples: Sample[] = [];
  let left = amount;
  while (left > 0 && samples.length < batchesMax) {
    const calls = await work.prepare(server, Math.min(left, work.callsMax ?? left));
    const before = server.processTime();
    const done = await load(server, calls, connections);
    const after = server.processTime();
    const processor = before && after && { server: after.server - before.server, store: after.store - before.store };
    samples.push({ ...done, processor });
    left -= calls.length;
  }
  return mergedSample(samples);
}

/** Merges all samples into one. */
export function mergedSample(samples: readonly Sample[]): Sample {
  const failures = new Map<string, number>();
  for (const [what, count] of samples.flatMap((sample) => [...sample.failures])) {
    failures.set(what, (failures.get(what) ?? 0) + count);
  }
  const known = samples.flatMap(({ processor }) => processor ?? []);
  return {
    seconds: sumOf(samples.map(({ seconds }) => seconds)),
    latencies: samples.flatMap(({ latencies }) => latencies),
    failures,
    processor:
      known.length < samples.length
        ? undefined
        : { server: sumOf(known.map(({ server }) => server)), store: sumOf(known.map(({ store }) => store)) },
  };
}

/**
 * Measures the same work on several servers, one after the other, so that whatever else the machine does meets all of
 * them alike.
 * @returns the figures of each server; undefined for one that does not know the operation.
 */
export async function measureInTurn(
  servers: readonly MeasuredServer[],
  work: Workload,
  connections: number,
  plan: MeasuringPlan,
): Promise<(Measurements | undefined)[]> {
  const runs: { server: MeasuredServer; amount: number; samples: Sample[] }[] = [];
  for (const server of servers) {
    runs.push({ server, amount: await amountFor(server, work, connections, plan), samples: [] });
  }
  await inRounds(plan, async () => {
    for (const { server, amount, samples } of runs) {
      if (amount > 0) samples.push(await sampleOf(server, work, connections, amount));
    }
  });
  return runs.map(({ samples }) => (samples.length === 0 ? undefined : figuresOf(samples)));
}

/** Returns the number of calls that take the time of a round; zero if the server does not know the operation. */
async function amountFor(
  server: MeasuredServer,
  work: Workload,
  connections: number,
  { warmSeconds, seconds }: MeasuringPlan,
): Promise<number> {
  const sample = await warmUp(server, work, connections, warmSeconds);
  return isUnknown(sample) ? 0 : amountIn(seconds, sample, connections);
}

/**
 * Lets a server work for some time: one that serves for days has compiled its most frequent work.
 * @returns the last calls.
 */
export async function warmUp(
  server: MeasuredServer,
  work: Workload,
  connections: number,
  seconds: number,
): Promise<Sample> {
  let sample = await sampleOf(server, work, connections, 2 * connections + 8);
  // The first calls are many times as slow as the last, so that they do not tell how many fill the time.
  for (let left = seconds; left > 0 && !isUnknown(sample); left -= sample.seconds) {
    sample = await sampleOf(server, work, connections, amountIn(Math.min(left, warmStepSeconds), sample, connections));
  }
  return sample;
}

const amountIn = (seconds: number, sample: Sample, connections: number) =>
  Math.max(2 * connections, Math.ceil((sample.latencies.length / sample.seconds) * seconds));

/** Tells whether the server does not know the operation. */
const isUnknown = ({ latencies, failures }: Sample) => latencies.length === 0 && failures.has('404');

function figuresOf(samples: readonly Sample[]): Measurements {
  const { latencies, failures } = mergedSample(samples);
  const perCall = samples.map(processorTimePerCall);
  return {
    perSecond: medianOf(samples.map((sample) => sample.latencies.length / sample.seconds)),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    processor: perCall.toSorted((a, b) => totalOf(a) - totalOf(b))[perCall.length >> 1],
    costs: perCall.map(totalOf),
    failures,
  };
}

function processorTimePerCall({ processor, latencies }: Sample): ProcessorTime | undefined {
  const perCall = (seconds: number) => (seconds / latencies.length) * 1e6;
  return processor && { server: perCall(processor.server), store: perCall(processor.store) };
}

const totalOf = (time: ProcessorTime | undefined) => (time === undefined ? Number.NaN : time.server + time.store);

/**
 * Returns the processor time of another server's call as a multiple of ours, each with its store: the middle of the ratios of rounds
 * that followed each other. What else the machine does can double the figures of a round, but those of its neighbour, too.
 */
export function costRatioOf(own: Measurements, other: Measurements): number {
  return medianOf(other.costs.map((cost, round) => cost / (own.costs[round] ?? Number.NaN)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
