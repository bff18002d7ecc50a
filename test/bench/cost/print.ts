import { memoryMegabytes } from '../../../infra/endpoint-function.ts';
import { millionGigabyteMilliseconds, prices } from '../../../infra/prices.ts';
import { sampling } from '../../../lib/usage/traffic.ts';
import { synthesize } from '../../infra/synthesize.ts';
import { type AtRest, atRestMax, dollarsAtRest } from './at-rest.ts';
import { budgetOf, excessOf, isWrite } from './budgets.ts';
import { assumedOfSending, type DeliveryCost, deliveriesMax, millionChanges } from './deliveries.ts';
import { assumedOfFlood, boundsOf, floodHour } from './flood.ts';
import { type ImpactCost, impactMetricsMax } from './impact-metrics.ts';
import type { Cost } from './measure.ts';
import { assumedOfClock, type ClockCost, runningPlans, runningPlansMax, runningPlansMonth } from './running-plans.ts';
import { assumedOfSafeguards, type SafeguardCost, safeguardDollarsMax } from './safeguards.ts';
import { samlMsMax } from './saml.ts';
import type { Row } from './scenarios.ts';
import {
  assumed as assumedOfSdks,
  changeDollars,
  containerMonth,
  type Dollars,
  functionMonth,
  gatewayDollars,
  instances,
  monthlyTotal,
  type SdkCost,
} from './sdk-months.ts';

/**
 * Assumed figures that cannot be measured here: the time of a call on Lambda, and the bytes that it and the gateway
 * log.
 */
const assumed = { milliseconds: 30, bytesLogged: 2_000, readsForEachWrite: 9 };

/** Prints each row beside its budget, with the cost of a million of its calls at the store. */
export function printRows(rows: readonly Row[]): void {
  console.log('What one call asks of the store; "2 of 3" takes 2 where the budget is 3:');
  console.table(Object.fromEntries(rows.map((row) => [row.scenario, columnsOf(row)])));
}

function columnsOf(row: Row): Record<string, string | number> {
  const { cost } = row;
  const { waits, transactions, itemsWritten } = budgetOf(row);
  return {
    waits: `${cost.waits} of ${waits}`,
    transactions: `${cost.transactions} of ${transactions}`,
    'items written': `${cost.itemsWritten} of ${itemsWritten}`,
    requests: cost.requests,
    'read units': cost.readUnits,
    'write units': cost.writeUnits,
    '$ a million': rounded(storeDollars(cost)),
    budget: excessOf(row).length === 0 ? 'kept' : 'MISSED',
  };
}

/** Prints the cost of a million calls, and of months with 30 thousand and 10 million, for the typical calls. */
export function printMonths(typical: readonly Row[]): void {
  const { milliseconds, bytesLogged, readsForEachWrite } = assumed;
  const mean = (some: readonly Row[]) => some.reduce((sum, { cost }) => sum + storeDollars(cost), 0) / some.length;
  const reads = mean(typical.filter((row) => !isWrite(row)));
  const writes = mean(typical.filter(isWrite));
  const gigabyteMilliseconds = (milliseconds * memoryMegabytes) / 1024;
  const parts = {
    'API Gateway': prices.millionGatewayRequests,
    'Lambda, calls and time':
      prices.millionFunctionRequests + gigabyteMilliseconds * millionGigabyteMilliseconds({ architecture: 'arm64' }),
    // One in several reads is counted.
    DynamoDB:
      (readsForEachWrite * (reads + prices.millionWriteUnits / sampling.calls) + writes) / (readsForEachWrite + 1),
    Logs: (bytesLogged * 1_000_000 * prices.gigabyteLogged) / 1_000_000_000,
  };
  const together = Object.values(parts).reduce((sum, part) => sum + part, 0);
  console.log(
    `US dollars in us-east-1, for calls of ${milliseconds} ms and ${memoryMegabytes} MB that log ${bytesLogged} bytes, ` +
      `${readsForEachWrite} reads for each write:`,
  );
  console.table(
    Object.fromEntries(
      Object.entries({ ...parts, together }).map(([name, dollars]) => [
        name,
        {
          'a million calls': dollars.toFixed(2),
          '30 000 a month': (dollars * 0.03).toFixed(2),
          '10 million a month': (dollars * 10).toFixed(2),
        },
      ]),
    ),
  );
}

