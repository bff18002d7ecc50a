import type { Permission } from '../../identity/permissions.ts';
import { inputOf } from './base.ts';
import type { LoadedPlan } from './plan.ts';

/** Permissions of which a caller needs one, in a project or everywhere. */
export interface SegmentNeed {
  readonly permissions: readonly Permission[];
  readonly project: string | undefined;
}

/**
 * Returns the permissions that it takes to apply a request besides that to apply it: those who approve the changes of a
 * project have no say in the segments of others, or of all, which take the permission that the direct change takes.
 */
export function segmentNeeds({ asked, segments }: Pick<LoadedPlan, 'asked' | 'segments'>): SegmentNeed[] {
  return segments.flatMap(({ segment, changes }) => {
    if (segment === undefined) return [];
    return changes.map(inputOf).flatMap((input): SegmentNeed[] => {
      const isUpdate = input.action === 'updateSegment';
      const projects = [segment.value.project, ...(isUpdate ? [input.payload.project || null] : [])];
      return projects
        .filter((project) => project !== asked.project)
        .map((project) => ({
          permissions: [isUpdate ? 'UPDATE_SEGMENT' : 'DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
          project: project ?? undefined,
        }));
    });
  });
}
