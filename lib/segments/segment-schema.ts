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
/** Names of existing segments may be older than the rule for names. */
export const storedName = textOfLength(1, 100);

/** A segment in replies. */
export const segment = object({
  id,
  name: storedName,
  description: text,
  /** The only project that may use it; null for all. */
  project: v.nullable(name),
  createdAt: timestamp,
  /** Name of its creator. */
  createdBy: text,
  constraints: segmentConstraints,
});

export type ShownSegment = v.InferOutput<typeof segment>;

/** A segment with the numbers of live features that use it, and of their projects. */
export const listedSegment = object({ ...segment.entries, usedInFeatures: integer, usedInProjects: integer });

/** The path of a segment. */
export const segmentPath = object({ id: idText });
