import type { Permission } from '../../identity/permissions.ts';
import { inputOf } from './base.ts';
import type { LoadedPlan } from './load-plan.ts';

/** Permissions of which a caller needs one, in a project or in the whole service. */
export interface SegmentNeed {
  readonly permissions: readonly Permission[];
  readonly project: string | undefined;
}

/**
 * Lists the further permissions for applying a request. Approvers of a project do not decide about segments of other
 * projects, or of the whole service, so these need the permission of the direct change.
 */
export function listSegmentNeeds({ requested, segments }: Pick<LoadedPlan, 'requested' | 'segments'>): SegmentNeed[] {
  return segments.flatMap(({ segment, changes }) => {
    if (segment === undefined) return [];
    return changes.map(inputOf).flatMap((input): SegmentNeed[] => {
      const isUpdate = input.action === 'updateSegment';
      const projects = [segment.value.project, ...(isUpdate ? [input.payload.project || null] : [])];
      return projects
        .filter((project) => project !== requested.project)
        .map((project) => ({
          permissions: [isUpdate ? 'UPDATE_SEGMENT' : 'DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
          project: project ?? undefined,
        }));
    });
  });
}