/** Prints the cost of sending a million changes to integrations. */
export function printDeliveries(costs: readonly DeliveryCost[]): void {
  const { megabytes, milliseconds, idleMilliseconds, bytesLogged, bytesSent } = assumedOfSending;
  console.log(
    `Integrations, US dollars in us-east-1 for a million changes that come one by one: Lambda bills ${milliseconds} ms of ${megabytes} MB ` +
      `for each, ${idleMilliseconds} where nothing is sent; a delivery logs ${bytesLogged} bytes and sends ${bytesSent}:`,
  );
  const row = (each: DeliveryCost) => {
    const dollars = millionChanges(each);
    const together = { ...dollars, together: monthlyTotal(dollars), 'at most': deliveriesMax.dollars[each.deliveries] };
    return {
      'read units': each.cost.readUnits,
      'write units': each.cost.writeUnits,
      ...Object.fromEntries(Object.entries(together).map(([name, value]) => [name, value.toFixed(2)])),
    };
  };
  console.table(Object.fromEntries(costs.map((each) => [`${each.deliveries} deliveries each`, row(each)])));
}

/** Prints the cost of impact metrics. */
export function printImpactCosts(costs: readonly ImpactCost[]): void {
  console.log(
    `Impact metrics, US dollars a month in us-east-1 for the writes of each process that gets the reports; the first at most ${impactMetricsMax}:`,
  );
  const rows = costs.map(({ title, unitsOfMinute, dollars }) => [
    title,
    { 'write units a minute': unitsOfMinute, dollars: dollars.toFixed(2) },
  ]);
  console.table(Object.fromEntries(rows));
}

/** Prints the cost of safeguards. */
export function printSafeguardCosts(costs: readonly SafeguardCost[]): void {
  const { instances, milliseconds } = assumedOfSafeguards;
  console.log(
    `Watching a hundred running release plans with one safeguard each, US dollars a month in us-east-1, at most ${safeguardDollarsMax}; ${instances} instances ` +
      `report each feature to one process, and Lambda bills ${milliseconds} ms for a run of the clock, which starts milestones, too. Plans ` +
      'without a safeguard cost nothing here; the next table has the clock of those whose milestones start by themselves:',
  );
  const rows = costs.map(({ title, dollars }) => {
    const amounts = Object.entries(dollars).map(([what, amount]) => [what, amount.toFixed(2)]);
    return [title, { ...Object.fromEntries(amounts), together: monthlyTotal(dollars).toFixed(2) }];
  });
  console.table(Object.fromEntries(rows));
}

/** Prints the cost of running plans. */
export function printRunningPlans(cost: ClockCost): void {
  const { milliseconds, bytesLogged } = assumedOfClock;
  console.log(
    `${runningPlans} release plans that run, US dollars a month in us-east-1, at most ${runningPlansMax}. The clock is called each minute, for ` +
      `${milliseconds} ms of ${memoryMegabytes} MB, and logs ${bytesLogged} bytes. While no milestone waits for its time and nothing is watched, it is ` +
      'off; a feature without a plan asks nothing more of the store:',
  );
  const month = runningPlansMonth(cost);
  const rows = Object.entries({ ...month, together: monthlyTotal(month) });
  console.table(Object.fromEntries(rows.map(([name, dollars]) => [name, { dollars: dollars.toFixed(4) }])));
}

