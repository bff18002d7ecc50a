import * as v from 'valibot';
import { segmentConstraintsInput } from '../features/strategies/constraint-input-schema.ts';
import { isName, lenientText, nameRule, object, text } from '../values/primitives.ts';
import { segmentName, storedName } from './segment-schema.ts';

/** Segment in requests. */
export const segmentInput = object({
  name: segmentName,
  description: v.exactOptional(v.nullable(lenientText)),
  /** The one project that may use it; null, empty, or nothing, for all. */
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

/** A segment that is there already, in requests. */
export const segmentUpdate = object({ ...segmentInput.entries, name: storedName });
