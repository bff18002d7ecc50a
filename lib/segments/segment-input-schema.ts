import * as v from 'valibot';
import { segmentConstraintsInput } from '../features/strategies/constraint-input-schema.ts';
import { isName, lenientText, nameRule, object, text } from '../values/primitives.ts';
import { segmentName, storedName } from './segment-schema.ts';

/** A segment in requests. */
export const segmentInput = object({
  name: segmentName,
  description: v.exactOptional(v.nullable(lenientText)),
  /** The only project that may use it; null, empty or omitted for all. */
  project: v.exactOptional(
    v.nullable(
      v.pipe(
        text,
        v.check((sent) => sent === '' || isName(sent), nameRule),
        v.transform((sent) => sent || null),
      ),
    ),
  ),
  constraints: segmentConstraintsInput,
});
export type SegmentInput = v.InferOutput<typeof segmentInput>;

/** An existing segment in requests. */
export const segmentUpdate = object({ ...segmentInput.entries, name: storedName });
