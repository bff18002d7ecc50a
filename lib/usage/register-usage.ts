import { loadSnapshot, type Snapshot } from '../delivery/snapshot/snapshot.ts';
import { ApiError } from '../errors.ts';
import type { ShelvedFeature } from '../features/shelf/shelf.ts';
import { variantPrefix } from '../features/use/feature-usage.ts';
import * as useKeys from '../features/use/keys.ts';
import { originOf } from '../features/use/origin.ts';
import type { TokenScope } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { cachePerObject } from '../values/cache.ts';
import { toList } from '../values/json.ts';
import { computeExpiry } from '../values/time.ts';
import {
  knownApplications,
  noteApplication,
  noteDropped,
  noteUse,
  otherApplications,
  type Reporter,
} from './applications/note-application.ts';
import { type AdmitsUnknown, noteUnknownFlag, unknownFlagsOf } from './applications/unknown-flags.ts';
import type { BulkMetrics, ClientMetrics, ClientRegistration, CustomMetrics } from './client-metrics-schema.ts';
import { noteCustomMetrics } from './custom-metrics.ts';
import { findNewsBuffer } from './news-buffer.ts';
import { isAppName, type ReportedUsage, recordOf, usageInBucket, usageInBulk } from './reported-usage.ts';
import { takeTraffic } from './traffic.ts';
import { findUsageBuffer, type UsageBuffer } from './usage-buffer.ts';

/** The seconds for which the use of an hour is kept. */
const usageSeconds = 30 * 24 * 60 * 60;
/** The most applications that a proxy reports for at once. */
const applicationsMax = 1_000;

/** Takes note of an SDK that starts. */
export async function registerApplication(request: Request, reporter: Reporter, registration: ClientRegistration) {
  await noteReport(request, reporter, registration, new Date());
  await flushUsageIfDue(request);
}

/** @param droppedParts how many parts of the report were left out. */
async function noteReport(
  request: Request,
  reporter: Reporter,
  registration: ClientRegistration,
  now: Date,
  droppedParts = 0,
): Promise<void> {
  const { appName } = registration;
  if (!isAppName(appName) || !(await knownApplications(request, reporter))(appName)) return;
  const isNews = await noteApplication(request, findUsageBuffer(request), { reporter, registration, now });
  if (isNews) findNewsBuffer(request).noteApplication(appName);
  noteDropped(findUsageBuffer(request), appName, droppedParts, now);
}

/** Counts the evaluations of flags that an SDK reports. */
export async function registerMetrics(request: Request, reporter: Reporter, metrics: ClientMetrics): Promise<void> {
  const now = new Date();
  const { usage, dropped } = usageInBucket(metrics.appName, metrics.bucket, now);
  const surplus = await countUsage(request, reporter, usage, now);
  await noteReport(request, reporter, metrics, now, dropped + surplus);
  await flushUsageIfDue(request);
}

/** Counts the evaluations that a proxy has collected from SDKs of the environment of its token. */
export async function registerBulkMetrics(
  request: Request,
  reporter: Reporter,
  { applications, metrics }: BulkMetrics,
): Promise<void> {
  const now = new Date();
  const { environment } = reporter.scope;
  await countUsage(request, reporter, usageInBulk(metrics, environment, now).usage, now);
  for (const sent of toList(applications).slice(0, applicationsMax).map(recordOf)) {
    const { appName } = sent;
    const isHere = sent.environment === undefined || sent.environment === environment;
    if (isAppName(appName) && isHere) await noteReport(request, reporter, { ...sent, appName }, now);
  }
  await flushUsageIfDue(request);
}

/** Stores the measurements that an application makes itself. */
export async function registerCustomMetrics(request: Request, scope: TokenScope, metrics: CustomMetrics) {
  await noteCustomMetrics(request, findUsageBuffer(request), scope, metrics, new Date());
  await flushUsageIfDue(request);
}

/** Writes down what was counted, and what it means for the life of features, if that is due. */
export async function flushUsageIfDue(request: Request): Promise<void> {
  countTraffic(request);
  if (await findUsageBuffer(request).flushIfDue(request)) await findNewsBuffer(request).flush(request);
}

/** Writes down everything that was counted. */
export async function flushUsage(request: Request): Promise<void> {
  countTraffic(request);
  await findUsageBuffer(request).flush(request);
  await findNewsBuffer(request).flush(request);
}

