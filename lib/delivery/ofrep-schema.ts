import * as v from 'valibot';
import { object, text } from '../values/primitives.ts';

/** Anything that JSON has a form for. */
export type OfrepValue = boolean | string | number | readonly unknown[] | { readonly [key: string]: unknown } | null;

/** A flag of the OpenFeature Remote Evaluation Protocol 0.3.0, whose value may be left out. */
export const ofrepFlag = object({
  key: text,
  /** Left out where the default of the code holds. */
  value: v.exactOptional(v.unknown()),
  /** `DISABLED` exactly where there is no value: the provider of Go takes the default for that reason, whatever the value. */
  reason: v.picklist(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED']),
  /** The variant of the feature, or `on` or `off`: the provider of Python fails without one. */
  variant: text,
  metadata: object({ enabled: v.boolean(), project: text, type: text }),
});
export type OfrepFlag = v.InferOutput<typeof ofrepFlag>;

/** A flag that cannot be decided for a context: the default of the code holds. */
export const ofrepFailure = object({ key: text, errorCode: v.literal('INVALID_CONTEXT'), errorDetails: text });
export type OfrepFailure = v.InferOutput<typeof ofrepFailure>;

/** The result of one flag among several. */
export const ofrepResult = v.union([ofrepFlag, ofrepFailure]);

export const ofrepFlags = object({ flags: v.array(ofrepResult) });
