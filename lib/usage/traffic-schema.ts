import * as v from 'valibot';
import { dateText } from '../values/filter-schema.ts';
import { count, object, text } from '../values/primitives.ts';

export const trafficQuery = object({ grouping: v.picklist(['daily', 'monthly']), from: dateText, to: dateText });
export type TrafficQuery = v.InferOutput<typeof trafficQuery>;

/** The paths under which calls are counted. */
const trafficPath = v.picklist(['/api/admin', '/api/frontend', '/api/client']);
export type TrafficPath = v.InferOutput<typeof trafficPath>;

export const traffic = object({
  grouping: trafficQuery.entries.grouping,
  dateRange: object({ from: dateText, to: dateText }),
  apiData: v.array(
    object({
      apiPath: trafficPath,
      /** The days or months with any calls. */
      dataPoints: v.array(
        object({
          period: text,
          trafficTypes: v.array(object({ group: v.literal('successful-requests'), count })),
          /** The number of answers with a status of 4xx. */
          clientErrors: count,
          /** The number of answers with a status of 5xx. */
          serverErrors: count,
        }),
      ),
    }),
  ),
});
export type Traffic = v.InferOutput<typeof traffic>;
