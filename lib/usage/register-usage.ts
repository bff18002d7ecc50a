import { loadSnapshot } from '../delivery/snapshot/load-snapshot.ts';
import type { Snapshot } from '../delivery/snapshot/snapshot.ts';
import { ApiError } from '../errors.ts';
import { isGuarded } from '../features/items/environment-summary.ts';
import type { ReadModelFeature } from '../features/read-model/read-model.ts';
import { variantPrefix } from '../features/use/feature-usage.ts';
import * as useKeys from '../features/use/keys.ts';
import { originOf } from '../features/use/origin.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { cachePerObject } from '../values/cache.ts';
import { toList } from '../values/json.ts';
import { computeExpiry, readClocks } from '../values/time.ts';
import {
  loadKnownApplications,
  otherApplications,
  type Reporter,
  recordApplication,
  recordDroppedParts,
  recordUse,
} from './applications/record-application.ts';
import { type AdmitsUnknownFlag, loadUnknownFlagQuota, recordUnknownFlag } from './applications/unknown-flags.ts';
import type { BulkMetrics, ClientMetrics, ClientRegistration, CustomMetrics } from './client-metrics-schema.ts';
import { recordCustomMetrics } from './custom-metrics.ts';
import { recordFeatureMinute } from './feature-minutes.ts';
import { findFollowUpBuffer } from './follow-up-buffer.ts';
import { recordImpactMetrics } from './impact-metrics/record-impact-metrics.ts';
import { countInProjectWeek, recordNamesInProjectWeek } from './project-weeks.ts';
import { isAppName, parseBucket, parseBulkMetrics, type ReportedUsage, toJsonObject } from './reported-usage.ts';
import { takeTraffic } from './traffic.ts';
import { findUsageBuffer, type UsageBuffer } from './usage-buffer.ts';

/** The time for which the use of an hour is kept. */
const usageSeconds = 30 * 24 * 60 * 60;
/** The most applications in a report of a proxy; others are ignored. */
const applicationsMax = 1_000;

/** Records the start of an SDK. */
export async function registerApplication(request: Request, reporter: Reporter, registration: ClientRegistration) {
  await recordReport(request, reporter, registration, new Date());
  await flushUsageIfDue(request);
}

/** @param droppedParts number of invalid parts of the report, which were ignored. */
async function recordReport(
  request: Request,
  reporter: Reporter,
  registration: ClientRegistration,
  now: Date,
  droppedParts = 0,
): Promise<void> {
  const { appName } = registration;
  if (!isAppName(appName) || !(await loadKnownApplications(request, reporter))(appName)) return;
  const isAnnouncementDue = await recordApplication(request, findUsageBuffer(request), { reporter, registration, now });
  if (isAnnouncementDue) findFollowUpBuffer(request).recordApplication(appName);
  recordDroppedParts(findUsageBuffer(request), appName, droppedParts, now);
}

/** Counts the evaluations of flags that an SDK reports, and adds its impact metrics. */
export async function registerMetrics(request: Request, reporter: Reporter, metrics: ClientMetrics): Promise<void> {
  const now = new Date();
  const { usage, dropped } = parseBucket(metrics.appName, metrics.bucket, now);
  const unknownCount = await countUsage(request, reporter, usage, now, metrics.instanceId);
  await recordReport(request, reporter, metrics, now, dropped + unknownCount);
  const { scope, sdkType } = reporter;
  await recordImpactMetrics(request, findUsageBuffer(request), scope, metrics.impactMetrics, now, sdkType);
  await flushUsageIfDue(request);
}

/** Counts the evaluations that a proxy has collected from SDKs in the environment of its token, and adds their impact metrics. */
export async function registerBulkMetrics(
  request: Request,
  reporter: Reporter,
  { applications, metrics, impactMetrics }: BulkMetrics,
): Promise<void> {
  const now = new Date();
  const { environment } = reporter.scope;
  await countUsage(request, reporter, parseBulkMetrics(metrics, environment, now).usage, now);
  for (const registration of toList(applications).slice(0, applicationsMax).map(toJsonObject)) {
    const { appName } = registration;
    const isInEnvironment = registration.environment === undefined || registration.environment === environment;
    if (isAppName(appName) && isInEnvironment) await recordReport(request, reporter, { ...registration, appName }, now);
  }
  await recordImpactMetrics(request, findUsageBuffer(request), reporter.scope, impactMetrics, now);
  await flushUsageIfDue(request);
}

/** Records the custom metrics of an application. */
export async function registerCustomMetrics(request: Request, scope: TokenScope, metrics: CustomMetrics) {
  await recordCustomMetrics(request, findUsageBuffer(request), scope, metrics, new Date());
  await flushUsageIfDue(request);
}

/** Writes the buffered usage and its consequences, such as lifecycle stages, if a write is due. */
export async function flushUsageIfDue(request: Request): Promise<void> {
  countTraffic(request);
  if (await findUsageBuffer(request).flushIfDue(request)) await findFollowUpBuffer(request).flush(request);
}

/** Writes all buffered usage and its consequences. */
export async function flushUsage(request: Request): Promise<void> {
  countTraffic(request);
  await findUsageBuffer(request).flush(request);
  await findFollowUpBuffer(request).flush(request);
}

