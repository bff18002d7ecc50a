import { ApiError } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { queryAll, queryPages } from '../../store/read.ts';
import type { CountedUsage } from '../../usage/client-metrics-schema.ts';
import { loadHiddenNames } from '../feature-store.ts';
import * as useKeys from './keys.ts';
import { isWholeReportSeen } from './origin.ts';

const hourMs = 60 * 60 * 1_000;
/** The prefix of variant names among the attributes of an item. */
export const variantPrefix = 'v:';

/** The evaluations of a feature in an environment, by an application, in one hour. */
export type HourOfUsage = Required<CountedUsage>;

interface UsageItem {
  readonly sk: string;
  readonly yes?: number;
  readonly no?: number;
}

/** The use of a feature in the last hours, the latest first; hours without any are left out, and all of a hidden feature. */
async function listUsage(request: Request, featureName: string, hoursBack: number, max?: number) {
  const [hidden, found] = await Promise.all([
    loadHiddenNames(request, [featureName]),
    listReported(request, featureName, hoursBack, max),
  ]);
  return hidden.size > 0 ? [] : found;
}

async function listReported(request: Request, featureName: string, hoursBack: number, max = Number.POSITIVE_INFINITY) {
  const since = hourOf(Date.now() - (hoursBack - 1) * hourMs);
  const found: HourOfUsage[] = [];
  for await (const items of queryPages<UsageItem>(request, useKeys.usageOf(featureName), { descending: true })) {
    for (const item of items) {
      // The hour comes first in the key.
      if (item.sk < since) return found;
      if (isWholeReportSeen(request, item)) found.push(usageOf(featureName, item));
    }
    if (found.length > max) throw tooManyRows();
  }
  return found;
}

/** Limit of the entries of a reply, which are some 30 MB of JSON. */
const rowsMax = 200_000;

function tooManyRows(): ApiError {
  return new ApiError('ContentTooLarge', 'The response is too large: ask about fewer hours.');
}

/**
 * As `listUsage`, with an entry for each hour of each application and environment that was heard of, the oldest first.
 * @throws ApiError 413 where there would be too many of them.
 */
export async function listAllHours(request: Request, featureName: string, hoursBack: number): Promise<HourOfUsage[]> {
  const used = await listUsage(request, featureName, hoursBack, rowsMax);
  const now = Date.now();
  const hours = Array.from({ length: hoursBack }, (_, index) => hourOf(now - index * hourMs)).toReversed();
  const sources = Map.groupBy(used, ({ environment, appName }) => `${environment}#${appName}`);
  if (sources.size * hours.length > rowsMax) throw tooManyRows();
  return [...sources.values()].flatMap((ofSource) => {
    const byHour = new Map(ofSource.map((each) => [each.timestamp, each]));
    const [{ environment, appName }] = ofSource as [HourOfUsage];
    return hours.map(
      (hour) =>
        byHour.get(timestampOf(hour)) ?? {
          ...{ featureName, appName, environment },
          ...{ timestamp: timestampOf(hour), yes: 0, no: 0, variants: {} },
        },
    );
  });
}

/** The evaluations of a feature. */
export interface Evaluations {
  readonly yes: number;
  readonly no: number;
}

/** Returns the evaluations of a feature in this hour, by environment; environments without any are missing. */
export async function loadUsageOfThisHour(
  request: Request,
  featureName: string,
): Promise<ReadonlyMap<string, Evaluations>> {
  const partition = useKeys.usageInHour(featureName, hourOf(Date.now()));
  const items = await queryAll<UsageItem>(request, partition);
  const hours = items.filter((item) => isWholeReportSeen(request, item)).map((item) => usageOf(featureName, item));
  return new Map(
    [...Map.groupBy(hours, ({ environment }) => environment)].map(([environment, used]) => [
      environment,
      { yes: sum(used.map(({ yes }) => yes)), no: sum(used.map(({ no }) => no)) },
    ]),
  );
}

/** Tells whether a feature may have been used in this hour: the time at which it was last used is behind by some minutes. */
export function mayBeUsedInThisHour(lastSeenAt: string | null): boolean {
  return lastSeenAt !== null && lastSeenAt >= timestampOf(hourOf(Date.now() - hourMs));
}

/** The hours for which an application counts that has evaluated a feature. */
const applicationsBack = 48;

/** Returns the evaluations of a feature in this hour, by environment, and the applications that have used it lately. */
export async function summaryOfUsage(request: Request, featureName: string) {
  const used = await listUsage(request, featureName, applicationsBack);
  const timestamp = timestampOf(hourOf(Date.now()));
  const thisHour = Map.groupBy(
    used.filter((each) => each.timestamp === timestamp),
    ({ environment }) => environment,
  );
  return {
    lastHourUsage: [...thisHour].map(([environment, hours]) => ({
      environment,
      timestamp,
      yes: sum(hours.map(({ yes }) => yes)),
      no: sum(hours.map(({ no }) => no)),
    })),
    seenApplications: [...new Set(used.map(({ appName }) => appName))].toSorted(),
  };
}

function usageOf(featureName: string, { sk, yes = 0, no = 0, ...others }: UsageItem): HourOfUsage {
  const [hour = '', environment = '', ...rest] = sk.split('#');
  const variants = Object.entries(others).flatMap(([name, count]) =>
    name.startsWith(variantPrefix) ? [[name.slice(variantPrefix.length), Number(count)] as const] : [],
  );
  return {
    featureName,
    // A name may have a # itself.
    appName: rest.join('#'),
    environment,
    timestamp: timestampOf(hour),
    yes,
    no,
    variants: Object.fromEntries(variants),
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, each) => total + each, 0);
}

function hourOf(time: number): string {
  return new Date(time).toISOString().slice(0, 13);
}

function timestampOf(hour: string): string {
  return `${hour}:00:00.000Z`;
}
