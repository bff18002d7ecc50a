import * as v from 'valibot';
import { tag, tagInput } from '../tags/tag-schema.ts';
import {
  boolean,
  count,
  integer,
  lenientBoolean,
  lenientText,
  name,
  nonEmptyText,
  object,
  text,
  timestamp,
} from '../values/primitives.ts';
import { featureVariants } from './environments/variant-schema.ts';
import { strategy, strategyView } from './strategies/strategy-schema.ts';

/** Unleash's feature types; `sunset` is one of release 8. */
export const featureType = v.picklist(['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset']);

const lifecycleStages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const;

/**
 * Outcome of a completed feature (`featureLifecycleCompletedSchema`): kept, with or without a variant, or discarded.
 */
export const completion = object({ status: v.picklist(['kept', 'discarded']), statusValue: v.exactOptional(text) });
export type Completion = v.InferOutput<typeof completion>;

/** A stage of the life of a feature; one that is completed has a status. */
export const lifecycle = object({
  stage: v.picklist(lifecycleStages),
  status: v.exactOptional(completion.entries.status),
  enteredStageAt: timestamp,
});
export type Lifecycle = v.InferOutput<typeof lifecycle>;

/** A stage as it is kept. */
export type Stage = Lifecycle & Partial<Completion>;

/** A parent that a feature depends on. */
export const dependency = object({
  feature: name,
  enabled: v.optional(boolean, true),
  variants: v.optional(v.array(text), () => []),
});
export type Dependency = v.InferOutput<typeof dependency>;

/** Link to more about a feature, e.g. its ticket. */
const link = object({ id: text, url: text, title: v.nullable(text) });
export type FeatureLink = v.InferOutput<typeof link>;

/** Link in requests (`featureLinkSchema`). */
export const linkInput = object({ url: nonEmptyText, title: v.exactOptional(v.nullable(text)) });
export type LinkInput = v.InferOutput<typeof linkInput>;

export const featureEnvironment = object({
  name,
  featureName: name,
  environment: name,
  type: text,
  enabled: boolean,
  sortOrder: integer,
  variantCount: count,
  strategies: v.array(strategyView),
  variants: featureVariants,
  lastSeenAt: v.nullable(timestamp),
  yes: count,
  no: count,
  hasStrategies: boolean,
  hasEnabledStrategies: boolean,
});
export type FeatureEnvironmentView = v.InferOutput<typeof featureEnvironment>;

/** Feature in one environment, read by itself: as on Unleash, `name` is that of the feature, which strategies name, too. */
export const featureInEnvironment = object({ ...featureEnvironment.entries, strategies: v.array(strategy) });
export type FeatureInEnvironment = v.InferOutput<typeof featureInEnvironment>;

/** Creator of a feature; without a picture, pages show the beginning of the name. */
const author = object({ id: integer, name: text, imageUrl: text });

const ownEntries = {
  name,
  type: nonEmptyText,
  description: v.nullable(text),
  archived: boolean,
  project: name,
  stale: boolean,
  favorite: boolean,
  impressionData: boolean,
  createdAt: timestamp,
  createdBy: author,
  archivedAt: v.nullable(timestamp),
  lastSeenAt: v.nullable(timestamp),
  tags: v.array(tag),
  lifecycle,
};

/** The features that a bulk operation is about. */
export const featureNames = object({ features: v.array(text) });

/** Query of switching a feature on. */
export const switchQuery = object({
  shouldActivateDisabledStrategies: v.pipe(
    v.optional(v.picklist(['true', 'false']), 'false'),
    v.transform((value) => value === 'true'),
  ),
});

/** Description of a feature in requests: an empty one is none, as in Unleash. */
export const featureDescription = v.nullable(
  v.pipe(
    lenientText,
    v.transform((sent) => (sent === '' ? null : sent)),
  ),
);

/** A new feature. */
export const featureInput = object({
  name,
  type: v.optional(featureType, 'release'),
  description: v.optional(featureDescription, null),
  impressionData: v.optional(lenientBoolean, false),
  tags: v.optional(v.array(tagInput), () => []),
});
export type FeatureInput = v.InferOutput<typeof featureInput>;

/** Update of a feature; fields that are left out keep their values. */
export const featureUpdate = object({
  name: v.exactOptional(text),
  description: v.exactOptional(featureDescription),
  type: v.exactOptional(featureType),
  stale: v.exactOptional(boolean),
  archived: v.exactOptional(boolean),
  impressionData: v.exactOptional(boolean),
});
export type FeatureUpdate = v.InferOutput<typeof featureUpdate>;

/** A complete feature (`featureSchema`). */
export const feature = object({
  ...ownEntries,
  enabled: boolean,
  environments: v.array(featureEnvironment),
  /** Those of all environments, each name once. */
  variants: featureVariants,
  strategies: v.array(v.unknown()),
  children: v.array(name),
  /** Its creator; its events name everyone else who has changed it. */
  collaborators: object({ users: v.array(author) }),
  dependencies: v.array(dependency),
  links: v.array(object({ ...link.entries, feature: name })),
});
export type FeatureView = v.InferOutput<typeof feature>;

/** A feature in a list: its own fields, without its environments. */
export const listedFeature = object(ownEntries);
export type ListedFeature = v.InferOutput<typeof listedFeature>;
