import { itemKey, itemsUnder, type Partition } from '../store/client/definition.ts';

/* The keys and lists of usage, applications and traffic. */

/** A custom metric of applications: its item holds the name and the labels. */
export const customMetric = (hash: string) => itemKey('CUSTOM_METRICS', hash);
export const customMetrics = (): Partition => ({ pk: 'CUSTOM_METRICS' });

/** An impact metric: its item holds the type and the help text. */
export const impactMetric = (name: string) => itemKey('IMPACT_METRICS', name);
export const impactMetrics = (): Partition => ({ pk: 'IMPACT_METRICS' });
/** The measurements of an impact metric in a minute, as in `2026-11-29T18:20`, or in an hour, or the labels of the hour's series. */
export const impactPeriod = (metric: string, kind: ImpactItem, time: string) =>
  itemKey(`IMPACT_METRIC#${metric}`, `${kind}#${time}`);
export const impactPeriods = (metric: string, kind: ImpactItem, from: string, to: string): Partition => ({
  pk: `IMPACT_METRIC#${metric}`,
  prefix: `${kind}#${from}`,
  end: `${kind}#${to}`,
});
export type ImpactItem = 'MINUTE' | 'HOUR' | 'LABELS';

/** The reports about a feature with a safeguard in an environment, in a minute as in `2026-11-29T18:20`. */
export const featureMinute = (feature: string, environment: string, minute: string) =>
  itemKey(`FEATURE_MINUTES#${feature}#${environment}`, minute);
export const featureMinutes = (feature: string, environment: string, from: string, to: string): Partition => ({
  pk: `FEATURE_MINUTES#${feature}#${environment}`,
  prefix: from,
  end: to,
});

/** The calls of a day. */
export const traffic = (day: string) => itemKey('TRAFFIC', day);
export const trafficBetween = (from: string, to: string): Partition => ({ pk: 'TRAFFIC', prefix: from, end: to });

export const unknownFlag = (name: string, environment: string, application: string) =>
  itemKey('UNKNOWN_FLAGS', `${name}#${environment}#${application}`);
export const unknownFlags = (): Partition => ({ pk: 'UNKNOWN_FLAGS' });

/** The last report of an application's SDKs. */
export const applicationSeen = (name: string) => itemKey('APPLICATIONS', `SEEN#${name}`);
export const applicationsSeen = () => itemsUnder('APPLICATIONS', 'SEEN#');

/** The recent use of a feature by an application. */
export const applicationFeature = (application: string, environment: string, feature: string) =>
  itemKey(`APPLICATION_FEATURES#${application}`, `${environment}#${feature}`);
export const applicationFeatures = (application: string): Partition => ({ pk: `APPLICATION_FEATURES#${application}` });

/** The recent use of a project's features by an application. */
export const projectApplication = (project: string, environment: string, application: string) =>
  itemKey(`PROJECT_APPLICATIONS#${project}`, `${environment}#${application}`);
export const projectApplications = (project: string): Partition => ({ pk: `PROJECT_APPLICATIONS#${project}` });

/** The recent use of an SDK version by an application; the item contains both names. */
export const applicationSdk = (hash: string) => itemKey('SDKS', hash);
export const applicationSdks = (): Partition => ({ pk: 'SDKS' });

/** The evaluations of a project's flags in a week, as in `2026-07`. */
export const projectWeek = (week: string, project: string) => itemKey(`PROJECT_WEEKS#${week}`, `COUNTS#${project}`);
/** The applications, environments and flags of these evaluations. */
export const projectWeekUse = (week: string, project: string) => itemKey(`PROJECT_WEEKS#${week}`, `USE#${project}`);
export const projectsInWeek = (week: string): Partition => ({ pk: `PROJECT_WEEKS#${week}` });

export const applicationInstance = (application: string, environment: string, instance: string) =>
  itemKey(`APPLICATION#${application}`, `${environment}#${instance}`);
export const applicationInstances = (application: string, environment: string) =>
  itemsUnder(`APPLICATION#${application}`, `${environment}#`);
export const allInstances = (application: string): Partition => ({ pk: `APPLICATION#${application}` });
