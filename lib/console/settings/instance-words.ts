import type { InstanceStatistics } from '../../insights/instance-statistics-schema.ts';
import type { Traffic } from '../../usage/traffic-schema.ts';
import { countedPaths } from '../calls/settings.ts';

/** The use of a limit. */
export interface LimitUse {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

type Limits = Readonly<Record<'projects' | 'featureFlags' | 'environments' | 'segments' | 'apiTokens', number>>;

/** Lists the limits of the whole service with their use, the fullest first. */
export function listLimits(statistics: InstanceStatistics, limits: Limits): LimitUse[] {
  const { client, frontend, admin } = statistics.apiTokens;
  return [
    { name: 'Flags', used: statistics.featureToggles, limit: limits.featureFlags },
    { name: 'Projects', used: statistics.projects, limit: limits.projects },
    { name: 'Environments', used: statistics.environments, limit: limits.environments },
    { name: 'Segments', used: statistics.segments, limit: limits.segments },
    { name: 'API tokens', used: client + frontend + admin, limit: limits.apiTokens },
  ]
    .filter(({ limit }) => limit > 0)
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit);
}

/** Lists the numbers of an instance that people ask about, by name. */
export function listNumbers(statistics: InstanceStatistics): (readonly [name: string, value: string])[] {
  const { users, serviceAccounts, groups, activeUsers, productionChanges, clientApps } = statistics;
  const applications = clientApps.find(({ range }) => range === '30d')?.count ?? 0;
  const numbers = [
    ['People', users],
    ['People who were active in 30 days', activeUsers.last30],
    ['Service accounts', serviceAccounts],
    ['Groups', groups],
    ['Archived flags', statistics.archivedFeatureToggles],
    ['Applications in 30 days', applications],
    ['Changes in production in 30 days', productionChanges.last30],
    ['Context fields', statistics.contextFields],
    ['Roles of your own', statistics.customRootRoles],
    ['Exports', statistics.featureExports],
    ['Imports', statistics.featureImports],
    ['Most strategies in an environment', statistics.maxEnvironmentStrategies],
    ['Most conditions of a strategy', statistics.maxConstraints],
    ['Most values of a condition', statistics.maxConstraintValues],
  ] as const;
  return numbers.map(([name, value]) => [name, value.toLocaleString('en')]);
}

/** The calls under a path of the API. */
export interface PathTraffic {
  readonly path: string;
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  readonly days: readonly { readonly period: string; readonly calls: number }[];
}

/** Sums up the calls by path: those of SDKs first. */
export function sumTraffic({ apiData }: Traffic): PathTraffic[] {
  return countedPaths.map(([path, name]) => {
    const points = apiData.find(({ apiPath }) => apiPath === path)?.dataPoints ?? [];
    const days = points.map(({ period, trafficTypes }) => ({
      period,
      calls: trafficTypes.reduce((sum, { count }) => sum + count, 0),
    }));
    return {
      ...{ path, name, days },
      calls: days.reduce((sum, { calls }) => sum + calls, 0),
      errors: points.reduce((sum, { clientErrors, serverErrors }) => sum + clientErrors + serverErrors, 0),
    };
  });
}
