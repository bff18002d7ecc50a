import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { rename } from '../entity/rename.ts';
import type { Request } from '../request.ts';
import { keysIn } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import * as segmentKeys from './keys.ts';
import type { SegmentInput } from './segment-input-schema.ts';
import { type ShownSegment, segmentName } from './segment-schema.ts';

/** Constraints under a name, which many strategies share. */
export interface Segment extends ShownSegment {
  /** JSON: the ids of the change requests under a schedule that touch it. */
  readonly schedules?: string | undefined;
}

/** Limit of segments. */
export const segmentsMax = 300;

export const segments = entity<Segment, number>({
  kind: 'segment',
  idOf: ({ id }) => id,
  partition: { pk: 'SEGMENTS', prefix: 'ID#' },
  codec: codec<Segment>({ constraints: true }),
  unique: { name: keysIn({ pk: 'SEGMENTS', prefix: 'NAME#' }) },
  max: segmentsMax,
  counter: 'segment',
  // What SDKs get of segments is kept in memory until this says that one has changed.
  besides: [{ add: segmentKeys.segmentsRevision(), amounts: { r: 1 } }],
  referable: true,
  events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
  shown: ({ createdAt: _createdAt, createdBy: _createdBy, schedules: _schedules, ...shown }) => shown,
  projectOf: ({ project }) => project,
});

/** Returns the number of changes of segments so far: what was read of them while it stayed the same is of one moment. */
export async function segmentsRevision(request: Request): Promise<number> {
  const item = await readItem<{ readonly r: number }>(request, segmentKeys.segmentsRevision());
  return item?.r ?? 0;
}

/** Returns a segment as replies show it: the marks on it may be of projects that a reader must not know of. */
export function segmentView({ schedules: _schedules, ...shown }: Segment): Segment {
  return shown;
}

/** User of a segment, stored with it: a feature in an environment, or the default strategy of a project there. */
export interface SegmentUser {
  readonly project: string;
  readonly environment: string;
}

/** Use of a segment by a feature in an environment, stored with the segment. */
export interface SegmentUse extends SegmentUser {
  readonly feature: string;
  readonly strategies: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Returns the content of a segment from an input; a description that is left out stays as it was, as on Unleash.
 * @throws ApiError 400 for another name than before that is blank.
 */
export function segmentContent({ name, description, project = null, constraints }: SegmentInput, before?: Segment) {
  return {
    name: before === undefined ? name : rename(before.name, name, segmentName),
    description: (description === undefined ? before?.description : description) ?? '',
    project,
    constraints,
  };
}
