import * as v from 'valibot';
import { count, object, positiveIntegerText, text, timestamp } from './primitives.ts';

/** `applicationSchema` */
export const application = object({
  appName: text,
  createdAt: timestamp,
  lastSeen: timestamp,
  sdkVersion: v.exactOptional(text),
  strategies: v.array(text),
  usage: v.array(object({ project: text, environments: v.array(text) })),
});

/** `applicationsSchema` */
export const applications = object({ total: count, applications: v.array(application) });

const offset = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'A whole number is required.'), v.transform(Number));

export const applicationsQuery = object({
  query: v.exactOptional(text),
  offset: v.exactOptional(offset),
  limit: v.exactOptional(positiveIntegerText),
  sortBy: v.exactOptional(v.picklist(['appName', 'createdAt', 'lastSeen'])),
  sortOrder: v.exactOptional(v.picklist(['asc', 'desc'])),
});
export type ApplicationsQuery = v.InferOutput<typeof applicationsQuery>;

/** `applicationEnvironmentInstancesSchema` */
export const applicationInstances = object({
  instances: v.array(
    object({ instanceId: text, clientIp: text, sdkVersion: v.exactOptional(text), lastSeen: timestamp }),
  ),
});
