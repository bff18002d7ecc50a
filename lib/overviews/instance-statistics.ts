import { createHash } from 'node:crypto';
import { searchApplications } from '../applications/applications.ts';
import { contextFields } from '../context-fields/context-fields.ts';
import { environments } from '../environments/environments.ts';
import { loggedEvents } from '../events/event-log.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { InstanceStatistics } from '../schemas/instance-statistics.ts';
import { segments } from '../segments/segments.ts';
import { loadSamlSettings } from '../settings/saml-settings-store.ts';
import { shelvesOf } from '../snapshot/shelf.ts';
import { strategyTypes } from '../strategies/strategy-types.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { loadMembers } from '../users/accounts.ts';
import { lastBuiltInRole } from '../users/permissions.ts';
import { customRoles } from '../users/roles.ts';
import { loadTokens } from '../users/tokens.ts';

const dayMs = 86_400_000;

/**
 * What there is in the service, in numbers. Changes, exports and imports are counted among the newest 20,000 changes.
 * @param version of this release.
 */
export async function instanceStatistics(table: Table, version: string): Promise<InstanceStatistics> {
  const at = Date.now();
  const [seeded, members, tokens, shelves, fields, everywhere, allSegments, types, saml, known, custom] =
    await Promise.all([
      readItem<{ seededAt: string }>(table, keys.seeded()),
      loadMembers(table),
      loadTokens(table),
      listProjectIds(table).then((ids) => shelvesOf(table, ids)),
      contextFields.list(table),
      environments.list(table),
      segments.list(table),
      strategyTypes.list(table),
      loadSamlSettings(table),
      searchApplications(table, {}),
      customRoles.list(table),
    ]);
  const customRoot = custom.filter(({ type }) => type === 'root-custom');
  const rootRolesInUse = new Set(
    [...members.users, ...members.serviceAccounts, ...members.groups].map(({ rootRole }) => rootRole),
  );
  const production = new Set(everywhere.filter(({ type }) => type === 'production').map(({ name }) => name));
  const changes = await changesOf(table, production, at);
  const features = shelves.flatMap((shelf) => [...shelf.features.values()]);
  const archived = features.filter(({ feature }) => feature.archivedAt !== null);
  const strategies = features.flatMap(({ summaries }) => [...summaries.values()].map((each) => each.strategies));
  const ofKind = (wanted: string) => tokens.filter(({ kind }) => kind === wanted).length;
  const since = (days: number) =>
    known.applications.filter(({ lastSeen }) => Date.parse(lastSeen) > at - days * dayMs).length;
  return {
    timestamp: new Date(at).toISOString(),
    // The same for ever, and unlike that of any other store.
    instanceId: createHash('sha256').update(`${table.name} ${seeded?.seededAt}`).digest('hex').slice(0, 32),
    versionOSS: version,
    versionEnterprise: '',
    users: members.users.length,
    serviceAccounts: members.serviceAccounts.length,
    apiTokens: { admin: ofKind('admin'), client: ofKind('client'), frontend: ofKind('frontend') },
    // Nobody signs in yet.
    activeUsers: { last7: 0, last30: 0, last60: 0, last90: 0 },
    licensedUsers: 0,
    featureToggles: features.length - archived.length,
    archivedFeatureToggles: archived.length,
    projects: shelves.length,
    contextFields: fields.length,
    roles: lastBuiltInRole + custom.length,
    customRootRoles: customRoot.length,
    customRootRolesInUse: customRoot.filter(({ id }) => rootRolesInUse.has(id)).length,
    groups: members.groups.length,
    environments: everywhere.length,
    segments: allSegments.length,
    strategies: types.length,
    SAMLenabled: saml.enabled ?? false,
    OIDCenabled: false,
    passwordAuthEnabled: false,
    SCIMenabled: false,
    clientApps: [
      { range: '7d', count: since(7) },
      { range: '30d', count: since(30) },
      { range: 'allTime', count: known.total },
    ],
    ...changes,
    maxEnvironmentStrategies: strategies.reduce((most, each) => Math.max(most, each), 0),
    releaseTemplates: 0,
    releasePlans: 0,
    readOnlyUsers: 0,
  };
}

async function changesOf(table: Table, production: ReadonlySet<string>, at: number) {
  const counts = { featureExports: 0, featureImports: 0 };
  const productionChanges = { last30: 0, last60: 0, last90: 0 };
  for await (const page of loggedEvents(table, {})) {
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

/** As CSV (RFC 4180): a line of names and one of values, of which objects are JSON. */
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
