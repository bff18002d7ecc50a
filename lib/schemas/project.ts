import * as v from 'valibot';
import { projectFeature } from './feature-list.ts';
import { boolean, count, name, object, text, timestamp } from './primitives.ts';
import { strategyInput } from './strategy.ts';

/** Who sees a project and may ask for changes in it: everybody. */
const mode = v.literal('open');

/** With one decimal. */
const days = v.number();

const percentage = v.pipe(count, v.maxValue(100));

const owner = v.variant('ownerType', [
  object({ ownerType: v.literal('system') }),
  object({ ownerType: v.literal('user'), name: text, email: v.nullable(text) }),
]);

/** A project in the list of all. */
export const listedProject = object({
  id: name,
  name: text,
  description: text,
  defaultStickiness: text,
  createdAt: timestamp,
  archivedAt: v.null(),
  mode,
  favorite: boolean,
  featureCount: count,
  staleFeatureCount: count,
  health: percentage,
  technicalDebt: percentage,
  memberCount: count,
  owners: v.array(owner),
});
export type ListedProject = v.InferOutput<typeof listedProject>;

/** What happened in a project within the last 30 days, and in the 30 days before (`projectStatsSchema`). */
export const projectStatistics = object({
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

/** A project with what belongs to it and what is counted of it. */
export const projectOverview = object({
  version: v.literal(1),
  name: text,
  description: text,
  defaultStickiness: text,
  mode,
  featureLimit: v.null(),
  featureNaming: object({ pattern: v.null(), example: v.null(), description: v.null() }),
  linkTemplates: v.array(v.never()),
  createdAt: timestamp,
  updatedAt: v.null(),
  archivedAt: v.null(),
  favorite: boolean,
  members: count,
  health: percentage,
  technicalDebt: percentage,
  environments: v.array(
    object({ environment: name, changeRequestsEnabled: boolean, defaultStrategy: v.exactOptional(strategyInput) }),
  ),
  featureTypeCounts: v.array(object({ type: text, count })),
  stats: projectStatistics,
  onboardingStatus: object({ status: v.picklist(['onboarding-started', 'onboarded']) }),
});
export type ProjectOverview = v.InferOutput<typeof projectOverview>;

const stageSummary = object({ averageDays: v.nullable(days), currentFlags: count });

/** In which stages of life the features of a project are, and what else belongs to it. */
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

/** A project with its features, as release 6 of Unleash gives it. */
export const projectWithFeatures = object({ ...reported, features: v.array(projectFeature) });
export type ProjectWithFeatures = v.InferOutput<typeof projectWithFeatures>;

const staleness = { activeCount: count, staleCount: count, potentiallyStaleCount: count };

/** A project with its features, and how many of them are stale. */
export const healthReport = object({ ...projectWithFeatures.entries, ...staleness });
export type HealthReport = v.InferOutput<typeof healthReport>;

/** How a project stands and what happened in it of late. */
export const projectInsights = object({
  stats: projectStatistics,
  leadTime: object({
    projectAverage: days,
    features: v.array(object({ name, timeToProduction: days })),
  }),
  featureTypeCounts,
  health: object({ rating: percentage, ...staleness }),
  technicalDebt: object({ rating: percentage, ...staleness }),
  members: object({ currentMembers: count, change: count }),
});
export type ProjectInsights = v.InferOutput<typeof projectInsights>;
