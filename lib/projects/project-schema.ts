import * as v from 'valibot';
import { projectFeature } from '../features/feature-list-schema.ts';
import { defaultStrategy } from '../features/strategies/strategy-schema.ts';
import {
  boolean,
  count,
  id,
  lenientText,
  name,
  nameRule,
  nonEmptyText,
  object,
  text,
  textOfLength,
  timestamp,
  titleOfLength,
} from '../values/primitives.ts';
import { approvals, onDrift, overrideDelayMinutes, selfApproval } from './approval-schema.ts';

/** `*` means all projects; paths have the others in place of an id. */
export const reservedIds: readonly string[] = ['*', 'archive', 'revive'];
const reservedRule = 'A project must not be called "*", "archive" or "revive".';

/** The id of a new project. */
export const projectId = v.pipe(name, v.notValues(reservedIds, reservedRule));

/** Collaboration mode of a project. Members alone see a private one; `protected` is only shown. */
const mode = v.picklist(['open', 'protected', 'private']);
export type ProjectMode = v.InferOutput<typeof mode>;

export const projectName = titleOfLength(255);
const stickiness = v.pipe(nonEmptyText, v.maxLength(100));
/** The most live features of a project; null for no limit. */
const featureLimit = v.nullable(count);

/** A new project in requests. */
export const projectInput = object({
  /** Omitted or empty, it is made from the name. */
  id: v.exactOptional(
    v.pipe(
      text,
      v.check((sent) => sent === '' || v.is(projectId, sent), `${nameRule} ${reservedRule}`),
    ),
  ),
  name: projectName,
  description: v.exactOptional(v.nullable(lenientText)),
  mode: v.exactOptional(mode),
  defaultStickiness: v.exactOptional(stickiness),
  featureLimit: v.exactOptional(featureLimit),
  /** Omitted, all that are enabled. */
  environments: v.exactOptional(v.pipe(v.array(name), v.maxLength(100))),
  changeRequestEnvironments: v.exactOptional(
    v.pipe(v.array(object({ name, requiredApprovals: v.exactOptional(approvals) })), v.maxLength(100)),
  ),
});
export type ProjectInput = v.InferOutput<typeof projectInput>;

/** A new project in replies. */
export const createdProject = object({
  id: name,
  name: text,
  description: v.exactOptional(text),
  mode,
  defaultStickiness: text,
  featureLimit,
  environments: v.array(name),
  changeRequestEnvironments: v.array(object({ name, requiredApprovals: v.exactOptional(id) })),
});

/** Properties of a project that can be changed. */
export const projectUpdate = object({
  /** Names from before the rule for names are still taken. */
  name: textOfLength(1, 255),
  description: v.exactOptional(v.nullable(lenientText)),
  mode: v.exactOptional(mode),
  defaultStickiness: v.exactOptional(stickiness),
  featureLimit: v.exactOptional(featureLimit),
});
export type ProjectUpdate = v.InferOutput<typeof projectUpdate>;

/** The pattern for names of new features (`createFeatureNamingPatternSchema`). */
const featureNamingInput = object({
  pattern: v.nullable(v.pipe(text, v.maxLength(500))),
  example: v.exactOptional(v.nullable(text)),
  description: v.exactOptional(v.nullable(lenientText)),
});
export type FeatureNamingInput = v.InferOutput<typeof featureNamingInput>;

const linkTemplate = object({
  title: v.exactOptional(v.nullable(text)),
  /** {{project}} and {{feature}} stand for their names. */
  urlTemplate: v.pipe(text, v.regex(/^https?:\/\/./i, 'An address of http or https is required.')),
});
export type LinkTemplate = v.InferOutput<typeof linkTemplate>;

/** Rules and defaults of a project for new features. */
export const projectSettings = object({
  mode: v.exactOptional(mode),
  featureNaming: v.exactOptional(featureNamingInput),
  /** New features get a link from each; a feature has at most 10 links. */
  linkTemplates: v.exactOptional(v.pipe(v.array(linkTemplate), v.maxLength(10))),
});
export type ProjectSettings = v.InferOutput<typeof projectSettings>;

/** A number of days with one decimal. */
const days = v.number();

const percentage = v.pipe(count, v.maxValue(100));

/** A user or a service account with the role Owner. */
export const userOwner = object({ ownerType: v.literal('user'), name: text, email: v.nullable(text) });

/** A user, service account or group with the role Owner; `system` if there is none. */
export const owner = v.variant('ownerType', [
  object({ ownerType: v.literal('system') }),
  userOwner,
  object({ ownerType: v.literal('group'), name: text }),
]);

/** A project in the list of all. */
export const listedProject = object({
  id: name,
  name: text,
  description: v.exactOptional(text),
  defaultStickiness: text,
  createdAt: timestamp,
  archivedAt: v.nullable(timestamp),
  mode,
  favorite: boolean,
  featureCount: count,
  staleFeatureCount: count,
  health: percentage,
  technicalDebt: percentage,
  memberCount: count,
  owners: v.array(owner),
  /** Time of the last use of its features; null if there was none. */
  lastReportedFlagUsage: v.nullable(timestamp),
  /** Time of the last change of the project or one of its features. */
  lastUpdatedAt: timestamp,
  onboardingStatus: object({ status: v.picklist(['onboarding-started', 'first-flag-created', 'onboarded']) }),
});
export type ListedProject = v.InferOutput<typeof listedProject>;

