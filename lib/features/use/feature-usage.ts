import { ApiError } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { queryAll, queryPages } from '../../store/read.ts';
import type { CountedUsage } from '../../usage/client-metrics-schema.ts';
import { loadHiddenNames } from '../feature-store.ts';
import * as useKeys from './keys.ts';
import { isWholeReportVisible } from './origin.ts';

const hourMs = 60 * 60 * 1_000;
/** The prefix of attributes that count a variant. */
export const variantPrefix = 'v:';

/** The evaluations of a feature in an environment by an application in one hour. */
export type HourOfUsage = Required<CountedUsage>;

interface UsageItem {
  readonly sk: string;
  readonly yes?: number;
  readonly no?: number;
}

/** Lists the use of a feature in the last hours, the latest first, without hours of no use; nothing of a hidden feature. */
async function listUsage(request: Request, featureName: string, hoursBack: number, max?: number) {
  const [hiddenNames, usage] = await Promise.all([
    loadHiddenNames(request, [featureName]),
    listReportedUsage(request, featureName, hoursBack, max),
  ]);
  return hiddenNames.size > 0 ? [] : usage;
}

async function listReportedUsage(
  request: Request,
  featureName: string,
  hoursBack: number,
  max = Number.POSITIVE_INFINITY,
) {
  const since = hourOf(Date.now() - (hoursBack - 1) * hourMs);
  const usage: HourOfUsage[] = [];
  for await (const items of queryPages<UsageItem>(request, useKeys.usageOf(featureName), { descending: true })) {
    for (const item of items) {
      // The sort key begins with the hour.
      if (item.sk < since) return usage;
      if (isWholeReportVisible(request, item)) usage.push(usageOf(featureName, item));
    }
    if (usage.length > max) throw buildTooLargeError();
  }
  return usage;
}

/** The most entries of a reply, which are about 30 MB of JSON. */
const rowsMax = 200_000;

function buildTooLargeError(): ApiError {
  return new ApiError('ContentTooLarge', 'The response is too large: ask about fewer hours.');
}

/**
 * Lists the use of a feature in the last hours, the oldest first. Each application and environment with any use has an
 * entry for every hour.
 * @throws ApiError 413 for too many entries.
 */
export async function listAllHours(request: Request, featureName: string, hoursBack: number): Promise<HourOfUsage[]> {
  const usage = await listUsage(request, featureName, hoursBack, rowsMax);
  const now = Date.now();
  const hours = Array.from({ length: hoursBack }, (_, index) => hourOf(now - index * hourMs)).toReversed();
  const sources = Map.groupBy(usage, ({ environment, appName }) => `${environment}#${appName}`);
  if (sources.size * hours.length > rowsMax) throw buildTooLargeError();
  return [...sources.values()].flatMap((sourceUsage) => {
    const byHour = new Map(sourceUsage.map((hour) => [hour.timestamp, hour]));
    const [{ environment, appName }] = sourceUsage as [HourOfUsage];
    return hours.map(
      (hour) =>
        byHour.get(timestampOf(hour)) ?? {
          ...{ featureName, appName, environment },
          ...{ timestamp: timestampOf(hour), yes: 0, no: 0, variants: {} },
        },
    );
  });
}

/** Numbers of evaluations of a feature: `yes` counts those in which it was on. */
export interface Evaluations {
  readonly yes: number;
  readonly no: number;
}

/**
 * Estimates the evaluations of a feature in the last 60 minutes, by environment; environments without any are missing. The store
 * counts by hours, so of the hour before it takes the share of its time that lies within the last 60 minutes.
 */
export async function loadUsageOfLastHour(
  request: Request,
  featureName: string,
): Promise<ReadonlyMap<string, Evaluations>> {
  const now = Date.now();
  const shares = [
    [hourOf(now), 1],
    [hourOf(now - hourMs), 1 - (now % hourMs) / hourMs],
  ] as const;
  const counts = new Map<string, Evaluations>();
  const hours = await Promise.all(
    shares.map(([hour]) => queryAll<UsageItem>(request, useKeys.usageInHour(featureName, hour))),
  );
  for (const [index, [, share]] of shares.entries()) {
    for (const item of hours[index] ?? []) {
      if (!isWholeReportVisible(request, item)) continue;
      const { environment, yes, no } = usageOf(featureName, item);
      const before = counts.get(environment) ?? { yes: 0, no: 0 };
      counts.set(environment, { yes: before.yes + yes * share, no: before.no + no * share });
    }
  }
  return new Map([...counts].map(([name, { yes, no }]) => [name, { yes: Math.round(yes), no: Math.round(no) }]));
}

/** Tells whether a feature may have been used in this hour. `lastSeenAt` lags behind by some minutes. */
export function mayBeUsedInThisHour(lastSeenAt: string | null): boolean {
  return lastSeenAt !== null && lastSeenAt >= timestampOf(hourOf(Date.now() - hourMs));
}

/** The hours for which an application is listed after it has evaluated the feature. */
const applicationHours = 48;

/** Returns the evaluations of a feature in this hour by environment, and the applications that used it recently. */
export async function summarizeUsage(request: Request, featureName: string) {
  const usage = await listUsage(request, featureName, applicationHours);
  const timestamp = timestampOf(hourOf(Date.now()));
  const thisHour = Map.groupBy(
    usage.filter((hour) => hour.timestamp === timestamp),
    ({ environment }) => environment,
  );
  return {
    lastHourUsage: [...thisHour].map(([environment, hours]) => ({
      environment,
      timestamp,
      yes: sum(hours.map(({ yes }) => yes)),
      no: sum(hours.map(({ no }) => no)),
    })),
    seenApplications: [...new Set(usage.map(({ appName }) => appName))].toSorted(),
  };
}

function usageOf(featureName: string, { sk, yes = 0, no = 0, ...others }: UsageItem): HourOfUsage {
  const [hour = '', environment = '', ...rest] = sk.split('#');
  const variants = Object.entries(others).flatMap(([name, count]) =>
    name.startsWith(variantPrefix) ? [[name.slice(variantPrefix.length), Number(count)] as const] : [],
  );
  return {
    featureName,
    // The name of an application can contain a #.
    appName: rest.join('#'),
    environment,
    timestamp: timestampOf(hour),
    yes,
    no,
    variants: Object.fromEntries(variants),
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function hourOf(time: number): string {
  return new Date(time).toISOString().slice(0, 13);
}

function timestampOf(hour: string): string {
  return `${hour}:00:00.000Z`;
}
