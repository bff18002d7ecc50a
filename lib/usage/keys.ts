import type { Key, Partition, Prefixed } from '../store/client/definition.ts';

/* The keys and lists of what is counted or seen. */

/**
 * Evaluations of a feature by an application in an hour; the application's name comes last, since it may hold anything.
 */
export const usage = (feature: string, hour: string, environment: string, application: string): Key => ({
  pk: `USAGE#${feature}`,
  sk: `${hour}#${environment}#${application}`,
});
export const usageOf = (feature: string): Partition => ({ pk: `USAGE#${feature}` });
export const usageInHour = (feature: string, hour: string): Prefixed => ({
  pk: `USAGE#${feature}`,
  prefix: `${hour}#`,
});

/** The times of the last evaluations of a project's features. */
export const seenInProject = (project: string): Partition => ({ pk: `SEEN#${project}` });
/** The time of the last evaluation of a feature in an environment. */
export const featureSeen = (project: string, feature: string, environment: string): Key => ({
  pk: `SEEN#${project}`,
  sk: `${feature}#${environment}`,
});
export const featureSeenAnywhere = (project: string, feature: string): Prefixed => ({
  pk: `SEEN#${project}`,
  prefix: `${feature}#`,
});
/** The time of the last evaluation of any feature of a project. */
export const projectSeen = (project: string): Key => ({ pk: 'SEEN', sk: project });
export const projectsSeen = (): Partition => ({ pk: 'SEEN' });

/** A custom metric of applications: its item holds the name and the labels. */
export const customMetric = (hash: string): Key => ({ pk: 'CUSTOM_METRICS', sk: hash });
export const customMetrics = (): Partition => ({ pk: 'CUSTOM_METRICS' });

/** The calls of a day. */
export const traffic = (day: string): Key => ({ pk: 'TRAFFIC', sk: day });
export const trafficBetween = (from: string, to: string): Partition => ({ pk: 'TRAFFIC', prefix: from, end: to });

export const unknownFlag = (name: string, environment: string, application: string): Key => ({
  pk: 'UNKNOWN_FLAGS',
  sk: `${name}#${environment}#${application}`,
});
export const unknownFlags = (): Partition => ({ pk: 'UNKNOWN_FLAGS' });

/** The reports of an application's SDKs. */
export const applicationSeen = (name: string): Key => ({ pk: 'APPLICATIONS', sk: `SEEN#${name}` });
export const applicationsSeen = (): Prefixed => ({ pk: 'APPLICATIONS', prefix: 'SEEN#' });

/** The recent use of a feature by an application. */
export const applicationFeature = (application: string, environment: string, feature: string): Key => ({
  pk: `APPLICATION_FEATURES#${application}`,
  sk: `${environment}#${feature}`,
});
export const applicationFeatures = (application: string): Partition => ({ pk: `APPLICATION_FEATURES#${application}` });

/** The recent use of a project's features by an application. */
export const projectApplication = (project: string, environment: string, application: string): Key => ({
  pk: `PROJECT_APPLICATIONS#${project}`,
  sk: `${environment}#${application}`,
});
export const projectApplications = (project: string): Partition => ({ pk: `PROJECT_APPLICATIONS#${project}` });

/** The recent use of an SDK version by an application; the item names them. */
export const applicationSdk = (hash: string): Key => ({ pk: 'SDKS', sk: hash });
export const applicationSdks = (): Partition => ({ pk: 'SDKS' });

export const applicationInstance = (application: string, environment: string, instance: string): Key => ({
  pk: `APPLICATION#${application}`,
  sk: `${environment}#${instance}`,
});
export const applicationInstances = (application: string, environment: string): Prefixed => ({
  pk: `APPLICATION#${application}`,
  prefix: `${environment}#`,
});
export const allInstances = (application: string): Partition => ({ pk: `APPLICATION#${application}` });
