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
import { releasePlan } from './plans/plan-schema.ts';
import { environmentSafeguard } from './plans/safeguard-schema.ts';
import { strategy, strategyView } from './strategies/strategy-schema.ts';

/** Unleash's feature types; `sunset` came with release 8. */
export const featureType = v.picklist(['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset']);

const lifecycleStages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const;

/** The outcome of a completed feature (`featureLifecycleCompletedSchema`): kept (`statusValue` names the variant, if only one is kept) or discarded. */
export const completion = object({ status: v.picklist(['kept', 'discarded']), statusValue: v.exactOptional(text) });
export type Completion = v.InferOutput<typeof completion>;

/** A stage in the life cycle of a feature; the stage "completed" has a status. */
export const lifecycle = object({
  stage: v.picklist(lifecycleStages),
  status: v.exactOptional(completion.entries.status),
  enteredStageAt: timestamp,
});
export type Lifecycle = v.InferOutput<typeof lifecycle>;

/** A stage as it is stored. */
export type Stage = Lifecycle & Partial<Completion>;

/** A parent that a feature depends on. */
export const dependency = object({
  feature: name,
  enabled: v.optional(boolean, true),
  variants: v.optional(v.array(text), () => []),
});
export type Dependency = v.InferOutput<typeof dependency>;

/** A link to further information about a feature, such as its ticket. */
const link = object({ id: text, url: text, title: v.nullable(text) });
export type FeatureLink = v.InferOutput<typeof link>;

/** A link in requests (`featureLinkSchema`). */
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
  /** The release plan, if there is one. Its strategies are not among `strategies`. */
  releasePlans: v.array(releasePlan),
  /** The safeguards that can switch the feature off. Those of a plan are in the plan. */
  safeguards: v.array(environmentSafeguard),
});
export type FeatureEnvironmentView = v.InferOutput<typeof featureEnvironment>;

/** A feature as the endpoint for one environment returns it. As on Unleash, `name` is the name of the feature. */
export const featureInEnvironment = object({ ...featureEnvironment.entries, strategies: v.array(strategy) });
export type FeatureInEnvironment = v.InferOutput<typeof featureInEnvironment>;

/** The creator of a feature. `imageUrl` is empty, so Unleash's admin UI shows initials. */
const creator = object({ id: integer, name: text, imageUrl: text });

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
  createdBy: creator,
  archivedAt: v.nullable(timestamp),
  lastSeenAt: v.nullable(timestamp),
  tags: v.array(tag),
  lifecycle,
};

/** The names of the features of a bulk operation. */
export const featureNames = object({ features: v.array(text) });

/** The query of the request that switches a feature on. */
export const switchQuery = object({
  shouldActivateDisabledStrategies: v.pipe(
    v.optional(v.picklist(['true', 'false']), 'false'),
    v.transform((value) => value === 'true'),
  ),
});

/** The description of a feature in requests; as on Unleash, an empty one means none. */
export const featureDescription = v.nullable(
  v.pipe(
    lenientText,
    v.transform((description) => (description === '' ? null : description)),
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

/** An update of a feature; omitted fields keep their values. */
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
  /** The variants of all environments, each name once. */
  variants: featureVariants,
  /** Always empty, so its entries need no schema: strategies belong to environments. */
  strategies: v.array(v.unknown()),
  children: v.array(name),
  /** The creator only; the events name the authors of all changes. */
  collaborators: object({ users: v.array(creator) }),
  dependencies: v.array(dependency),
  links: v.array(object({ ...link.entries, feature: name })),
});
export type FeatureView = v.InferOutput<typeof feature>;

/** A feature in a list, without its environments. */
export const listedFeature = object(ownEntries);
export type ListedFeature = v.InferOutput<typeof listedFeature>;
