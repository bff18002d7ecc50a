import * as v from 'valibot';
import { object, text } from '../values/primitives.ts';

/** Any value of JSON. */
export type OfrepValue = boolean | string | number | readonly unknown[] | { readonly [key: string]: unknown } | null;

/** A flag of the OpenFeature Remote Evaluation Protocol 0.3.0. */
export const ofrepFlag = object({
  key: text,
  /** Missing if the application should use its default. */
  value: v.exactOptional(v.unknown()),
  /** `DISABLED` if and only if the value is missing: for this reason, the provider of Go always uses the default. */
  reason: v.picklist(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED']),
  /** The variant of the feature, or `on` or `off`, since the provider of Python fails without a variant. */
  variant: text,
  metadata: object({ enabled: v.boolean(), project: text, type: text }),
});
export type OfrepFlag = v.InferOutput<typeof ofrepFlag>;

/** A flag that cannot be decided for a context, so that the application uses its default. */
export const ofrepFailure = object({ key: text, errorCode: v.literal('INVALID_CONTEXT'), errorDetails: text });
export type OfrepFailure = v.InferOutput<typeof ofrepFailure>;

/** The result of one flag among several. */
export const ofrepResult = v.union([ofrepFlag, ofrepFailure]);

/** The stream of signals to evaluate again, whose address is relative to that of the provider. */
const ofrepStream = object({
  type: v.literal('sse'),
  endpoint: object({ requestUri: text }),
  /** The seconds after which a page that nobody looks at should close the stream. */
  inactivityDelaySec: v.number(),
});
export type OfrepStream = v.InferOutput<typeof ofrepStream>;

export const ofrepFlags = object({
  flags: v.array(ofrepResult),
  /** The streams of the token; missing on Lambda, which serves none. */
  eventStreams: v.exactOptional(v.array(ofrepStream)),
});

/** The tag of the signal after which a provider evaluates. */
export const ofrepQuery = object({ flagConfigEtag: v.exactOptional(text) });
