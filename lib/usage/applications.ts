import { notFound } from '../errors.ts';
import type { ApplicationsQuery } from '../schemas/application.ts';
import type { ClientRegistration } from '../schemas/client-metrics.ts';
import { keys, partitions } from '../table/keys.ts';
import { queryAll, readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TokenScope } from '../users/token.ts';
import type { TallyMemory } from './tally-memory.ts';

/** How long an instance is known after its last report, in seconds. */
const instanceSeconds = 24 * 60 * 60;
/** No text that an SDK says of itself is longer. */
const textLengthMax = 255;
const strategiesMax = 100;
/** Before a project and an environment in which an application has reported, among the attributes of its item. */
const usagePrefix = 'in:';

/** An application as its SDKs have described it. */
export interface Application {
  readonly appName: string;
  readonly createdAt: string;
  readonly lastSeen: string;
  readonly sdkVersion?: string;
  readonly strategies: readonly string[];
  /** Where it has reported from: by its tokens. */
  readonly usage: readonly { readonly project: string; readonly environments: readonly string[] }[];
}

interface ApplicationItem {
  readonly sk: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly sdkVersion?: string;
  /** JSON: string[]. */
  readonly strategies?: string;
}

/** Takes note of an application and of the instance of it that reports. */
export function noteApplication(
  memory: TallyMemory,
  { scope, address }: { readonly scope: TokenScope; readonly address: string },
  { appName, instanceId, sdkVersion, strategies }: ClientRegistration,
  now: Date,
): void {
  const at = now.toISOString();
  const sdk = textOf(sdkVersion);
  const known = Array.isArray(strategies) ? strategies.filter((each) => textOf(each) !== undefined) : [];
  const places = scope.projects.map((project) => [`${usagePrefix}${project}#${scope.environment}`, at]);
  const key = keys.application(appName);
  // A start says more than a report, and must not be lost behind it.
  if (known.length > 0) memory.forget(key);
  memory.note(
    key,
    {
      seenAt: at,
      ...(sdk !== undefined && { sdkVersion: sdk }),
      ...(known.length > 0 && { strategies: JSON.stringify(known.slice(0, strategiesMax)) }),
      ...Object.fromEntries(places),
    },
    { createdAt: at },
  );
  const instance = textOf(instanceId);
  if (instance === undefined) return;
  memory.note(keys.applicationInstance(appName, scope.environment, instance), {
    seenAt: at,
    address,
    ...(sdk !== undefined && { sdkVersion: sdk }),
    expiresAtSeconds: Math.floor(now.getTime() / 1_000) + instanceSeconds,
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > textLengthMax) return undefined;
  return value.isWellFormed() ? value : undefined;
}

const pageSize = 1_000;

/** The applications that have reported, of which the name has the text that is asked for, sorted and page by page. */
export async function searchApplications(
  table: Table,
  { query = '', offset = 0, limit = pageSize, sortBy = 'appName', sortOrder = 'asc' }: ApplicationsQuery,
): Promise<{ total: number; applications: Application[] }> {
  const items = await queryAll<ApplicationItem>(table, partitions.applications());
  const wanted = query.toLowerCase();
  const found = items.map(applicationOf).filter(({ appName }) => appName.toLowerCase().includes(wanted));
  const sorted = found.toSorted((a, b) => a[sortBy].localeCompare(b[sortBy]));
  const ordered = sortOrder === 'asc' ? sorted : sorted.toReversed();
  return { total: found.length, applications: ordered.slice(offset, offset + Math.min(limit, pageSize)) };
}

/** @throws ApiError 404 for one that has never reported. */
export async function loadApplication(table: Table, appName: string): Promise<Application> {
  const item = await readItem<ApplicationItem>(table, keys.application(appName));
  if (item === undefined) throw notFound('application', appName);
  return applicationOf(item);
}

interface InstanceItem {
  readonly sk: string;
  readonly seenAt: string;
  readonly address: string;
  readonly sdkVersion?: string;
  readonly expiresAtSeconds: number;
}

/** The instances of an application that have reported from an environment within a day. */
export async function listInstances(table: Table, appName: string, environment: string) {
  const { pk, prefix } = partitions.applicationInstances(appName, environment);
  const items = await queryAll<InstanceItem>(table, { pk, prefix });
  const now = Date.now() / 1_000;
  return items
    .filter(({ expiresAtSeconds }) => expiresAtSeconds > now)
    .map(({ sk, seenAt, address, sdkVersion }) => ({
      instanceId: sk.slice(prefix.length),
      clientIp: address,
      ...(sdkVersion !== undefined && { sdkVersion }),
      lastSeen: seenAt,
    }));
}

function applicationOf({
  sk: appName,
  createdAt,
  seenAt,
  sdkVersion,
  strategies = '[]',
  ...others
}: ApplicationItem): Application {
  const places = Object.keys(others)
    .filter((name) => name.startsWith(usagePrefix))
    .toSorted()
    .map((name) => name.slice(usagePrefix.length).split('#'));
  const byProject = Map.groupBy(places, ([project = '']) => project);
  return {
    appName,
    createdAt,
    lastSeen: seenAt,
    ...(sdkVersion !== undefined && { sdkVersion }),
    strategies: JSON.parse(strategies),
    usage: [...byProject].map(([project, of]) => ({
      project,
      environments: of.map(([, environment = '']) => environment),
    })),
  };
}
