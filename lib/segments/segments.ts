import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import type { Constraint } from '../schemas/constraint.ts';
import { keys, partitions } from '../table/keys.ts';

/** Constraints under a name, which many strategies share. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The one project that may use it; null for all. */
  readonly project: string | null;
  readonly createdAt: string;
  /** Missing in what release 0.1 wrote. */
  readonly createdBy?: string;
  readonly constraints: readonly Constraint[];
}

export const segments = entity<Segment, number>({
  kind: 'segment',
  idOf: ({ id }) => id,
  keyOf: keys.segment,
  partitions: [partitions.segments()],
  codec: codec<Segment>({ constraints: true }),
  unique: { name: keys.segmentName },
  max: 300,
  counter: 'segment',
  referable: true,
  events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
  shown: ({ createdAt: _createdAt, createdBy: _createdBy, ...shown }) => shown,
  projectOf: ({ project }) => project,
});
