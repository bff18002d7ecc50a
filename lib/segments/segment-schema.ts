import * as v from 'valibot';
import { segmentConstraints } from '../features/strategies/constraint-schema.ts';
import {
  id,
  idText,
  integer,
  name,
  object,
  text,
  textOfLength,
  timestamp,
  titleOfLength,
} from '../values/primitives.ts';

export const segmentName = titleOfLength(100);
/** Name of a segment that is there already: it may be older than the rule for names. */
export const storedName = textOfLength(1, 100);

/** Segment in replies. */
export const segment = object({
  id,
  name: storedName,
  description: text,
  /** The one project that may use it; null for all. */
  project: v.nullable(name),
  createdAt: timestamp,
  /** Name of its creator. */
  createdBy: text,
  constraints: segmentConstraints,
});

export type ShownSegment = v.InferOutput<typeof segment>;

/** A segment with how many live features use it, and in how many projects. */
export const listedSegment = object({ ...segment.entries, usedInFeatures: integer, usedInProjects: integer });

/** The path of a segment. */
export const segmentPath = object({ id: idText });