/** Adds the counted calls of this process to the buffered usage. */
function countTraffic(request: Request): void {
  const calls = takeTraffic(request);
  if (calls !== undefined) findUsageBuffer(request).count(calls.key, calls.add, calls.set);
}

/**
 * Counts the use of existing features, and records requests for unknown ones. Unknown features in reports of browsers are
 * ignored: anybody can send such a report.
 * @param instanceId that of the report; undefined for the report of a proxy.
 * @returns the number of ignored features.
 */
async function countUsage(
  request: Request,
  reporter: Reporter,
  reported: readonly ReportedUsage[],
  now: Date,
  instanceId?: unknown,
): Promise<number> {
  if (reported.length === 0) return 0;
  const { scope } = reporter;
  const buffer = findUsageBuffer(request);
  const followUps = findFollowUpBuffer(request);
  const snapshot = await loadSnapshotIfReachable(request, scope);
  const features = snapshot?.byName;
  if (features !== undefined) followUps.addFeatures(scope.projects.join(), features);
  const isPage = reporter.sdkType === 'frontend';
  const isKnown = await loadKnownApplications(request, reporter);
  const admitsUnknown: AdmitsUnknownFlag = isPage ? () => false : await loadUnknownFlagQuota(request);
  const { environment } = scope;
  const originOfToken = originOf(scope.projects);
  const expiresAtSeconds = computeExpiry(usageSeconds, now);
  const at = readClocks();
  let ignoredCount = 0;
  for (const report of reported) {
    const { featureName } = report;
    const appName = isKnown(report.appName) ? report.appName : otherApplications;
    const entry = features?.get(featureName);
    const isCounted = entry !== undefined || (features === undefined && !isPage);
    if (!isCounted && !admitsUnknown({ featureName, appName, environment })) {
      ignoredCount += 1;
      continue;
    }
    const project = entry?.feature.project;
    const origin = entry === undefined ? originOfToken : originOfFeature(entry);
    if (isCounted) {
      const variants = isPage ? listExistingVariants(snapshot, report) : report.variants;
      const key = useKeys.usage(featureName, report.hour, environment, appName);
      buffer.count(key, toCounts(report, variants), { expiresAtSeconds, ...origin });
    }
    if (project !== undefined) countInProjectWeek(buffer, project, report, now);
    const summary = entry?.summaries.get(environment);
    if (summary !== undefined && isGuarded(summary)) {
      // Browsers have no ids of instances, and anybody could invent some.
      const instance = isPage ? undefined : instanceId;
      const existing = { ...report, variants: listExistingVariants(snapshot, report) };
      recordFeatureMinute(buffer, environment, existing, instance, now);
    }
    if (entry !== undefined) followUps.recordUse(environment, entry);
    // One check for all records about a feature, since nearly always none of them is due.
    const id = `${environment}\n${project ?? scope.projects.join()}\n${featureName}\n${appName}\n${report.hour}`;
    if (!buffer.isDue(id, { at })) continue;
    if (project !== undefined) recordNamesInProjectWeek(buffer, project, { ...report, appName, environment }, now);
    if (entry !== undefined) recordLastSeen(buffer, scope, entry.feature, now);
    else if (features !== undefined) recordUnknownFlag(buffer, { featureName, appName, environment }, origin, now);
    recordUse(buffer, scope, { featureName, appName, project, origin }, now);
  }
  return ignoredCount;
}

/** Returns the attributes for the project of a feature. */
const originOfFeature = cachePerObject(({ feature }: ReadModelFeature) => originOf([feature.project]));

/** Returns the reported variants that the feature has, and `disabled`, which SDKs report if it has none. */
function listExistingVariants(snapshot: Snapshot | undefined, { featureName, variants }: ReportedUsage) {
  const names = snapshot && variantNamesOf(snapshot).get(featureName);
  return Object.fromEntries(Object.entries(variants).filter(([name]) => name === 'disabled' || names?.has(name)));
}

/** Returns the names of all variants by feature. */
const variantNamesOf = cachePerObject(
  ({ features }: Snapshot): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(
      features.map(({ name, variants, strategies }) => {
        const allVariants = [...variants, ...strategies.flatMap((strategy) => strategy.variants)];
        return [name, new Set(allVariants.map((variant) => variant.name))];
      }),
    ),
);

/** Returns the counts of a report as the attributes of an item. */
function toCounts({ yes, no }: ReportedUsage, variants: ReportedUsage['variants']): Record<string, number> {
  const counts: Record<string, number> = { yes, no };
  for (const [name, count] of Object.entries(variants)) counts[`${variantPrefix}${name}`] = count;
  return counts;
}

function recordLastSeen(
  buffer: UsageBuffer,
  { environment }: TokenScope,
  { project, name }: ReadModelFeature['feature'],
  now: Date,
): void {
  const lastSeen = { lastSeenAt: now.toISOString() };
  buffer.recordSeen(useKeys.featureSeen(project, name, environment), lastSeen);
  buffer.recordSeen(useKeys.projectSeen(project), lastSeen);
}

/** Reads the snapshot of the token's scope; undefined while the store is unreachable and no snapshot is cached. */
async function loadSnapshotIfReachable(request: Request, scope: TokenScope): Promise<Snapshot | undefined> {
  try {
    return await loadSnapshot(request, scope);
  } catch (error) {
    if (error instanceof ApiError && error.name === 'ServiceUnavailable') return undefined;
    throw error;
  }
}
