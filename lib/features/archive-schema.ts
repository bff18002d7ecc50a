import * as v from 'valibot';
import { name, object, positiveIntegerText, timestamp } from '../values/primitives.ts';
import { listedFeature } from './feature-schema.ts';

const place = v.pipe(
  v.string(),
  v.check((text) => {
    const [time, feature, ...more] = text.split(',');
    return v.is(timestamp, time) && (feature === undefined || v.is(name, feature)) && more.length === 0;
  }, 'A time such as 2026-01-01T00:00:00.000Z is needed, or that and the name of a feature with a comma between.'),
);

/** Page of an archive. */
export const archivePage = object({
  limit: v.exactOptional(positiveIntegerText),
  /** Only what comes after this place. */
  before: v.exactOptional(place),
});
export type ArchivePage = v.InferOutput<typeof archivePage>;

export const archivedFeatures = object({ version: v.literal(2), features: v.array(listedFeature) });
