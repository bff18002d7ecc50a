import { median } from '../fresh-process.ts';
import { atMost, growthMax, type Verdict } from './bars.ts';
import { fill } from './fill.ts';
import { inLargeProject } from './flagstaff.ts';
import { startLocalProcess } from './local-process.ts';
import { sampleOf } from './measure.ts';
import { times } from './names.ts';
import { project } from './paths.ts';
import { Server } from './server.ts';
import { percentile } from './statistics.ts';
import type { Workload } from './workload.ts';

export interface GrowthPlan {
  /** How many features the tables hold, the smallest first. */
  readonly sizes: readonly number[];
  /** How often each table has its turn. */
  readonly turns: number;
  readonly callsPerTurn: number;
}

/** What a kind of work costs in each of the tables. */
export interface Growth {
  readonly name: string;
  /** Milliseconds that half of the calls did not exceed, by table. */
  readonly p50: readonly number[];
  readonly verdict: Verdict;
}

/** A stranger's load may look like growth; growth stays, whenever one looks. */
const looksMax = 3;

/**
 * Measures what operations cost in tables of different sizes, all features of which are in the project that is worked in.
 * Each table has a server and a store of its own; they have their turns one after the other, one connection each.
 */
export async function* measureGrowth(works: readonly Workload[], plan: GrowthPlan): AsyncGenerator<Growth> {
  await using stack = new AsyncDisposableStack();
  const servers: Server[] = [];
  for (const size of plan.sizes) {
    const local = stack.use(await startLocalProcess({ store: 'memory' }));
    await fill(local.table, size);
    const preparation = inLargeProject(local.server.preparation, local.table, project);
    servers.push(new Server(local.server, preparation, local.server.processTime));
  }
  for (const work of works) yield await growthOf(work, servers, plan);
}

async function growthOf(
  work: Workload,
  servers: readonly Server[],
  { turns, callsPerTurn }: GrowthPlan,
): Promise<Growth> {
  const halves: number[][] = servers.map(() => []);
  const tables = [...servers.entries()];
  const turn = async () => {
    for (const [index, server] of tables) {
      const { latencies } = await sampleOf(server, work, 1, callsPerTurn);
      halves[index]?.push(percentile(latencies, 0.5));
    }
    // There and back again, so that none is always the first.
    tables.reverse();
  };
  // The first calls of an operation compile it.
  for (const server of servers) await sampleOf(server, work, 1, callsPerTurn);

  let ratio = Number.NaN;
  for (let look = 0; look < looksMax && !(ratio <= growthMax); look += 1) {
    for (const _turn of times(turns, (index) => index)) await turn();
    ratio = growthIn(halves);
  }
  return { name: work.name, p50: halves.map(median), verdict: atMost(ratio, growthMax, 'largest to smallest', '×') };
}

/** Turn by turn, so that it does not matter which turns the machine was busy in. */
function growthIn(halves: readonly (readonly number[])[]): number {
  const [smallest = []] = halves;
  const largest = halves.at(-1) ?? [];
  return median(largest.map((milliseconds, turn) => milliseconds / (smallest[turn] ?? Number.NaN)));
}
