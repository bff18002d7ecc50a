import * as v from 'valibot';
import { count, object } from '../values/primitives.ts';

const ages = object({ newFlagsThisWeek: count, flagsOlderThanWeek: count });

const lifecycleTrend = object({
  totalFlags: count,
  medianDaysInCurrentStage: v.number(),
  medianDaysHistorically: v.number(),
  categories: object({ experimental: ages, release: ages, permanent: ages }),
});

export type LifecycleTrend = v.InferOutput<typeof lifecycleTrend>;

/** The numbers of features by part of the life cycle. */
export const lifecycleTrends = object({
  develop: lifecycleTrend,
  production: lifecycleTrend,
  cleanup: lifecycleTrend,
});

export type LifecycleTrends = v.InferOutput<typeof lifecycleTrends>;
