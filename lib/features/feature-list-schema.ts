import * as v from 'valibot';
import { coloredTag, tagInQuery } from '../tags/tag-schema.ts';
import { boolean, count, integer, name, object, text, timestamp } from '../values/primitives.ts';
import { listedFeature } from './feature-schema.ts';

/** Environment of a listed feature. */
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

/** Environment of a found feature, with its evaluations of the current hour. */
const foundEnvironment = object({
  ...listedEnvironment.entries,
  yes: count,
  no: count,
  /** There are no change requests. */
  changeRequestIds: v.array(integer),
});

/** A feature among those that a search has found. */
export const foundFeature = object({
  ...listedFeature.entries,
  createdBy: object({ id: integer, name: text, imageUrl: text }),
  tags: v.array(coloredTag),
  dependencyType: v.nullable(v.picklist(['parent', 'child'])),
  environments: v.array(foundEnvironment),
  /** The names of the segments that its strategies use. */
  segments: v.array(text),
});
export type FoundFeature = v.InferOutput<typeof foundFeature>;

/** A feature among those of its project. */
export const projectFeature = object({ ...listedFeature.entries, environments: v.array(listedEnvironment) });
export type ProjectFeature = v.InferOutput<typeof projectFeature>;

/**
 * Filter for the features of a project: by tags, any of which matches, and by the beginning of the name, ignoring case.
 */
export const projectFeaturesQuery = object({
  // An empty parameter is none, as in Unleash.
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
