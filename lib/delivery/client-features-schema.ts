import * as v from 'valibot';
import { tagInQuery } from '../tags/tag-schema.ts';
import { boolean, id, integer, name, nonEmptyText, object, record, text } from '../values/primitives.ts';

/** The query of an SDK for features. */
export const clientFeaturesQuery = object({
  project: v.exactOptional(v.array(text)),
  namePrefix: v.exactOptional(nonEmptyText),
  tag: v.exactOptional(v.array(tagInQuery)),
});
export type ClientFeaturesQuery = v.InferOutput<typeof clientFeaturesQuery>;

const constraint = object({
  contextName: text,
  operator: text,
  caseInsensitive: v.exactOptional(boolean),
  inverted: v.exactOptional(boolean),
  values: v.array(text),
  value: v.exactOptional(text),
});

const variant = object({
  name: text,
  weight: v.number(),
  weightType: v.exactOptional(text),
  stickiness: v.exactOptional(text),
  payload: v.exactOptional(object({ type: text, value: text })),
  overrides: v.exactOptional(v.array(object({ contextName: text, values: v.array(text) }))),
});

const strategy = object({
  name: text,
  constraints: v.array(constraint),
  parameters: record(text),
  variants: v.array(variant),
  segments: v.exactOptional(v.array(id)),
});

/** A feature as an SDK gets it (`clientFeatureSchema`). */
export const clientFeature = object({
  name,
  type: text,
  enabled: boolean,
  project: name,
  stale: boolean,
  strategies: v.array(strategy),
  variants: v.array(variant),
  description: v.nullable(text),
  impressionData: boolean,
  dependencies: v.exactOptional(
    v.array(object({ feature: name, enabled: boolean, variants: v.exactOptional(v.array(text)) })),
  ),
});

/** A segment as an SDK gets it. */
export const clientSegment = object({ id, name: text, constraints: v.array(constraint) });

/** All features of a token's scope in its environment (`clientFeaturesSchema`). */
export const clientFeatures = object({
  version: v.literal(2),
  features: v.array(clientFeature),
  segments: v.exactOptional(v.array(clientSegment)),
  query: object({
    project: v.exactOptional(v.array(text)),
    namePrefix: v.exactOptional(text),
    tag: v.exactOptional(v.array(v.pipe(v.array(text), v.length(2)))),
    environment: text,
    inlineSegmentConstraints: boolean,
  }),
  meta: object({ revisionId: integer, etag: text, queryHash: text }),
});
