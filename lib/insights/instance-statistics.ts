import { contextFields } from '../context-fields/context-fields.ts';
import { environments } from '../environments/environments.ts';
import { readEventLog } from '../events/event-log.ts';
import { loadShelves, type Shelf } from '../features/shelf/shelf.ts';
import { findUsesIn, readStrategies } from '../features/uses/uses.ts';
import { loadMembers } from '../identity/accounts.ts';
import { builtInRoleCount } from '../identity/permissions.ts';
import { customRoles } from '../identity/roles.ts';
import { loadTokens } from '../identity/tokens/tokens.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { segments } from '../segments/segments.ts';
import { loadInstanceId } from '../settings/instance-id.ts';
import { loadSignInSettings } from '../sign-in/sign-in-settings.ts';
import { takesPasswords } from '../sign-in/ways.ts';
import { strategyTypes } from '../strategy-types/strategy-types.ts';
import { searchApplications } from '../usage/applications/applications.ts';
import { sha256 } from '../values/sha256.ts';
import type { InstanceStatistics } from './instance-statistics-schema.ts';

const dayMs = 86_400_000;

/**
 * Counts everything in the service. Changes, exports and imports are counted among the newest 20,000 changes.
 * @param version version of this release.
 */
export async function loadInstanceStatistics(request: Request, version: string): Promise<InstanceStatistics> {
  const at = Date.now();
  const [
    instanceId,
    members,
    tokens,
    shelves,
    fields,
    everywhere,
    allSegments,
    types,
    saml,
    oidc,
    passwords,
    known,
    custom,
  ] = await Promise.all([
    loadInstanceId(request),
    loadMembers(request),
    loadTokens(request),
    listProjectIds(request).then((ids) => loadShelves(request, ids)),
    contextFields.list(request),
    environments.list(request),
    segments.list(request),
    strategyTypes.list(request),
    loadSignInSettings(request, 'saml'),
    loadSignInSettings(request, 'oidc'),
    takesPasswords(request),
    searchApplications(request, {}),
    customRoles.list(request),
  ]);
  const customRoot = custom.filter(({ type }) => type === 'root-custom');
  const rootRolesInUse = new Set(
    [...members.users, ...members.serviceAccounts, ...members.groups].map(({ rootRole }) => rootRole),
  );
  const production = new Set(everywhere.filter(({ type }) => type === 'production').map(({ name }) => name));
  const [changes, constraints] = await Promise.all([
    changesOf(request, production, at),
    mostConstraints(request, shelves),
  ]);
  const features = shelves.flatMap((shelf) => [...shelf.features.values()]);
  const archived = features.filter(({ feature }) => feature.archivedAt !== null);
  const strategies = features.flatMap(({ summaries }) => [...summaries.values()].map((each) => each.strategies));
  const ofKind = (wanted: string) => tokens.filter(({ kind }) => kind === wanted).length;
  const since = (days: number) =>
    known.applications.filter(({ lastSeen }) => Date.parse(lastSeen) > at - days * dayMs).length;
  const activeFor = (days: number) =>
    members.users.filter(({ seenAt }) => seenAt !== undefined && Date.parse(seenAt) > at - days * dayMs).length;
  const statistics: Omit<InstanceStatistics, 'sum'> = {
    timestamp: new Date(at).toISOString(),
    instanceId,
    versionOSS: version,
    versionEnterprise: '',
    users: members.users.length,
    serviceAccounts: members.serviceAccounts.length,
    apiTokens: { admin: ofKind('admin'), client: ofKind('client'), frontend: ofKind('frontend') },
    activeUsers: { last7: activeFor(7), last30: activeFor(30), last60: activeFor(60), last90: activeFor(90) },
    licensedUsers: 0,
    featureToggles: features.length - archived.length,
    archivedFeatureToggles: archived.length,
    projects: shelves.length,
    contextFields: fields.length,
    roles: builtInRoleCount + custom.length,
    customRootRoles: customRoot.length,
    customRootRolesInUse: customRoot.filter(({ id }) => rootRolesInUse.has(id)).length,
    groups: members.groups.length,
    environments: everywhere.length,
    segments: allSegments.length,
    strategies: types.length,
    SAMLenabled: saml.enabled ?? false,
    OIDCenabled: oidc.enabled ?? false,
    passwordAuthEnabled: passwords,
    SCIMenabled: false,
    clientApps: [
      { range: '7d', count: since(7) },
      { range: '30d', count: since(30) },
      { range: 'allTime', count: known.total },
    ],
    ...changes,
    maxEnvironmentStrategies: strategies.reduce((most, each) => Math.max(most, each), 0),
    ...constraints,
    releaseTemplates: 0,
    releasePlans: 0,
    edgeInstanceUsage: {},
    readOnlyUsers: 0,
  };
  return { ...statistics, sum: checksumOf(statistics) };
}

/** Returns the checksum that Unleash makes of them, by which others see whether the numbers were altered. */
function checksumOf(all: Omit<InstanceStatistics, 'sum'>): string {
  const { instanceId, users, featureToggles, projects, roles, groups } = all;
  const parts = [instanceId, users, featureToggles, projects, roles, groups, all.environments, all.segments];
  return sha256(parts.join(''));
}

async function changesOf(request: Request, production: ReadonlySet<string>, at: number) {
  const counts = { featureExports: 0, featureImports: 0 };
  const productionChanges = { last30: 0, last60: 0, last90: 0 };
  for await (const page of readEventLog(request, {})) {
    for (const { type, environment, createdAt } of page) {
      if (type === 'features-exported') counts.featureExports += 1;
      if (type === 'features-imported') counts.featureImports += 1;
      if (environment === null || !production.has(environment)) continue;
      const age = at - Date.parse(createdAt);
      for (const days of [30, 60, 90] as const) if (age <= days * dayMs) productionChanges[`last${days}`] += 1;
    }
  }
  return { ...counts, productionChanges };
}

/**
 * Returns the largest number of constraints of a strategy, and of values of such a constraint. Only strategies that
 * have any are read.
 */
async function mostConstraints(request: Request, shelves: readonly Shelf[]) {
  const most = { maxConstraints: 0, maxConstraintValues: 0 };
  const constrained = findUsesIn(shelves, ({ contextFields: compared }) => compared !== undefined);
  for await (const { strategy } of readStrategies(request, constrained)) {
    most.maxConstraints = Math.max(most.maxConstraints, strategy.constraints.length);
    most.maxConstraintValues = Math.max(
      most.maxConstraintValues,
      ...strategy.constraints.map(({ values }) => values.length),
    );
  }
  return most;
}

/** Returns the numbers as CSV (RFC 4180): a line of names and one of values, with objects as JSON. */
export function statisticsCsv(statistics: InstanceStatistics): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const cell = (value: unknown) => {
    if (typeof value === 'string') return quoted(value);
    return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value);
  };
  return [Object.keys(statistics).map(quoted), Object.values(statistics).map(cell)]
    .map((row) => row.join(','))
    .join('\n');
}
