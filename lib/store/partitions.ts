import type { Partition } from './client/definition.ts';
import {
  arrivalsPartition,
  favoritesPartition,
  lanesPartition,
  overridePrefix,
  padded,
  referrersPartition,
  seenPartition,
  sentPartition,
  sessionsPartition,
  shelfPartition,
  tokenShard,
  uiStatePartition,
} from './partition-names.ts';

/* Every list of the table, and where its items are, but those of entities, which declare their own. */

type Prefixed = Omit<Partition, 'end'> & { readonly prefix: string };

/** The things of a kind that came from a server which was migrated. */
export const arrivals = (address: string, kind: string): Prefixed => arrivalsPartition(address, kind);
export const projects = (): Partition => ({ pk: 'PROJECTS' });
/** The marks of private projects, and of the environments of any project in which changes need approval. */
export const projectMarks = (): Partition => ({ pk: 'PRIVATE_PROJECTS' });
export const protectedEnvironments = (project: string): Prefixed => ({ pk: 'PRIVATE_PROJECTS', prefix: `${project}#` });
/** The marks of overrides in a project, or in one of its environments. */
export const overrides = (project: string, environment?: string): Prefixed => ({
  pk: 'PRIVATE_PROJECTS',
  prefix: `${overridePrefix}${project}#${environment === undefined ? '' : `${environment}#`}`,
});
export const changedUnder = (changeRequest: number): Prefixed => ({
  pk: `CHANGE_REQUEST#${padded(changeRequest)}`,
  prefix: 'CHANGED#',
});
export const feature = (name: string): Partition => ({ pk: `FEATURE#${name}` });
export const featureChildren = (name: string): Prefixed => ({ pk: `FEATURE#${name}`, prefix: 'CHILD#' });
export const featureEvents = (name: string): Partition => ({ pk: `FEATURE#${name}#EVENTS` });
/** The events of a feature from an item on. */
export const featureEventsFrom = (name: string, firstId: number): Partition => ({
  pk: `FEATURE#${name}#EVENTS`,
  prefix: padded(firstId),
  end: padded(Number.MAX_SAFE_INTEGER),
});
export const defaultStrategies = (project: string): Prefixed => ({
  pk: `PROJECT#${project}`,
  prefix: 'DEFAULT_STRATEGY#',
});
export const listedFeatures = (project: string): Prefixed => ({ pk: shelfPartition(project), prefix: 'FEATURE#' });
/** The features that a project lists, and after them the marks that tell whether all of them are of one moment. */
export const listedFeaturesAndMarks = (project: string): Partition => ({
  pk: shelfPartition(project),
  prefix: 'FEATURE#',
  end: 'MARK#~',
});
export const deliveries = (project: string, environment: string): Prefixed => ({
  pk: shelfPartition(project),
  prefix: `DELIVERY#${environment}#`,
});
export const marks = (project: string): Prefixed => ({ pk: shelfPartition(project), prefix: 'MARK#' });
export const archivedFeatures = (project: string): Partition => ({ pk: `PROJECT#${project}#ARCHIVE` });
export const expiries = (): Partition => ({ pk: 'EXPIRIES' });
export const mails = (): Partition => ({ pk: 'MAILS' });
export const schedules = (): Partition => ({ pk: 'SCHEDULES' });
export const changeRequests = (project: string, state: 'OPEN' | 'CLOSED' | 'PENDING'): Prefixed => ({
  pk: `PROJECT#${project}#CHANGE_REQUESTS`,
  prefix: `${state}#`,
});
export const environments = (): Partition => ({ pk: 'ENVIRONMENTS' });
export const referrers = (kind: string, id: string): Prefixed => ({ pk: referrersPartition(kind, id), prefix: 'BY#' });
export const tags = (type: string): Partition => ({ pk: `TAGS#${type}` });
export const usage = (feature: string): Partition => ({ pk: `USAGE#${feature}` });
export const usageInHour = (feature: string, hour: string): Prefixed => ({
  pk: `USAGE#${feature}`,
  prefix: `${hour}#`,
});
export const seen = (project: string): Partition => ({ pk: seenPartition(project) });
export const featureSeen = (project: string, feature: string): Prefixed => ({
  pk: seenPartition(project),
  prefix: `${feature}#`,
});
export const projectsSeen = (): Partition => ({ pk: 'SEEN' });
export const customMetrics = (): Partition => ({ pk: 'CUSTOM_METRICS' });
export const traffic = (from: string, to: string): Partition => ({ pk: 'TRAFFIC', prefix: from, end: to });
export const unknownFlags = (): Partition => ({ pk: 'UNKNOWN_FLAGS' });
export const applicationInstances = (application: string, environment: string): Prefixed => ({
  pk: `APPLICATION#${application}`,
  prefix: `${environment}#`,
});
export const allInstances = (application: string): Partition => ({ pk: `APPLICATION#${application}` });
export const applicationFeatures = (application: string): Partition => ({ pk: `APPLICATION_FEATURES#${application}` });
export const projectApplications = (project: string): Partition => ({ pk: `PROJECT_APPLICATIONS#${project}` });
export const applicationSdks = (): Partition => ({ pk: 'SDKS' });
export const applicationsSeen = (): Prefixed => ({ pk: 'APPLICATIONS', prefix: 'SEEN#' });
export const sending = (): Partition => ({ pk: 'SENDING' });
export const lanes = (addon: number): Partition => ({ pk: lanesPartition(addon) });
export const pendingLanes = (addon: number): Prefixed => ({ pk: lanesPartition(addon), prefix: 'PENDING#' });
export const sendingsAgain = (addon: number): Prefixed => ({ pk: lanesPartition(addon), prefix: 'AGAIN#' });
export const sentEvents = (addon: number): Partition => ({ pk: sentPartition(addon) });
export const access = (): Partition => ({ pk: 'ACCESS' });
export const favoriteProjects = (userId: number): Prefixed => ({ pk: favoritesPartition(userId), prefix: 'PROJECT#' });
export const favoriteFeatures = (userId: number): Prefixed => ({ pk: favoritesPartition(userId), prefix: 'FEATURE#' });
export const uiState = (userId: number): Partition => ({ pk: uiStatePartition(userId) });
export const tokens = (): Partition[] => [...'0123456789abcdef'].map((digit) => ({ pk: tokenShard(digit) }));
export const invitations = (): Partition => ({ pk: 'INVITATIONS' });
export const signedInOrNot = (): Partition => ({ pk: 'SIGN_INS' });
export const sessions = (userId: number): Partition => ({ pk: sessionsPartition(userId) });
export const keptRequest = (request: string): Partition => ({ pk: `REQUEST#${request}` });
export const serviceEvents = (month: string): Partition => ({ pk: `EVENTS#${month}` });
