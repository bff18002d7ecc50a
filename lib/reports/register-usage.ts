import { noteApplication, noteDropped, noteUse, type Reporter } from '../applications/note-application.ts';
import { ApiError } from '../errors.ts';
import type { BulkMetrics, ClientMetrics, ClientRegistration, CustomMetrics } from '../schemas/client-metrics.ts';
import type { ShelvedFeature } from '../snapshot/shelf.ts';
import { snapshotOf } from '../snapshot/snapshot.ts';
import * as keys from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { noteCustomMetrics } from '../usage/custom-metrics.ts';
import { variantPrefix } from '../usage/feature-usage.ts';
import { type TallyMemory, tallyMemoryOf } from '../usage/tally-memory.ts';
import type { TokenScope } from '../users/token.ts';
import { newsMemoryOf } from './news-memory.ts';
import { isAppName, listOf, type ReportedUsage, recordOf, usageInBucket, usageInBulk } from './reported-usage.ts';

/** How long the use of an hour is kept, and that of a flag that is not there, in seconds. */
const usageSeconds = 30 * 24 * 60 * 60;
const unknownSeconds = 7 * 24 * 60 * 60;
/** How many features that are not there one report may name: more would be made up. */
const strangersMax = 1_000;
/** How many applications a proxy reports for at once. */
const applicationsMax = 1_000;

/** Takes note of an SDK that starts. */
export async function registerApplication(
  table: Table,
  reporter: Reporter,
  registration: ClientRegistration,
): Promise<void> {
  noteReport(table, reporter, registration, new Date());
  await flushUsageIfDue(table);
}

function noteReport(table: Table, reporter: Reporter, registration: ClientRegistration, now: Date): void {
  const { appName } = registration;
  if (!isAppName(appName)) return;
  const isNews = noteApplication(tallyMemoryOf(table), reporter, registration, now);
  if (isNews) newsMemoryOf(table).noteApplication(appName);
}

/** Counts how often an SDK has evaluated which flags. */
export async function registerMetrics(table: Table, reporter: Reporter, metrics: ClientMetrics): Promise<void> {
  const now = new Date();
  const { usage, dropped } = usageInBucket(metrics.appName, metrics.bucket, now);
  const surplus = await countUsage(table, reporter, usage, now);
  if (isAppName(metrics.appName)) noteDropped(tallyMemoryOf(table), metrics.appName, dropped + surplus);
  await registerApplication(table, reporter, metrics);
}

/** Counts what a proxy has collected from SDKs of the environment of its token. */
export async function registerBulkMetrics(
  table: Table,
  reporter: Reporter,
  { applications, metrics }: BulkMetrics,
): Promise<void> {
  const now = new Date();
  const { environment } = reporter.scope;
  await countUsage(table, reporter, usageInBulk(metrics, environment, now).usage, now);
  for (const sent of listOf(applications).slice(0, applicationsMax).map(recordOf)) {
    const { appName } = sent;
    const isHere = sent.environment === undefined || sent.environment === environment;
    if (isAppName(appName) && isHere) noteReport(table, reporter, { ...sent, appName }, now);
  }
  await flushUsageIfDue(table);
}

/** Takes what an application has measured itself. */
export async function registerCustomMetrics(table: Table, metrics: CustomMetrics): Promise<void> {
  noteCustomMetrics(tallyMemoryOf(table), metrics, new Date());
  await flushUsageIfDue(table);
}

/** Writes down what was counted, and what it means for the life of features, if that is due. */
export async function flushUsageIfDue(table: Table): Promise<void> {
  if (await tallyMemoryOf(table).flushIfDue(table)) await newsMemoryOf(table).flush(table);
}

/** Writes down everything that was counted. */
export async function flushUsage(table: Table): Promise<void> {
  await tallyMemoryOf(table).flush(table);
  await newsMemoryOf(table).flush(table);
}

/** Answers how many were left out, since they are of more features that are not there than anybody uses. */
async function countUsage(
  table: Table,
  { scope }: Reporter,
  reported: readonly ReportedUsage[],
  now: Date,
): Promise<number> {
  if (reported.length === 0) return 0;
  const memory = tallyMemoryOf(table);
  const news = newsMemoryOf(table);
  const features = await featuresOf(table, scope);
  if (features !== undefined) news.noteFeatures(scope.projects.join(), features);
  let strange = 0;
  for (const usage of reported) {
    const shelved = features?.get(usage.featureName);
    if (shelved === undefined) strange += 1;
    if (shelved === undefined && strange > strangersMax) continue;
    if (features === undefined || shelved !== undefined) countOne(memory, scope, usage, now);
    if (shelved !== undefined) news.noteUse(scope.environment, shelved);
    // One look for all that is noted of a feature, since nearly always all of it is known.
    const project = shelved?.feature.project;
    const place = `${scope.environment}\n${project}\n${usage.featureName}\n${usage.appName}`;
    if (!memory.isDue(place)) continue;
    if (shelved !== undefined) noteSeen(memory, scope, shelved.feature, now);
    else if (features !== undefined) noteUnknown(memory, scope, usage, now);
    noteUse(memory, scope, { ...usage, project }, now);
  }
  return Math.max(0, strange - strangersMax);
}

function countOne(memory: TallyMemory, { environment }: TokenScope, usage: ReportedUsage, now: Date): void {
  const { featureName, appName, hour, yes, no, variants } = usage;
  const chosen = Object.entries(variants).map(([name, count]) => [`${variantPrefix}${name}`, count]);
  memory.count(
    keys.usage(featureName, hour, environment, appName),
    { yes, no, ...Object.fromEntries(chosen) },
    { expiresAtSeconds: secondsFrom(now, usageSeconds) },
  );
}

function noteSeen(
  memory: TallyMemory,
  { environment }: TokenScope,
  { project, name }: ShelvedFeature['feature'],
  now: Date,
): void {
  const seen = { lastSeenAt: now.toISOString() };
  memory.note(keys.featureSeen(project, name, environment), seen);
  memory.note(keys.projectSeen(project), seen);
}

function noteUnknown(memory: TallyMemory, { environment }: TokenScope, usage: ReportedUsage, now: Date): void {
  memory.note(keys.unknownFlag(usage.featureName, environment, usage.appName), {
    lastSeenAt: now.toISOString(),
    expiresAtSeconds: secondsFrom(now, unknownSeconds),
  });
}

/** The features that the token may read; undefined while the store is out of reach and nothing is known. */
async function featuresOf(table: Table, scope: TokenScope): Promise<ReadonlyMap<string, ShelvedFeature> | undefined> {
  try {
    return (await snapshotOf(table, scope)).shelved;
  } catch (error) {
    if (error instanceof ApiError && error.name === 'ServiceUnavailable') return undefined;
    throw error;
  }
}

function secondsFrom(now: Date, seconds: number): number {
  return Math.floor(now.getTime() / 1_000) + seconds;
}
