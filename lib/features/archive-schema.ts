import * as v from 'valibot';
import { name, object, positiveIntegerText, timestamp } from '../values/primitives.ts';
import { listedFeature } from './feature-schema.ts';

const position = v.pipe(
  v.string(),
  v.check((text) => {
    const [time, feature, ...more] = text.split(',');
    return v.is(timestamp, time) && (feature === undefined || v.is(name, feature)) && more.length === 0;
  }, 'Give a time such as 2026-01-01T00:00:00.000Z, or a time and the name of a feature with a comma in between.'),
);

/** A page of an archive. */
export const archivePage = object({
  limit: v.exactOptional(positiveIntegerText),
  /** Lists only features that were archived before this position. */
  before: v.exactOptional(position),
});
export type ArchivePage = v.InferOutput<typeof archivePage>;

export const archivedFeatures = object({ version: v.literal(2), features: v.array(listedFeature) });
