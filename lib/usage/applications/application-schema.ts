import * as v from 'valibot';
import { searchText, searchTexts } from '../../values/filter-schema.ts';
import {
  count,
  lenientText,
  object,
  positiveIntegerText,
  text,
  textOfLength,
  timestamp,
} from '../../values/primitives.ts';

/** `applicationSchema` */
export const application = object({
  appName: text,
  createdAt: timestamp,
  description: v.exactOptional(text),
  url: v.exactOptional(text),
  color: v.exactOptional(text),
  icon: v.exactOptional(text),
  lastSeen: timestamp,
  sdkVersion: v.exactOptional(text),
  /** The number of invalid entries of its reports, which were ignored. */
  droppedParts: count,
  strategies: v.array(text),
  /** The projects and environments from which it has reported, according to its tokens. */
  usage: v.array(object({ project: text, environments: v.array(text) })),
});
export type Application = v.InferOutput<typeof application>;

/** `applicationsSchema` */
export const applications = object({ total: count, applications: v.array(application) });

const offset = v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'A whole number is required.'), v.transform(Number));

export const applicationsQuery = object({
  query: v.exactOptional(searchText),
  offset: v.exactOptional(offset),
  limit: v.exactOptional(positiveIntegerText),
  sortBy: v.exactOptional(v.picklist(['appName', 'createdAt', 'lastSeen'])),
  sortOrder: v.exactOptional(v.picklist(['asc', 'desc'])),
});
export type ApplicationsQuery = v.InferOutput<typeof applicationsQuery>;

/** The maximum length of an application's name in bytes. The name is part of DynamoDB keys. */
const appNameBytesMax = 800;
export const applicationParams = object({
  appName: v.pipe(
    textOfLength(1, 255),
    v.check((name) => Buffer.byteLength(name) <= appNameBytesMax, `At most ${appNameBytesMax} bytes.`),
  ),
});

/** The properties that users enter about an application (`createApplicationSchema`). */
export const applicationInput = object({
  description: v.exactOptional(lenientText),
  // Pages show it as a link: a `javascript:` address would run with the rights of the user who clicks on it.
  url: v.exactOptional(v.pipe(text, v.regex(/^(https?:\/\/.+)?$/i, 'An address of http or https is required.'))),
  color: v.exactOptional(text),
  icon: v.exactOptional(lenientText),
  strategies: v.exactOptional(v.array(text)),
});
export type ApplicationInput = v.InferOutput<typeof applicationInput>;

/** `applicationOverviewSchema` */
export const applicationOverview = object({
  projects: v.array(text),
  featureCount: count,
  environments: v.array(
    object({
      name: text,
      instanceCount: count,
      sdks: v.array(text),
      frontendSdks: v.array(text),
      backendSdks: v.array(text),
      lastSeen: v.nullable(timestamp),
      issues: object({ missingFeatures: v.array(text), outdatedSdks: v.array(text) }),
    }),
  ),
  issues: object({ missingStrategies: v.array(text) }),
});
export type ApplicationOverview = v.InferOutput<typeof applicationOverview>;

/** `outdatedSdksSchema` */
export const outdatedSdks = object({ sdks: v.array(object({ sdkVersion: text, applications: v.array(text) })) });

/** An application that uses features of a project, with the environments and instances in which it uses them. */
const projectApplication = object({
  name: text,
  environments: v.array(text),
  instances: v.array(text),
  sdks: v.array(object({ name: text, versions: v.array(text) })),
});
export type ProjectApplication = v.InferOutput<typeof projectApplication>;

/** `projectApplicationsSchema` */
export const projectApplications = object({ total: count, applications: v.array(projectApplication) });

export const projectApplicationsQuery = object({
  query: v.exactOptional(searchTexts),
  offset: v.exactOptional(offset),
  limit: v.exactOptional(positiveIntegerText),
  // The admin UI sends `createdAt`, which is ignored.
  sortBy: v.exactOptional(v.picklist(['appName', 'createdAt'])),
  sortOrder: v.exactOptional(v.picklist(['asc', 'desc'])),
});
export type ProjectApplicationsQuery = v.InferOutput<typeof projectApplicationsQuery>;

/** `applicationEnvironmentInstancesSchema` */
export const applicationInstances = object({
  instances: v.array(
    object({ instanceId: text, clientIp: text, sdkVersion: v.exactOptional(text), lastSeen: timestamp }),
  ),
});
