import * as v from 'valibot';
import { boolean, count, object, text, timestamp } from '../values/primitives.ts';

const countsByDays = object({ last7: count, last30: count, last60: count, last90: count });

/** The numbers of all things in the service. */
export const instanceStatistics = object({
  timestamp,
  instanceId: text,
  versionOSS: text,
  versionEnterprise: text,
  users: count,
  serviceAccounts: count,
  apiTokens: object({ admin: count, client: count, frontend: count }),
  activeUsers: countsByDays,
  licensedUsers: count,
  featureToggles: count,
  archivedFeatureToggles: count,
  projects: count,
  contextFields: count,
  roles: count,
  customRootRoles: count,
  customRootRolesInUse: count,
  groups: count,
  environments: count,
  segments: count,
  strategies: count,
  SAMLenabled: boolean,
  OIDCenabled: boolean,
  passwordAuthEnabled: boolean,
  SCIMenabled: boolean,
  clientApps: v.array(object({ range: v.picklist(['7d', '30d', 'allTime']), count })),
  featureExports: count,
  featureImports: count,
  productionChanges: object({ last30: count, last60: count, last90: count }),
  maxEnvironmentStrategies: count,
  maxConstraints: count,
  maxConstraintValues: count,
  releaseTemplates: count,
  releasePlans: count,
  /** Always empty: instances of Unleash Edge are not counted by month. */
  edgeInstanceUsage: v.record(text, v.number()),
  readOnlyUsers: count,
  /** A checksum of some of the numbers. */
  sum: text,
});
export type InstanceStatistics = v.InferOutput<typeof instanceStatistics>;
