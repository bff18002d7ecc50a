import * as v from 'valibot';
import { coloredTag, tagInQuery } from '../tags/tag-schema.ts';
import { boolean, count, integer, name, object, text, timestamp } from '../values/primitives.ts';
import { listedFeature } from './feature-schema.ts';

/** An environment of a listed feature. */
const listedEnvironment = object({
  name,
  type: text,
  enabled: boolean,
  sortOrder: integer,
  variantCount: count,
  lastSeenAt: v.nullable(timestamp),
  hasStrategies: boolean,
  hasEnabledStrategies: boolean,
});
export type ListedEnvironment = v.InferOutput<typeof listedEnvironment>;

/** The progress of the release plan of a feature in an environment; all of it is missing without a plan. */
export const planProgressEntries = {
  /** The active milestone; missing until the feature is switched on. */
  milestoneName: v.exactOptional(text),
  /** The position of the active milestone, from 0. */
  milestoneOrder: v.exactOptional(count),
  totalMilestones: v.exactOptional(count),
};

/** An environment of a feature found by a search, with the evaluations of the current hour. */
const foundEnvironment = object({
  ...listedEnvironment.entries,
  ...planProgressEntries,
  yes: count,
  no: count,
  /** The ids of the open change requests that change the feature in this environment. */
  changeRequestIds: v.array(integer),
});

/** A feature found by a search. */
export const foundFeature = object({
  ...listedFeature.entries,
  createdBy: object({ id: integer, name: text, imageUrl: text }),
  tags: v.array(coloredTag),
  dependencyType: v.nullable(v.picklist(['parent', 'child'])),
  environments: v.array(foundEnvironment),
  /** The names of the segments used by its strategies. */
  segments: v.array(text),
});
export type FoundFeature = v.InferOutput<typeof foundFeature>;

/** A feature in the list of its project. */
export const projectFeature = object({ ...listedFeature.entries, environments: v.array(listedEnvironment) });
export type ProjectFeature = v.InferOutput<typeof projectFeature>;

/** A filter for the features of a project: any of the tags, and a prefix of the name, ignoring case. */
export const projectFeaturesQuery = object({
  // As on Unleash, an empty parameter is ignored.
  tag: v.exactOptional(
    v.pipe(
      v.array(v.union([v.literal(''), tagInQuery])),
      v.transform((tags) => tags.filter((tag) => tag !== '')),
    ),
  ),
  namePrefix: v.exactOptional(text),
});
export type ProjectFeaturesQuery = v.InferOutput<typeof projectFeaturesQuery>;

/** Number of features in each lifecycle stage (`featureLifecycleCountSchema`). */
export const stageCounts = object({ initial: count, preLive: count, live: count, completed: count, archived: count });
export type StageCounts = v.InferOutput<typeof stageCounts>;