/** Leaves the calls of this process to the next write of what SDKs report. */
function countTraffic(request: Request): void {
  const calls = takeTraffic(request);
  if (calls !== undefined) findUsageBuffer(request).count(calls.key, calls.add, calls.set);
}

/**
 * Counts the use of features that are there, and remembers who asks for others. A page is not believed that there are
 * any: anybody can send what it sends.
 * @returns how many features were left out, since they are not there.
 */
async function countUsage(request: Request, reporter: Reporter, reported: readonly ReportedUsage[], now: Date) {
  if (reported.length === 0) return 0;
  const { scope } = reporter;
  const memory = findUsageBuffer(request);
  const news = findNewsBuffer(request);
  const snapshot = await presentSnapshot(request, scope);
  const features = snapshot?.shelved;
  if (features !== undefined) news.noteFeatures(scope.projects.join(), features);
  const isPage = reporter.sdkType === 'frontend';
  const isKnown = await knownApplications(request, reporter);
  const admits: AdmitsUnknown = isPage ? () => false : await unknownFlagsOf(request);
  let leftOut = 0;
  for (const each of reported) {
    const appName = isKnown(each.appName) ? each.appName : otherApplications;
    const shelved = features?.get(each.featureName);
    const usage = { ...each, appName, ...(isPage && { variants: variantsThere(snapshot, each) }) };
    const isThere = shelved !== undefined || (features === undefined && !isPage);
    const { environment } = scope;
    if (!isThere && !admits({ ...usage, environment })) {
      leftOut += 1;
      continue;
    }
    const origin = originOf(shelved === undefined ? scope.projects : [shelved.feature.project]);
    if (isThere) countOne(memory, scope, usage, origin, now);
    if (shelved !== undefined) news.noteUse(environment, shelved);
    // One look for all that is noted of a feature, since nearly always all of it is known.
    const project = shelved?.feature.project;
    if (!memory.isDue(`${environment}\n${Object.keys(origin)}\n${usage.featureName}\n${appName}`)) continue;
    if (shelved !== undefined) noteSeen(memory, scope, shelved.feature, now);
    else if (features !== undefined) noteUnknownFlag(memory, { ...usage, environment }, origin, now);
    noteUse(memory, scope, { ...usage, project, origin }, now);
  }
  return leftOut;
}

/** Those of the reported variants that the feature has, and the one that SDKs report where there is none. */
function variantsThere(snapshot: Snapshot | undefined, { featureName, variants }: ReportedUsage) {
  const names = snapshot && variantNamesOf(snapshot).get(featureName);
  return Object.fromEntries(Object.entries(variants).filter(([name]) => name === 'disabled' || names?.has(name)));
}

/** The names of all variants of each feature. */
const variantNamesOf = cachePerObject(
  ({ features }: Snapshot): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(
      features.map(({ name, variants, strategies }) => {
        const all = [...variants, ...strategies.flatMap((strategy) => strategy.variants)];
        return [name, new Set(all.map((variant) => variant.name))];
      }),
    ),
);

function countOne(
  memory: UsageBuffer,
  { environment }: TokenScope,
  usage: ReportedUsage,
  origin: Readonly<Record<string, number>>,
  now: Date,
): void {
  const { featureName, appName, hour, yes, no, variants } = usage;
  const chosen = Object.entries(variants).map(([name, count]) => [`${variantPrefix}${name}`, count]);
  memory.count(
    useKeys.usage(featureName, hour, environment, appName),
    { yes, no, ...Object.fromEntries(chosen) },
    { expiresAtSeconds: computeExpiry(usageSeconds, now), ...origin },
  );
}

function noteSeen(
  memory: UsageBuffer,
  { environment }: TokenScope,
  { project, name }: ShelvedFeature['feature'],
  now: Date,
): void {
  const seen = { lastSeenAt: now.toISOString() };
  memory.note(useKeys.featureSeen(project, name, environment), seen);
  memory.note(useKeys.projectSeen(project), seen);
}

/** Returns the snapshot of the token's scope; undefined while the store is out of reach and nothing is known. */
async function presentSnapshot(request: Request, scope: TokenScope): Promise<Snapshot | undefined> {
  try {
    return await loadSnapshot(request, scope);
  } catch (error) {
    if (error instanceof ApiError && error.name === 'ServiceUnavailable') return undefined;
    throw error;
  }
}
