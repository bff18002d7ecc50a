import type { Constraint } from '../../features/strategies/constraint-schema.ts';
import type { PlacedStrategy } from '../../features/strategies/strategy-schema.ts';
import type { ShownSegment } from '../../segments/segment-schema.ts';
import { change, read } from '../data/declare-call.ts';

/** A segment with the number of live flags that use it. */
export interface ListedSegment extends ShownSegment {
  readonly usedInFeatures: number;
}

export interface SegmentBody {
  readonly name: string;
  readonly description: string;
  readonly project: string | null;
  readonly constraints: readonly Constraint[];
}

/** The strategies that use a segment, and those that will use it when a change request is applied. */
interface SegmentUses {
  readonly strategies: readonly PlacedStrategy[];
  readonly changeRequestStrategies: readonly (Omit<PlacedStrategy, 'id'> & {
    readonly changeRequest: { readonly id: number; readonly title: string | null };
  })[];
}

const segments = '/api/admin/segments';
const segment = `${segments}/{id}` as const;
export const getSegments = read<{ readonly segments: readonly ListedSegment[] }>()('getSegments', segments);
export const getSegment = read<ShownSegment>()('getSegment', segment);
export const getStrategiesBySegmentId = read<SegmentUses>()('getStrategiesBySegmentId', `${segment}/strategies`);
export const createSegment = change<{ readonly id: number }, SegmentBody>()('createSegment', 'POST', segments);
export const updateSegment = change<unknown, SegmentBody>()('updateSegment', 'PUT', segment);
export const removeSegment = change()('removeSegment', 'DELETE', segment);
