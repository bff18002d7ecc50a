import { medianOf } from '../fresh-process.ts';
import { atMost, type BarVerdict, growthMax } from './bars.ts';
import { fill } from './fill.ts';
import { inLargeProjects } from './flagstaff.ts';
import { startMeasuredServer } from './local-server.ts';
import { type Sample, sampleOf } from './measure.ts';
import { times } from './names.ts';
import { MeasuredServer } from './server.ts';
import { percentile } from './statistics.ts';
import type { Workload } from './workload.ts';

export interface GrowthPlan {
  /** Numbers of features in the tables, the smallest first. */
  readonly sizes: readonly number[];
  /** Number of turns of each table. */
  readonly turns: number;
  readonly callsPerTurn: number;
}

/** Cost of a kind of work by the size of the table or of the things it is about. */
export interface Growth {
  readonly name: string;
  /** Milliseconds that half of the calls did not exceed, by size. */
  readonly p50: readonly number[];
  readonly verdict: BarVerdict;
}

/** A stranger's load may look like growth; growth stays, whenever one looks. */
const looksMax = 3;

/**
 * Measures the cost of operations in tables of different sizes, whose features 20 projects share.
 * Each table has a server and a store of its own; they have their turns one after the other, one connection each.
 */
export async function* measureGrowth(works: readonly Workload[], plan: GrowthPlan): AsyncGenerator<Growth> {
  await using stack = new AsyncDisposableStack();
  const servers: MeasuredServer[] = [];
  for (const size of plan.sizes) {
    const local = stack.use(await startMeasuredServer({ store: 'memory' }));
    await fill(local.table, size);
    const preparation = inLargeProjects(local.server.preparation, local.table);
    servers.push(new MeasuredServer(local.server, preparation, local.server.processTime));
  }
  for (const work of works) yield await growthOf(work, servers, plan);
}

async function growthOf(work: Workload, servers: readonly MeasuredServer[], plan: GrowthPlan): Promise<Growth> {
  const lanes = servers.map(
    (server): Lane =>
      () =>
        sampleOf(server, work, 1, plan.callsPerTurn),
  );
  const { p50, ratio } = await inLanes(lanes, plan.turns, growthMax);
  return { name: work.name, p50, verdict: atMost(ratio, growthMax, 'largest to smallest', '×') };
}

/** Makes some calls of one kind of work. */
export type Lane = () => Promise<Pick<Sample, 'latencies'>>;

/**
 * Lets several kinds of work take turns, and looks again, a few times, while the last takes more than `max` times as
 * long as the first.
 * @returns milliseconds of each that half of the calls did not exceed, and how many times the first's the last's are.
 */
export async function inLanes(
  lanes: readonly Lane[],
  turns: number,
  max: number,
): Promise<{ readonly p50: readonly number[]; readonly ratio: number }> {
  const halves: number[][] = lanes.map(() => []);
  const order = [...lanes.entries()];
  const turn = async () => {
    for (const [index, lane] of order) halves[index]?.push(percentile((await lane()).latencies, 0.5));
    // There and back again, so that none is always the first.
    order.reverse();
  };
  // The first calls of an operation compile it.
  for (const lane of lanes) await lane();

  let ratio = Number.NaN;
  for (let look = 0; look < looksMax && !(ratio <= max); look += 1) {
    for (const _turn of times(turns, (index) => index)) await turn();
    ratio = lastToFirst(halves);
  }
  return { p50: halves.map(medianOf), ratio };
}

/** Turn by turn, so that it does not matter which turns the machine was busy in. */
function lastToFirst(halves: readonly (readonly number[])[]): number {
  const [first = []] = halves;
  const last = halves.at(-1) ?? [];
  return medianOf(last.map((milliseconds, turn) => milliseconds / (first[turn] ?? Number.NaN)));
}
