import { ApiError } from '../errors.ts';
import type { BulkMetrics, ClientMetrics, ClientRegistration } from '../schemas/client-metrics.ts';
import { type Snapshot, snapshotOf } from '../snapshot/snapshot.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TokenScope } from '../users/token.ts';
import { noteApplication } from './applications.ts';
import { isAppName, listOf, type ReportedUsage, recordOf, usageInBucket, usageInBulk } from './reported-usage.ts';
import { type TallyMemory, tallyMemoryOf } from './tally-memory.ts';

/** Who reports: what their token may read, and where from. */
export interface Reporter {
  readonly scope: TokenScope;
  readonly address: string;
}

/** How long the use of an hour is kept, and that of a flag that is not there, in seconds. */
const usageSeconds = 30 * 24 * 60 * 60;
const unknownSeconds = 7 * 24 * 60 * 60;
/** What one report may name that was not counted before: more would be made up. */
const newKeysMax = 1_000;

/** Takes note of an SDK that starts. */
export async function registerApplication(
  table: Table,
  reporter: Reporter,
  registration: ClientRegistration,
): Promise<void> {
  const memory = tallyMemoryOf(table);
  noteApplication(memory, reporter, registration, new Date());
  await memory.flushIfDue(table);
}

/** Counts how often an SDK has evaluated which flags. */
export async function registerMetrics(table: Table, reporter: Reporter, metrics: ClientMetrics): Promise<void> {
  const now = new Date();
  await countUsage(table, reporter, usageInBucket(metrics.appName, metrics.bucket, now), now);
  await registerApplication(table, reporter, metrics);
}

/** Counts what a proxy has collected from SDKs of the environment of its token. */
export async function registerBulkMetrics(
  table: Table,
  reporter: Reporter,
  { applications, metrics }: BulkMetrics,
): Promise<void> {
  const now = new Date();
  const memory = tallyMemoryOf(table);
  const { environment } = reporter.scope;
  await countUsage(table, reporter, usageInBulk(metrics, environment, now), now);
  for (const sent of listOf(applications).slice(0, newKeysMax).map(recordOf)) {
    const { appName } = sent;
    const isHere = sent.environment === undefined || sent.environment === environment;
    if (isAppName(appName) && isHere) noteApplication(memory, reporter, { ...sent, appName }, now);
  }
  await memory.flushIfDue(table);
}

async function countUsage(
  table: Table,
  { scope }: Reporter,
  reported: readonly ReportedUsage[],
  now: Date,
): Promise<void> {
  if (reported.length === 0) return;
  const memory = tallyMemoryOf(table);
  const projects = await projectsOfFeatures(table, scope);
  const sizeMax = memory.size + newKeysMax;
  for (const usage of reported) {
    if (memory.size >= sizeMax) return;
    const project = projects?.get(usage.featureName);
    if (projects === undefined || project !== undefined) countOne(memory, scope, usage, now);
    if (project !== undefined) noteSeen(memory, scope, project, usage, now);
    else if (projects !== undefined) noteUnknown(memory, scope, usage, now);
  }
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

/** What stands before the name of a variant among the attributes of an item. */
export const variantPrefix = 'v:';

function noteSeen(
  memory: TallyMemory,
  { environment }: TokenScope,
  project: string,
  { featureName }: ReportedUsage,
  now: Date,
): void {
  memory.note(keys.featureSeen(project, featureName, environment), { lastSeenAt: now.toISOString() });
}

function noteUnknown(memory: TallyMemory, { environment }: TokenScope, usage: ReportedUsage, now: Date): void {
  memory.note(keys.unknownFlag(usage.featureName, environment, usage.appName), {
    lastSeenAt: now.toISOString(),
    expiresAtSeconds: secondsFrom(now, unknownSeconds),
  });
}

const projectsBySnapshot = new WeakMap<Snapshot, ReadonlyMap<string, string>>();

/** The projects of the features that the token may read; undefined while the store is out of reach and nothing is known. */
async function projectsOfFeatures(table: Table, scope: TokenScope): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const snapshot = await snapshotOf(table, scope);
    const projects =
      projectsBySnapshot.get(snapshot) ?? new Map(snapshot.features.map(({ name, project }) => [name, project]));
    projectsBySnapshot.set(snapshot, projects);
    return projects;
  } catch (error) {
    if (error instanceof ApiError && error.name === 'ServiceUnavailable') return undefined;
    throw error;
  }
}

function secondsFrom(now: Date, seconds: number): number {
  return Math.floor(now.getTime() / 1_000) + seconds;
}
