import { UsageError } from '../../../infra/commands/command.ts';
import { medianOf } from '../fresh-process.ts';
import { afterChangeName, measureAfterChange } from './after-change.ts';
import { measureBeside } from './bare.ts';
import {
  atLeast,
  atMost,
  type BarVerdict,
  barConnections,
  middleRatioMins,
  nothingDone,
  ratioMin as usualRatioMin,
} from './bars.ts';
import { coldSearchName, measureColdSearch } from './cold-search.ts';
import { countingName, measureCounting } from './counting.ts';
import { measureDeliveries } from './deliveries.ts';
import { edgeName, measureBesideEdge } from './edge.ts';
import { measureFootprint } from './footprint.ts';
import { type GrowthPlan, measureGrowth } from './growth.ts';
import { timeInTurn } from './large-times.ts';
import { type LargePlan, largeWorks } from './large-work.ts';
import { startMeasuredServer } from './local-server.ts';
import { longValuesName, measureLongValues } from './long-values.ts';
import { costRatioOf, type Measurements, type MeasuringPlan, measureInTurn, warmUp } from './measure.ts';
import type { WholePlan } from './plans.ts';
import { figuresHead, figuresLine, largeHead, largeLine, remark, sizesHead, sizesLine } from './print.ts';
import { readWorkloads } from './reads.ts';
import { sdkWorks } from './sdk-work.ts';
import type { MeasuredServer } from './server.ts';
import { measureBesideSignIns, signInFloodName } from './sign-in-flood.ts';
import { measureSwitching } from './switching.ts';
import type { Workload } from './workload.ts';
import { writes } from './writes.ts';

/** Name of the growth rows for `--only`; the rows themselves are named after the operations. */
export const growthName = 'growth';

const operations = [...readWorkloads, ...writes, ...sdkWorks];

/** Returns the work whose name contains a text. */
function chosen<T extends { readonly name: string }>(works: readonly T[], only: string | undefined): T[] {
  return works.filter(({ name }) => only === undefined || name.includes(only));
}

/** Measurements that are like no others, under a name for `--only`. */
interface OtherRow {
  readonly name: string;
  measure(plan: WholePlan): Promise<readonly BarVerdict[]> | AsyncIterable<BarVerdict>;
}

/** @param edge the path of the executable of Unleash Edge; without it, nothing is measured beside that. */
const otherRows = (edge: string | undefined): readonly OtherRow[] => [
  { name: afterChangeName, measure: ({ polls }) => measureAfterChange(polls) },
  { name: 'from a change to its webhook', measure: ({ deliveries }) => measureDeliveries(deliveries) },
  { name: coldSearchName, measure: ({ coldSearches }) => measureColdSearch(coldSearches) },
  { name: signInFloodName, measure: ({ floodSeconds }) => measureBesideSignIns(floodSeconds) },
  { name: '304 beside bare node:http, processor time of a call', measure: (plan) => measureBeside(plan.operations) },
  { name: longValuesName, measure: () => measureLongValues() },
  { name: countingName, measure: () => measureCounting() },
  { name: 'start and memory of the server', measure: () => measureFootprint() },
  { name: 'switch off a feature', measure: ({ growth }) => measureSwitching(growth) },
  ...(edge === undefined
    ? []
    : [{ name: edgeName, measure: (plan: WholePlan) => measureBesideEdge(edge, plan.operations) }]),
];

/** @throws UsageError for a text that is in no name: a misspelt one must not look like a success. */
export function assertChoice(only: string, plan: LargePlan, edge: string | undefined): void {
  const works = [...operations, ...largeWorks(plan), ...otherRows(edge)];
  if (only !== growthName && chosen<{ readonly name: string }>(works, only).length === 0) {
    const further = edge === undefined ? ' Work beside Unleash Edge needs --edge.' : '';
    throw new UsageError(`--only "${only}" is in no name of any work.${further}`);
  }
}

/**
 * Measures and prints every operation; answers how many bars were missed. Each has a server and a store of its own, so
 * that none is slowed down by what others have left. The busy measurement comes first: it compiles what the other one, of
 * which a second has few calls, then finds compiled as in a server that has run for days, and in the peer.
 */