/** Activity of a project in the last 30 days, and in the 30 days before (`projectStatsSchema`). */
const projectStatistics = object({
  avgTimeToProdCurrentWindow: days,
  createdCurrentWindow: count,
  createdPastWindow: count,
  archivedCurrentWindow: count,
  archivedPastWindow: count,
  projectActivityCurrentWindow: count,
  projectActivityPastWindow: count,
  projectMembersAddedCurrentWindow: count,
});
export type ProjectStatistics = v.InferOutput<typeof projectStatistics>;

/** A project with its belongings and statistics. */
export const projectOverview = object({
  version: v.literal(1),
  name: text,
  description: v.exactOptional(text),
  defaultStickiness: text,
  mode,
  featureLimit,
  featureNaming: object({ pattern: v.nullable(text), example: v.nullable(text), description: v.nullable(text) }),
  linkTemplates: v.array(linkTemplate),
  createdAt: timestamp,
  /** Time of the last change of the project itself, or of its creation. */
  updatedAt: timestamp,
  archivedAt: v.nullable(timestamp),
  favorite: boolean,
  members: count,
  health: percentage,
  technicalDebt: percentage,
  environments: v.array(
    object({ environment: name, changeRequestsEnabled: boolean, defaultStrategy: v.exactOptional(defaultStrategy) }),
  ),
  featureTypeCounts: v.array(object({ type: text, count })),
  stats: projectStatistics,
  /** The progress of the project. It has the name of the first feature once there is one, until an SDK asks for it. */
  onboardingStatus: object({
    status: v.picklist(['onboarding-started', 'first-flag-created', 'onboarded']),
    feature: v.exactOptional(name),
  }),
});
export type ProjectOverview = v.InferOutput<typeof projectOverview>;

const stageSummary = object({ averageDays: v.nullable(days), currentFlags: count });

/** The life cycle of the features of a project, and its other belongings. */
export const projectStatus = object({
  activityCountByDate: v.array(object({ date: text, count })),
  resources: object({ apiTokens: count, members: count, segments: count }),
  health: object({ current: percentage }),
  technicalDebt: object({ current: percentage }),
  lifecycleSummary: object({
    initial: stageSummary,
    preLive: stageSummary,
    live: stageSummary,
    completed: stageSummary,
    archived: object({ currentFlags: count, last30Days: count }),
  }),
  staleFlags: object({ total: count }),
});
export type ProjectStatus = v.InferOutput<typeof projectStatus>;

const {
  linkTemplates: _links,
  archivedAt: _archived,
  featureTypeCounts,
  onboardingStatus: _,
  ...reported
} = projectOverview.entries;

/** A project with its features, as in Unleash 6. */
export const projectWithFeatures = object({ ...reported, features: v.array(projectFeature) });
export type ProjectWithFeatures = v.InferOutput<typeof projectWithFeatures>;

const staleness = { activeCount: count, staleCount: count, potentiallyStaleCount: count };

/** A project with its features, and how many of them are stale. */
export const healthReport = object({ ...projectWithFeatures.entries, ...staleness });
export type HealthReport = v.InferOutput<typeof healthReport>;

/** Days until features were switched on in production (`projectDoraMetricsSchema`). */
export const leadTime = object({
  projectAverage: days,
  features: v.array(object({ name, timeToProduction: count })),
});
export type LeadTime = v.InferOutput<typeof leadTime>;

/** Health and recent activity of a project. */
export const projectInsights = object({
  stats: projectStatistics,
  leadTime,
  featureTypeCounts,
  health: object({ rating: percentage, ...staleness }),
  technicalDebt: object({ rating: percentage, ...staleness }),
  members: object({ currentMembers: count, change: count }),
});
export type ProjectInsights = v.InferOutput<typeof projectInsights>;

/** Change request settings of an environment of a project, in requests. */
export const changeRequestConfig = object({
  changeRequestsEnabled: boolean,
  requiredApprovals: v.exactOptional(approvals),
  onDrift: v.exactOptional(onDrift),
  selfApproval: v.exactOptional(selfApproval),
  overrideDelayMinutes: v.exactOptional(overrideDelayMinutes),
});
export type ChangeRequestConfig = v.InferOutput<typeof changeRequestConfig>;

/** Change request settings of an environment of a project, in replies. */
export const environmentChangeRequests = object({
  environment: name,
  type: text,
  changeRequestEnabled: boolean,
  requiredApprovals: v.nullable(id),
  // Missing if they are off.
  onDrift: v.exactOptional(onDrift),
  selfApproval: v.exactOptional(selfApproval),
  overrideDelayMinutes: v.exactOptional(overrideDelayMinutes),
});