/** Prints the cost of polling SDKs, by the number of their instances. */
export function printSdkMonths(cost: SdkCost): void {
  const { secondsBetweenPolls, secondsBetweenMetrics, millisecondsBilled, bytesSent } = assumedOfSdks;
  console.log(
    `SDKs, US dollars a month in us-east-1 by the number of their instances, each of which polls every ${secondsBetweenPolls} seconds and sends ` +
      `metrics every ${secondsBetweenMetrics}. Lambda bills ${millisecondsBilled} ms of ${memoryMegabytes} MB for a call, ${bytesSent} bytes are sent; a process ` +
      `reads ${cost.readUnitsOfCheck} units a second, whatever is asked of it:`,
  );
  const byInstances = (dollarsOf: (count: number) => number) =>
    Object.fromEntries(
      instances.map((count) => [String(count), dollarsOf(count).toFixed(dollarsOf(count) < 1 ? 3 : 0)]),
    );
  const parts = (name: string, month: (count: number, cost: SdkCost) => Dollars) => ({
    ...Object.fromEntries(
      Object.keys(month(1, cost)).map((part) => [
        `${name}: ${part}`,
        byInstances((count) => month(count, cost)[part] ?? 0),
      ]),
    ),
    [`${name}, together`]: byInstances((count) => monthlyTotal(month(count, cost))),
  });
  console.table({
    ...parts('URL of a function', functionMonth),
    'an HTTP API, besides': byInstances(gatewayDollars),
    'a function behind an HTTP API, together': byInstances(
      (count) => monthlyTotal(functionMonth(count, cost)) + gatewayDollars(count),
    ),
    ...parts('two containers', containerMonth),
    [`a change, of ${cost.flags} flags`]: byInstances((count) => changeDollars(count, cost)),
  });
}

/** Prints the monthly cost of an idle stack, by the resources that have a price. */
export function printAtRest(rows: readonly AtRest[]): void {
  const priced = rows.filter(({ each }) => each > 0);
  const others = rows.filter(({ each }) => each === 0).reduce((sum, { count }) => sum + count, 0);
  console.log(
    `At rest, US dollars a month in us-east-1, without what every account has for free (ten alarms, for example), of the templates with default settings. The other ${others} resources cost nothing while nobody uses them; storage comes on top.`,
  );
  const columns = ({ count, free, each, dollars }: AtRest) => ({
    count,
    free,
    '$ each': each,
    '$ a month': dollars.toFixed(2),
  });
  console.table({
    ...Object.fromEntries(priced.map((row) => [row.type, columns(row)])),
    together: { '$ a month': `${dollarsAtRest(rows).toFixed(2)} of ${atRestMax.toFixed(2)}` },
  });
}

/** Prints the cost of an hour in which callers use all that a stack admits. */
export function printFloods(): void {
  const { millisecondsBilled, bytesLogged, bytesSent } = assumedOfFlood;
  console.log(
    `A flood, US dollars an hour in us-east-1, by the limits in the templates: each call is billed ${millisecondsBilled} ms of ${memoryMegabytes} MB, logs ${bytesLogged} bytes and is answered ${bytesSent}; the table gives all that its maxima allow.`,
  );
  const stacks = { 'default settings': {}, 'sdkConcurrency 20': { sdkConcurrency: '20' } };
  const columns = Object.entries(stacks).map(
    ([name, context]) => [name, floodHour(boundsOf(synthesize(context).whole))] as const,
  );
  const parts = Object.keys(columns[0]?.[1] ?? {});
  const row = (dollarsOf: (dollars: Dollars) => number) =>
    Object.fromEntries(columns.map(([name, dollars]) => [name, dollarsOf(dollars).toFixed(2)]));
  console.table({
    ...Object.fromEntries(parts.map((part) => [part, row((dollars) => dollars[part] ?? 0)])),
    together: row(monthlyTotal),
  });
}

/** Prints the processor time of refusing the most expensive responses of SAML, the longest first. */
export function printSamlCosts(costs: ReadonlyMap<string, number>): void {
  console.log(`Responses of SAML that nobody has signed, each until it is refused; at most ${samlMsMax} ms:`);
  const longest = [...costs].sort(([, one], [, other]) => other - one).slice(0, 10);
  console.table(Object.fromEntries(longest.map(([content, ms]) => [content, { 'ms of processor': Math.round(ms) }])));
}

/** Returns the cost of a million such calls at the store. */
function storeDollars({ readUnits, writeUnits }: Cost): number {
  return readUnits * prices.millionReadUnits + writeUnits * prices.millionWriteUnits;
}

function rounded(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