export async function showOperations(
  peers: readonly MeasuredServer[],
  only: string | undefined,
  plan: MeasuringPlan,
): Promise<number> {
  const verdicts: BarVerdict[] = [];
  const ratios: Record<Workload['kind'], number[]> = { read: [], write: [] };
  console.log(`\n${figuresHead}`);
  for (const work of chosen(operations, only)) {
    await using local = await startMeasuredServer({ store: 'file' });
    const servers = [local.server, ...peers];
    // The peer has worked since the first row.
    await warmUp(local.server, work, barConnections, plan.freshSeconds);
    for (const connections of [barConnections, 1]) {
      const figures = await measureInTurn(servers, work, connections, plan);
      servers.forEach(({ name }, index) => {
        console.log(figuresLine(work.name, name, connections, figures[index]));
      });
      verdicts.push(...tell(verdictsOf(work, connections, figures)));
      const [own, peer] = figures;
      if (own !== undefined && peer !== undefined && connections === barConnections) {
        ratios[work.kind].push(costRatioOf(own, peer));
      }
    }
  }
  for (const kind of ['read', 'write'] as const) {
    if (ratios[kind].length === 0) continue;
    const words = `processor time of the peer's calls that ${kind}, by the middle of them,`;
    verdicts.push(...tell([atLeast(medianOf(ratios[kind]), middleRatioMins[kind], words, '× ours')]));
  }
  return missedIn(verdicts);
}

function verdictsOf(
  work: Workload,
  connections: number,
  [own, peer]: readonly (Measurements | undefined)[],
): BarVerdict[] {
  if (own === undefined || own.perSecond === 0) return [nothingDone];
  return [
    ...absoluteVerdicts(work, connections, own),
    ...(peer === undefined ? [] : [comparison(work, connections, own, peer)]),
  ];
}

/** Judges the promises that do not depend on the peer. */
function absoluteVerdicts(
  { processorMax, p50Max }: Workload,
  connections: number,
  { p50, processor }: Measurements,
): BarVerdict[] {
  const server = processor?.server ?? Number.NaN;
  return [
    ...(processorMax !== undefined && connections === barConnections
      ? [atMost(server, processorMax, 'processor time of the server', ' µs a call')]
      : []),
    ...(p50Max !== undefined && connections === 1 ? [atMost(p50, p50Max, 'p50', ' ms')] : []),
  ];
}

function comparison(
  { ratioMin = usualRatioMin }: Workload,
  connections: number,
  own: Measurements,
  peer: Measurements,
): BarVerdict {
  const ratio = costRatioOf(own, peer);
  const cost = "processor time of the peer's call";
  const { kept, words } =
    connections === barConnections
      ? atLeast(ratio, ratioMin, cost, '× ours')
      : { kept: true, words: `${cost} ${ratio.toFixed(2)}× ours` };
  return { kept, words: `${words}; throughput ${(own.perSecond / peer.perSecond).toFixed(2)}× the peer's` };
}

/** Times and prints the large works; answers how many bars were missed. */
export async function showLargeWorks(
  servers: readonly MeasuredServer[],
  only: string | undefined,
  plan: LargePlan,
): Promise<number> {
  const verdicts: BarVerdict[] = [];
  console.log(`\n${largeHead}`);
  for (const work of chosen(largeWorks(plan), only)) {
    const times = await timeInTurn(servers, work, plan);
    servers.forEach(({ name }, index) => {
      console.log(largeLine(work.name, name, times[index]));
    });
    const [own, peer] = times.map((each) => each?.milliseconds);
    verdicts.push(...tell(work.verdictsOf(own ?? Number.NaN, peer)));
  }
  return missedIn(verdicts);
}

/** Measures and prints what calls cost in tables of several sizes; answers how many bars were missed. */
export async function showGrowth(plan: GrowthPlan): Promise<number> {
  const verdicts: BarVerdict[] = [];
  console.log(`\n${sizesHead('features in the table', plan.sizes)}`);
  for await (const growth of measureGrowth(
    operations.filter(({ lists }) => !lists),
    plan,
  )) {
    console.log(sizesLine(growth));
    verdicts.push(growth.verdict);
  }
  return missedIn(verdicts);
}

/** Measures and prints the rows that are like no others; answers how many bars were missed. */
export async function showOtherRows(
  only: string | undefined,
  plan: WholePlan,
  edge: string | undefined,
): Promise<number> {
  const verdicts: BarVerdict[] = [];
  for (const { name, measure } of chosen(otherRows(edge), only)) {
    console.log(`\n${name}`);
    for await (const verdict of await measure(plan)) verdicts.push(...tell([verdict]));
  }
  return missedIn(verdicts);
}

function tell(verdicts: readonly BarVerdict[]): readonly BarVerdict[] {
  for (const { words } of verdicts) console.log(remark(words));
  return verdicts;
}

function missedIn(verdicts: readonly BarVerdict[]): number {
  return verdicts.filter(({ kept }) => !kept).length;
}
