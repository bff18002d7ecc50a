import { memoryMegabytes } from '../../../infra/endpoint-function.ts';
import { millionGigabyteMilliseconds, prices } from '../../../infra/prices.ts';
import { watchSafeguards } from '../../../lib/safeguards/watch.ts';
import { recordFeatureMinute } from '../../../lib/usage/feature-minutes.ts';
import { recordImpactMetrics } from '../../../lib/usage/impact-metrics/record-impact-metrics.ts';
import { UsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { makePlanned } from '../../harness/release-plans.ts';
import type { World } from '../../harness/world.ts';
import { costOf } from './measure.ts';
import { assumed, type Dollars } from './sdk-months.ts';

/** The plans whose cost is measured; that of a hundred is ten times as much. */
const plansMeasured = 10;
const plansOfMonth = 100;
/** The instances that report each feature to one process, and the time that Lambda bills for a run of the clock. */
export const assumedOfSafeguards = { instances: 20, milliseconds: 500 };

/** The most US dollars a month for a hundred running plans with a safeguard each. */
export const safeguardDollarsMax = 10;

/** Cost of watching a hundred running plans with one safeguard each, by its evidence, in US dollars a month. */
export interface SafeguardCost {
  readonly title: string;
  readonly dollars: Dollars;
}

const minuteMs = 60_000;
const kinds = {
  'no safeguard': undefined,
  'a signal or an alarm': { metricName: 'signal', aggregationMode: 'count' },
  'an impact metric in an hour': { metricName: 'errors', aggregationMode: 'count' },
  'evaluations of the feature in an hour': { metricName: 'flag:yes-rate', aggregationMode: 'avg' },
} as const;

/** Measures a run of the clock after an hour of reports, and what a process writes for the reports of a minute. */
export async function safeguardCosts(inFreshWorld: InFreshWorld): Promise<SafeguardCost[]> {
  const costs: SafeguardCost[] = [];
  for (const [title, metric] of Object.entries(kinds)) {
    costs.push({ title, dollars: await inFreshWorld((world) => costOfKind(world, metric)) });
  }
  return costs;
}

type InFreshWorld = <T>(measure: (world: World) => Promise<T>) => Promise<T>;

async function costOfKind(world: World, metric: (typeof kinds)[keyof typeof kinds]): Promise<Dollars> {
  const { table } = world.service;
  const names: string[] = [];
  for (let made = 0; made < plansMeasured; made += 1) {
    const { name, path, plan } = await makePlanned(world);
    names.push(name);
    const impactMetric = { ...metric, timeRange: 'hour', labelSelectors: {} };
    const body = {
      impactMetric,
      triggerCondition: { operator: '>', threshold: metric?.metricName === 'signal' ? 0 : 1e9 },
    };
    if (metric !== undefined) await world.ask('PUT', `${path}/${plan.id}/safeguards`, body);
  }
  const buffer = new UsageBuffer({ isMetered: true });
  const start = Date.now();
  const isCounted = metric?.metricName.startsWith('flag:') ?? false;
  let unitsOfReports = 0;
  for (let minute = 1; minute <= 60; minute += 1) {
    const now = new Date(start + minute * minuteMs);
    for (const name of isCounted ? names : []) report(buffer, name, now);
    unitsOfReports = (await costOf(table, () => buffer.flush(table))).writeUnits;
    // Impact metrics are written with and without safeguards.
    if (metric?.metricName === 'errors') await reportErrors(table, buffer, now);
  }
  const run = await costOf(table, () => watchSafeguards(table, new Date(start + 60 * minuteMs)));
  const minutes = assumed.hours * 60;
  const ofMonth = (units: number, price: number) => (units * minutes * price) / 1e6;
  const scale = plansOfMonth / plansMeasured;
  // Without a safeguard there is nothing to watch. `running-plans.ts` has the clock of milestones that start by themselves.
  const runs = metric === undefined ? 0 : minutes / 1e6;
  const gigabytes = memoryMegabytes / 1024;
  return {
    'reads of the clock': metric === undefined ? 0 : ofMonth(scale * run.readUnits, prices.millionReadUnits),
    'writes of a process': ofMonth(scale * unitsOfReports, prices.millionWriteUnits),
    'the function of the clock':
      runs *
      (prices.millionFunctionRequests +
        assumedOfSafeguards.milliseconds * gigabytes * millionGigabyteMilliseconds({ architecture: 'arm64' })),
  };
}

function report(buffer: UsageBuffer, featureName: string, now: Date): void {
  for (let instance = 0; instance < assumedOfSafeguards.instances; instance += 1) {
    const usage = { featureName, appName: 'shop', hour: '', yes: 100, no: 900, variants: {} };
    recordFeatureMinute(buffer, 'development', usage, `instance-${instance}`, now);
  }
}

async function reportErrors(table: World['service']['table'], buffer: UsageBuffer, now: Date): Promise<void> {
  const scope = { projects: ['*'], environment: 'development' };
  const samples = [{ labels: { appName: 'shop' }, value: 1 }];
  await recordImpactMetrics(table, buffer, scope, [{ name: 'errors', help: 'Errors', type: 'counter', samples }], now);
  await buffer.flush(table);
}
