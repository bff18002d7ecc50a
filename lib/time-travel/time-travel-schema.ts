import * as v from 'valibot';
import { clientFeature, clientSegment } from '../delivery/client-features-schema.ts';
import { featureVariants } from '../features/environments/variant-schema.ts';
import { dependency } from '../features/feature-schema.ts';
import { strategyView } from '../features/strategies/strategy-schema.ts';
import { boolean, id, name, nonEmptyText, object, text, timestamp } from '../values/primitives.ts';
import { momentText } from './moment-schema.ts';

export const atQuery = object({ at: momentText });

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
