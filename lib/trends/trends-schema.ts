import * as v from 'valibot';
import { dateText } from '../values/filter-schema.ts';
import { count, object, text } from '../values/primitives.ts';

/** Query of trends. A week is part of the reply if any of its days is in the range. */
export const trendsQuery = object({
  /** The first day; a year ago by default. */
  from: v.exactOptional(dateText),
  /** The last day; today by default. */
  to: v.exactOptional(dateText),
  /** Ids of projects, separated by commas; empty for all. */
  projects: v.optional(text, ''),
  format: v.optional(v.picklist(['json', 'csv']), 'json'),
});
export type TrendsQuery = v.InferOutput<typeof trendsQuery>;

/** The last day of a week, which is a Sunday. */
const date = dateText;
/** The year and the number of a week, as in `2026-07`. */
const week = text;
const percent = v.pipe(count, v.maxValue(100));
const flagCounts = { total: count, active: count, stale: count, potentiallyStale: count };

/** The numbers of past weeks and of the current one, by project where they have one (`instanceInsightsSchema`). */
export const trends = object({
  userTrends: v.array(object({ date, total: count, active: count, inactive: count })),
  flagTrends: v.array(object({ date, ...flagCounts })),
  projectFlagTrends: v.array(
    object({
      date,
      week,
      project: text,
      ...flagCounts,
      health: percent,
      technicalDebt: percent,
      /** The average days from the creation of release flags to their first use in production, over twelve weeks. */
      timeToProduction: v.exactOptional(v.number()),
      /** The members of the project; missing for weeks before the first record. */
      users: v.exactOptional(count),
    }),
  ),
  metricsSummaryTrends: v.array(
    object({
      date,
      week,
      project: text,
      totalYes: count,
      totalNo: count,
      totalRequests: count,
      totalApps: count,
      totalFlags: count,
      totalEnvironments: count,
    }),
  ),
  environmentTypeTrends: v.array(object({ date, week, environmentType: text, totalUpdates: count })),
  lifecycleTrends: v.array(object({ date, week, project: text, newProductionFlags: count })),
  creationArchiveTrends: v.array(
    object({ date, week, project: text, archivedFlags: count, createdFlags: v.record(text, count) }),
  ),
});
export type Trends = v.InferOutput<typeof trends>;
