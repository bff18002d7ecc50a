import { loadHeadsAndTombstones } from '../../features/feature-store.ts';
import { isReportVisible } from '../../features/use/origin.ts';
import { isHidden, type Request, withAllProjects } from '../../request.ts';
import { queryAll } from '../../store/read.ts';
import { computeExpiry, isUnexpired } from '../../values/time.ts';
import type { UnknownFlag } from '../client-metrics-schema.ts';
import * as usageKeys from '../keys.ts';
import { loadQuota } from '../partition-quota.ts';
import type { UsageBuffer } from '../usage-buffer.ts';
import { listVisibleApplications } from './applications.ts';

/** The time for which a request for an unknown flag is kept. */
const keptSeconds = 7 * 24 * 60 * 60;
/** The most pairs of an unknown flag and an application, in total and per application. */
const flagsMax = 1_000;
const flagsOfApplicationMax = 100;

/** A flag that an application has requested in an environment. */
interface FlagRequestReport {
  readonly featureName: string;
  readonly environment: string;
  readonly appName: string;
}

/** Tells whether there is room to record an application's request for an unknown flag. */
export type AdmitsUnknownFlag = (report: FlagRequestReport) => boolean;

const keyOf = ({ featureName, environment, appName }: FlagRequestReport) =>
  usageKeys.unknownFlag(featureName, environment, appName);

function parseKey(sk: string): FlagRequestReport {
  const [featureName = '', environment = '', ...rest] = sk.split('#');
  // The name of an application can contain a #.
  return { featureName, environment, appName: rest.join('#') };
}

/** Returns a predicate for requests that are recorded already, or for which there is room. */
export async function loadUnknownFlagQuota(request: Request): Promise<AdmitsUnknownFlag> {
  const quota = await loadQuota(request, usageKeys.unknownFlags(), (sk) => parseKey(sk).appName);
  return (report) => quota.tryAdd({ sk: keyOf(report).sk, group: report.appName }, flagsMax, flagsOfApplicationMax);
}

/** Records that an application has requested an unknown flag. */
export function recordUnknownFlag(
  buffer: UsageBuffer,
  report: FlagRequestReport,
  origin: Readonly<Record<string, number>>,
  now: Date,
): void {
  const expiresAtSeconds = computeExpiry(keptSeconds, now);
  buffer.recordSeen(keyOf(report), { lastSeenAt: now.toISOString(), expiresAtSeconds }, origin);
}

interface UnknownFlagItem {
  readonly sk: string;
  readonly lastSeenAt: string;
  readonly expiresAtSeconds: number;
}

/** Lists the unknown flags that applications have requested within a week, by name. */
export async function listUnknownFlags(request: Request): Promise<UnknownFlag[]> {
  const items = await queryAll<UnknownFlagItem>(request, usageKeys.unknownFlags());
  const all = items
    .filter((item) => isUnexpired(item) && isReportVisible(request, item))
    .slice(0, flagsMax)
    .map(({ sk, lastSeenAt }) => ({ ...parseKey(sk), seenAt: lastSeenAt }));
  const [visible, { heads, tombstones }] = await Promise.all([
    listVisibleApplications(
      request,
      all.map(({ appName }) => appName),
    ),
    loadHeadsAndTombstones(
      withAllProjects(request),
      all.map(({ featureName }) => featureName),
    ),
  ]);
  // A flag can have been created since. And a token of all projects could show the name of a feature that was deleted in a
  // hidden project.
  const isUnknown = (name: string) => !heads.has(name) && !isHidden(request, tombstones.get(name)?.project);
  const listed = all.filter(({ featureName, appName }) => visible.has(appName) && isUnknown(featureName));
  return [...Map.groupBy(listed, ({ featureName }) => featureName)].map(([name, reports]) => ({
    name,
    lastSeenAt:
      reports
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? '',
    reports: [...Map.groupBy(reports, ({ appName }) => appName)].map(([appName, ownReports]) => ({
      appName,
      environments: ownReports.map(({ environment, seenAt }) => ({ environment, seenAt })),
    })),
  }));
}
