import * as v from 'valibot';
import { clientFeature, clientSegment } from '../delivery/client-features-schema.ts';
import { featureVariants } from '../features/environments/variant-schema.ts';
import { dependency } from '../features/feature-schema.ts';
import { strategyView } from '../features/strategies/strategy-schema.ts';
import { boolean, id, name, nonEmptyText, object, positiveIntegerText, text, timestamp } from '../values/primitives.ts';
import { momentText, pastTime } from './moment-schema.ts';

export const atQuery = object({ at: momentText });

/** The two moments of a comparison. The second one is now if it is missing. */
export const momentsQuery = object({ from: momentText, to: v.exactOptional(momentText) });

export const revertQuery = object({ to: momentText, environment: v.exactOptional(v.array(text)) });

/** The target of a revert. Without `environments`, it is the whole feature. */
export const revertInput = object({
  to: momentText,
  environments: v.exactOptional(v.pipe(v.array(text), v.minLength(1))),
});

/** The release plan of a feature in an environment at a moment. */
const planThen = object({
  id: text,
  name: text,
  /** The milestone whose strategies SDKs got; null if none had begun. */
  activeMilestone: v.nullable(object({ id: text, name: text })),
});

/** A feature in an environment at a moment. */
const environmentThen = object({
  name,
  enabled: boolean,
  /** The feature as SDKs got it; null while it was archived. */
  delivered: v.nullable(clientFeature),
  /** The strategies that SDKs got, in their order, and disabled ones. */
  strategies: v.array(strategyView),
  variants: featureVariants,
  releasePlan: v.nullable(planThen),
});

/** A feature at a moment. */
const stateThen = object({
  project: name,
  type: nonEmptyText,
  description: v.nullable(text),
  archived: boolean,
  stale: boolean,
  impressionData: boolean,
  dependencies: v.array(dependency),
  environments: v.array(environmentThen),
  /** The segments that its strategies used, as they were then. A segment that had been deleted is missing. */
  segments: v.array(clientSegment),
});

/** The change that led to a state. */
const lastChange = object({ id, type: text, createdAt: timestamp, createdBy: text });

/** A feature as SDKs got it at a moment. */
export const featureThen = object({
  name,
  /** The time of the moment; a moment of an event has the time of its change. */
  at: timestamp,
  /** False if the events do not tell everything. `doubts` then says what is uncertain. */
  exact: boolean,
  doubts: v.array(text),
  /** The last event before the moment; null if there was none. */
  lastEvent: v.nullable(lastChange),
  /** Null if the feature did not exist. */
  state: v.nullable(stateThen),
});
export type FeatureThen = v.InferOutput<typeof featureThen>;
export type StateThen = v.InferOutput<typeof stateThen>;

/** A change in the form of those of change requests, with the old value. */
const flagChange = object({
  feature: name,
  action: text,
  payload: v.exactOptional(v.unknown()),
  before: v.exactOptional(v.unknown()),
});

/** A property that is the same in all environments. */
const fieldChange = object({ property: text, before: v.unknown(), after: v.unknown() });

/** The changes that lead a feature back to a moment. */
export const revertPlan = object({
  at: timestamp,
  /** The changed fields, which need no approval. A change request cannot contain them. */
  fields: v.array(fieldChange),
  /** The changes of what all environments share: of the parents, or the archiving. */
  shared: v.array(flagChange),
  /** The changes by environment. They can be sent as a change request, with those of `shared` if they are to be made. */
  environments: v.array(object({ name, needsApproval: boolean, changes: v.array(flagChange) })),
  /** The differences that remain, without an effect on what the feature itself delivers. */
  notes: v.array(text),
  /** The reasons for which the moment cannot be restored. A revert with any is refused as a whole. */
  obstacles: v.array(object({ environment: v.nullable(name), message: text })),
});
export type RevertPlan = v.InferOutput<typeof revertPlan>;

const momentOfDifference = object({ at: timestamp, exact: boolean, doubts: v.array(text), exists: boolean });

/** The changes of a feature between two moments. */
export const featureDifference = object({
  name,
  from: momentOfDifference,
  to: momentOfDifference,
  fields: v.array(fieldChange),
  dependencies: v.array(flagChange),
  environments: v.array(object({ name, changes: v.array(flagChange) })),
  /** The segments that the feature uses at both moments, and that have other constraints. */
  segments: v.array(
    object({
      id,
      name: text,
      before: v.array(clientSegment.entries.constraints.item),
      after: v.array(clientSegment.entries.constraints.item),
    }),
  ),
});
export type FeatureDifference = v.InferOutput<typeof featureDifference>;

/** The most features of a page. Each takes two requests to the store, for its present and its last changes. */
const pageMax = 50;
const limit = v.pipe(
  v.optional(positiveIntegerText, String(pageMax)),
  v.maxValue(pageMax, `A page has at most ${pageMax} features.`),
);
const page = { limit, after: v.exactOptional(text) };

export const projectAtQuery = object({ at: pastTime, ...page });
export const projectMomentsQuery = object({ from: pastTime, to: v.exactOptional(pastTime), ...page });

/** The name after which the next page begins; null on the last one. */
const next = v.nullable(name);

/** The live features of a project at a time. */
export const projectThen = object({ at: timestamp, features: v.array(featureThen), next });
export type ProjectThen = v.InferOutput<typeof projectThen>;

/** The features of a project that are different at two times. */
export const projectDifference = object({
  from: timestamp,
  to: timestamp,
  features: v.array(featureDifference),
  next,
});
export type ProjectDifference = v.InferOutput<typeof projectDifference>;
