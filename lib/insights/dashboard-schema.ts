import * as v from 'valibot';
import { owner, userOwner } from '../projects/project-schema.ts';
import { count, id, integer, object, text, timestamp } from '../values/primitives.ts';

const percent = v.pipe(integer, v.minValue(0), v.maxValue(100));

/** The dashboard of a user. */
export const dashboard = object({
  projects: v.array(
    object({ id: text, name: text, health: percent, technicalDebt: percent, memberCount: count, featureCount: count }),
  ),
  flags: v.array(object({ name: text, project: text, type: text })),
  projectOwners: v.array(userOwner),
  admins: v.array(
    object({
      id,
      name: v.exactOptional(text),
      username: v.exactOptional(text),
      email: v.exactOptional(text),
      imageUrl: text,
    }),
  ),
});
export type Dashboard = v.InferOutput<typeof dashboard>;

/** The part of a dashboard about one project. */
export const dashboardProject = object({
  owners: v.array(owner),
  roles: v.array(object({ id: integer, name: text, type: v.picklist(['custom', 'project']) })),
  latestEvents: v.array(object({ id, summary: text, createdBy: text, createdByImageUrl: text, createdAt: timestamp })),
  onboardingStatus: object({
    status: v.picklist(['onboarding-started', 'sdk-connected', 'onboarded', 'first-flag-created']),
    feature: v.exactOptional(text),
  }),
  insights: object({
    avgHealthCurrentWindow: v.nullable(percent),
    avgHealthPastWindow: v.nullable(percent),
    totalFlags: count,
    activeFlags: count,
    staleFlags: count,
    potentiallyStaleFlags: count,
    health: percent,
    technicalDebt: percent,
  }),
});
export type DashboardProject = v.InferOutput<typeof dashboardProject>;
