import { contextFields } from '../context-fields/context-fields.ts';
import { environments } from '../environments/environments.ts';
import { readEventLog } from '../events/event-log.ts';
import { loadReadModels, type ReadModel } from '../features/read-model/read-model.ts';
import { findUsesIn, readStrategies } from '../features/uses/uses.ts';
import { loadMembers } from '../identity/accounts.ts';
import { builtInRoleCount } from '../identity/permissions.ts';
import { customRoles } from '../identity/roles.ts';
import { loadTokens } from '../identity/tokens/tokens.ts';
import { readScimSettings } from '../people/scim-settings.ts';
import { listProjectIds } from '../projects/projects.ts';
import { releaseTemplates } from '../release-plans/templates.ts';
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
 * Counts everything in the service. Changes, exports and imports are counted in the newest 20,000 events.
 * @param version the version of this release.
 */
export async function loadInstanceStatistics(request: Request, version: string): Promise<InstanceStatistics> {
  const at = Date.now();
  const [
    instanceId,
    members,
    tokens,
    readModels,
    fields,
    allEnvironments,
    allSegments,
    types,
    saml,
    oidc,
    passwords,
    scim,
    applications,
    customRoleList,
    templates,
  ] = await Promise.all([
    loadInstanceId(request),
    loadMembers(request),
    loadTokens(request),
    listProjectIds(request).then((ids) => loadReadModels(request, ids)),
    contextFields.list(request),
    environments.list(request),
    segments.list(request),
    strategyTypes.list(request),
    loadSignInSettings(request, 'saml'),
    loadSignInSettings(request, 'oidc'),
    takesPasswords(request),
    readScimSettings(request).then(({ value }) => value),
    searchApplications(request, {}),
    customRoles.list(request),
    releaseTemplates.list(request),
  ]);
  const customRoot = customRoleList.filter(({ type }) => type === 'root-custom');
  const rootRolesInUse = new Set(
    [...members.users, ...members.serviceAccounts, ...members.groups].map(({ rootRole }) => rootRole),
  );
  const production = new Set(allEnvironments.filter(({ type }) => type === 'production').map(({ name }) => name));
  const [changes, constraints] = await Promise.all([
    countChanges(request, production, at),
    findMostConstraints(request, readModels),
  ]);
  const features = readModels.flatMap((readModel) => [...readModel.features.values()]);
  const archived = features.filter(({ feature }) => feature.archivedAt !== null);
  const states = features.flatMap(({ summaries }) => [...summaries.values()]);
  const countTokens = (tokenKind: string) => tokens.filter(({ kind }) => kind === tokenKind).length;
  const countApplicationsSince = (days: number) =>
    applications.applications.filter(({ lastSeen }) => Date.parse(lastSeen) > at - days * dayMs).length;
  const countActiveUsers = (days: number) =>
    members.users.filter(({ seenAt }) => seenAt !== undefined && Date.parse(seenAt) > at - days * dayMs).length;
  const statistics: Omit<InstanceStatistics, 'sum'> = {
    timestamp: new Date(at).toISOString(),
    instanceId,
    versionOSS: version,
    versionEnterprise: '',
    users: members.users.length,
    serviceAccounts: members.serviceAccounts.length,
    apiTokens: { admin: countTokens('admin'), client: countTokens('client'), frontend: countTokens('frontend') },
    activeUsers: {
      last7: countActiveUsers(7),
      last30: countActiveUsers(30),
      last60: countActiveUsers(60),
      last90: countActiveUsers(90),
    },
    licensedUsers: 0,
    featureToggles: features.length - archived.length,
    archivedFeatureToggles: archived.length,
    projects: readModels.length,
    contextFields: fields.length,
    roles: builtInRoleCount + customRoleList.length,
    customRootRoles: customRoot.length,
    customRootRolesInUse: customRoot.filter(({ id }) => rootRolesInUse.has(id)).length,
    groups: members.groups.length,
    environments: allEnvironments.length,
    segments: allSegments.length,
    strategies: types.length,
    SAMLenabled: saml.enabled ?? false,
    OIDCenabled: oidc.enabled ?? false,
    passwordAuthEnabled: passwords,
    SCIMenabled: scim.enabled,
    clientApps: [
      { range: '7d', count: countApplicationsSince(7) },
      { range: '30d', count: countApplicationsSince(30) },
      { range: 'allTime', count: applications.total },
    ],
    ...changes,
    maxEnvironmentStrategies: states.reduce((max, { strategies }) => Math.max(max, strategies), 0),
    ...constraints,
    releaseTemplates: templates.filter(({ archivedAt }) => archivedAt === null).length,
    releasePlans: states.filter(({ plan }) => plan !== undefined).length,
    edgeInstanceUsage: {},
    readOnlyUsers: 0,
  };
  return { ...statistics, sum: buildChecksum(statistics) };
}

/** Builds the same checksum as Unleash, which shows whether somebody altered the numbers. */
function buildChecksum(statistics: Omit<InstanceStatistics, 'sum'>): string {
  const { instanceId, users, featureToggles, projects, roles, groups } = statistics;
  const { environments: environmentCount, segments: segmentCount } = statistics;
  const parts = [instanceId, users, featureToggles, projects, roles, groups, environmentCount, segmentCount];
  return sha256(parts.join(''));
}

async function countChanges(request: Request, production: ReadonlySet<string>, at: number) {
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

/** Finds the largest number of constraints of a strategy, and of values of a constraint. It reads only strategies with any. */
async function findMostConstraints(request: Request, readModels: readonly ReadModel[]) {
  const result = { maxConstraints: 0, maxConstraintValues: 0 };
  const constrained = findUsesIn(readModels, ({ contextFields: compared }) => compared !== undefined);
  for await (const { strategy } of readStrategies(request, constrained)) {
    result.maxConstraints = Math.max(result.maxConstraints, strategy.constraints.length);
    result.maxConstraintValues = Math.max(
      result.maxConstraintValues,
      ...strategy.constraints.map(({ values }) => values.length),
    );
  }
  return result;
}

/** Formats the numbers as CSV (RFC 4180): a line of names and a line of values, with objects as JSON. */
export function formatStatisticsCsv(statistics: InstanceStatistics): string {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const formatCell = (value: unknown) => {
    if (typeof value === 'string') return quote(value);
    return typeof value === 'object' ? quote(JSON.stringify(value)) : String(value);
  };
  return [Object.keys(statistics).map(quote), Object.values(statistics).map(formatCell)]
    .map((row) => row.join(','))
    .join('\n');
}
