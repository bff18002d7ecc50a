import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { acceptName } from '../entity/names.ts';
import type { Request } from '../request.ts';
import { itemKey, keysIn } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import type { SegmentInput } from './segment-input-schema.ts';
import { type ShownSegment, segmentName } from './segment-schema.ts';

/** Named constraints that many strategies can use. */
export interface Segment extends ShownSegment {
  /** JSON with the ids of scheduled change requests that affect it. */
  readonly schedules?: string | undefined;
}

export const segmentsMax = 300;

/** The item with the number of changes of all segments. */
export const segmentsRevisionKey = () => itemKey('SEGMENTS', 'REVISION');

export const segments = entity<Segment, number>({
  kind: 'segment',
  idOf: ({ id }) => id,
  partition: { pk: 'SEGMENTS', prefix: 'ID#' },
  codec: codec<Segment>({ constraints: true }),
  unique: { name: keysIn({ pk: 'SEGMENTS', prefix: 'NAME#' }) },
  max: segmentsMax,
  counter: 'segment',
  // Snapshots keep segments in memory until this number has changed.
  extraWrites: [{ add: segmentsRevisionKey(), amounts: { r: 1 } }],
  referable: true,
  events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
  eventData: ({ createdAt: _createdAt, createdBy: _createdBy, schedules: _schedules, ...shown }) => shown,
  projectOf: ({ project }) => project,
});

/** Loads the number of changes of all segments. While it stays the same, so do the segments. */
export async function loadSegmentsRevision(request: Request): Promise<number> {
  const item = await readItem<{ readonly r: number }>(request, segmentsRevisionKey());
  return item?.r ?? 0;
}

/** Returns a segment for replies, without schedules, since these may belong to hidden projects. */
export function segmentViewOf({ schedules: _schedules, ...segment }: Segment): Segment {
  return segment;
}

/** A user of a segment: a feature in an environment, a default strategy there, or a release template, which is in no environment. */
export interface SegmentUser {
  /** Null for a template of the whole service. */
  readonly project: string | null;
  readonly environment?: string;
}

/** The use of a segment by a feature in an environment. */
export interface SegmentUse extends SegmentUser {
  readonly project: string;
  readonly environment: string;
  readonly feature: string;
  readonly strategies: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Builds the content of a segment from an input. An omitted description stays, as on Unleash.
 * @throws ApiError 400 for a new name that is blank.
 */
export function buildSegmentContent(
  { name, description, project = null, constraints }: SegmentInput,
  before?: Segment,
) {
  return {
    name: before === undefined ? name : acceptName(before.name, name, segmentName),
    description: (description === undefined ? before?.description : description) ?? '',
    project,
    constraints,
  };
}
