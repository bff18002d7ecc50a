import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { memoryMegabytes } from '../../../infra/endpoint-function.ts';
import { millionGigabyteMilliseconds, prices } from '../../../infra/prices.ts';
import { meteredSightings } from '../../../lib/usage/usage-buffer.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import type { ProvedService } from '../../prove/service.ts';
import { costOf } from './measure.ts';

/**
 * Assumed figures that cannot be measured here: the settings of SDKs, the time that Lambda bills for a call, and its
 * bytes on the wire.
 */
export const assumed = {
  hours: 730,
  secondsBetweenPolls: 15,
  secondsBetweenMetrics: 60,
  millisecondsBilled: 2,
  bytesSent: 500,
  /** A line of the log of an API's requests, with what CloudWatch adds to it. */
  bytesLogged: 350,
  /**
   * Combinations of feature, environment and application: a process writes their counts once a minute, and with them its
   * calls, and less often when the features and the instances were last seen.
   */
  combinations: 100,
  /** Calls per second of a processor, measured by `npm run bench -- --only 304`: 376 microseconds each. */
  callsOfProcessor: 2_600,
};

/** Numbers of SDK processes. */
export const instances = [20, 100, 1_000, 10_000, 100_000] as const;

/** Cost of SDKs at the store, by its own figures: while nothing changes, and the bytes of an answer after a change. */
export interface SdkCost {
  readonly readUnitsOfCheck: number;
  readonly flags: number;
  readonly bytesOfAnswer: number;
}

/** US dollars a month, by what they are for. */
export type Dollars = Readonly<Record<string, number>>;

const checkMs = 1_300;

/** Measures the check that a process makes once a second, and an answer in full. */
export async function sdkCostOf(service: Pick<ProvedService, 'table' | 'call'>, flags: number): Promise<SdkCost> {
  const environment = 'development';
  // No two alike, or the answer would shrink more than those of real features do.
  const constraint = () => ({ contextName: 'userId', operator: 'IN', values: [randomUUID(), randomUUID()] });
  const features = Array.from({ length: flags }, (_, index) => ({
    name: `flag-${index}`,
    description: `What flag-${index} is for`,
    enabled: true,
    strategies: [{ name: 'flexibleRollout', constraints: [constraint()] }],
  }));
  await service.call('POST', importPath, { body: importOf(features, { environment }) });
  const token = { tokenName: 'sdk', type: 'client', environment, projects: ['*'] };
  const { secret: authorization } = (await service.call('POST', '/api/admin/api-tokens', { body: token })).body;
  const poll = () => service.call('GET', '/api/client/features', { headers: { authorization } });
  const { text } = await poll();
  await sleep(checkMs);
  const { readUnits } = await costOf(service.table, poll);
  return { readUnitsOfCheck: readUnits, flags, bytesOfAnswer: gzipSync(text).length };
}

/** Returns the monthly cost of so many instances while nothing changes, behind the function's own URL. */
export function functionMonth(count: number, cost: SdkCost): Dollars {
  const { millisecondsBilled } = assumed;
  const millions = callsOf(count) / 1e6;
  const gigabyteMilliseconds = (millisecondsBilled * memoryMegabytes) / 1024;
  return {
    calls: millions * prices.millionFunctionRequests,
    'processor time': millions * gigabyteMilliseconds * millionGigabyteMilliseconds({ architecture: 'arm64' }),
    DynamoDB: storeDollars(Math.ceil((perSecond(count) * millisecondsBilled) / 1_000), count, cost),
    'bytes sent': sentDollars(count),
  };
}

/** Returns the additional cost of an HTTP API in front of the function, which logs each call. */
export function gatewayDollars(count: number): number {
  const millions = callsOf(count) / 1e6;
  const gigabytes = (millions * assumed.bytesLogged) / 1_000;
  return millions * prices.millionGatewayRequests + gigabytes * prices.gigabyteLogged;
}

/**
 * Returns the cost of two containers of the same handlers, each able to carry the whole load, behind a load balancer.
 */
export function containerMonth(count: number, cost: SdkCost): Dollars {
  const { hours, callsOfProcessor } = assumed;
  const processors = containerSizes.find((size) => size * callsOfProcessor >= perSecond(count)) ?? Number.NaN;
  const gigabytes = 2 * processors;
  const containerHour = processors * prices.containerProcessorHour + gigabytes * prices.containerGigabyteHour;
  return {
    containers: 2 * hours * (containerHour + prices.addressHour),
    'load balancer': hours * (prices.balancerHour + (count / connectionsOfUnit) * prices.balancerUnitHour),
    DynamoDB: storeDollars(2, count, cost),
    'bytes sent': sentDollars(count),
  };
}

/** Returns the cost of sending a change to all instances. */
export function changeDollars(count: number, { bytesOfAnswer }: SdkCost): number {
  return ((count * bytesOfAnswer) / 1e9) * prices.gigabyteSent;
}

/** Processors of a task on Fargate, from the smallest that is used here. */
const containerSizes = [0.5, 1, 2, 4, 8, 16];
/** Open connections for which a load balancer charges a unit: an SDK keeps one. */
const connectionsOfUnit = 3_000;

export const monthlyTotal = (dollars: Dollars) => Object.values(dollars).reduce((sum, each) => sum + each, 0);

function perSecond(count: number): number {
  const { secondsBetweenPolls, secondsBetweenMetrics } = assumed;
  return count / secondsBetweenPolls + count / secondsBetweenMetrics;
}

function callsOf(count: number): number {
  return perSecond(count) * assumed.hours * 3_600;
}

function storeDollars(processes: number, count: number, { readUnitsOfCheck }: SdkCost): number {
  const seconds = assumed.hours * 3_600;
  const reads = seconds * readUnitsOfCheck * prices.millionReadUnits;
  const writes = (seconds / 60) * (assumed.combinations + 1 + sightings(processes, count)) * prices.millionWriteUnits;
  return (processes * (reads + writes)) / 1e6;
}

/** Returns the writes of a process in a minute for times of last use: one for each feature, and for each instance that reports to it. */
function sightings(processes: number, count: number): number {
  const { againMs, againMax } = meteredSightings;
  const reports = againMs / 1_000 / assumed.secondsBetweenMetrics;
  const share = 1 - (1 - 1 / processes) ** reports;
  return Math.min(againMax, (assumed.combinations + count * share) / (againMs / 60_000));
}

function sentDollars(count: number): number {
  const gigabytes = (callsOf(count) * assumed.bytesSent) / 1e9;
  return Math.max(0, gigabytes - prices.gigabytesSentFree) * prices.gigabyteSent;
}
