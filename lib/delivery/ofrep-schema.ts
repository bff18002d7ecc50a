import * as v from 'valibot';
import { object, text } from '../values/primitives.ts';

/** Anything that JSON has a form for. */
export type OfrepValue = boolean | string | number | readonly unknown[] | { readonly [key: string]: unknown } | null;

/** A flag of the OpenFeature Remote Evaluation Protocol 0.3.0, whose value may be left out. */
export const ofrepFlag = object({
  key: text,
  value: v.exactOptional(v.unknown()),
  reason: v.picklist(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED']),
  variant: text,
  metadata: object({ enabled: v.boolean(), project: text, type: text }),
});

export const ofrepFlags = object({ flags: v.array(ofrepFlag) });
