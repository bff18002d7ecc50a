import { allInOrder } from '../entity/all-in-order.ts';
import { change } from '../entity/change.ts';
import { inUse } from '../entity/entity.ts';
import { mustExist, referrersChecks } from '../entity/references.ts';
import { notFound } from '../errors.ts';
import { assertMay, type Caller } from '../people/rights/caller.ts';
import type { Permission } from '../people/rights/permissions.ts';
import { requireProject } from '../projects/require-project.ts';
import { everything, type Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import type { SegmentInput } from './segment-schema.ts';
import { type Segment, type SegmentUser, segmentContent, segments } from './segments.ts';

/**
 * Creates a segment.
 * @throws ApiError 403 for a caller who may not; 404 for an unknown project; 409 for a name in use; 400 for one segment too
 * many.
 */
export function createSegment(request: Request, caller: Caller, input: SegmentInput): Promise<Versioned<Segment>> {
  const content = segmentContent(input);
  assertMayHave(caller, 'CREATE_SEGMENT', content.project);
  return segments.create(
    request,
    caller,
    (createdAt, id) => ({ id, ...content, createdAt, createdBy: caller.name }),
    projectIsThere(content),
    () => requireProject(request, content.project),
  );
}

/**
 * Replaces what a segment says; its id, its creation and the strategies that use it stay.
 * @throws ApiError 403 for a caller who may not change it, whether it exists or not, and for one who may not change those
 * of the project that it is given to; 404 for an unknown segment or project; 409 for a name in use, and for a project while
 * strategies of other projects use the segment.
 */
export function updateSegment(
  request: Request,
  caller: Caller,
  id: number,
  input: SegmentInput,
): Promise<Versioned<Segment>> {
  const content = segmentContent(input);
  assertMayHave(caller, 'UPDATE_SEGMENT', content.project);
  return change(request, caller, {
    of: [keys.segment(id)],
    read: () =>
      allInOrder([
        loadFor(request, caller, 'UPDATE_SEGMENT', id),
        requireProject(request, content.project),
        content.project === null ? Promise.resolve([]) : segments.referrers(everything(request), id),
      ]),
    revisionOf: ([before]) => before,
    decide: ([before, , referrers]) => {
      const value = { ...before.value, ...content };
      const { writes, events } = segments.updated(before, value);
      if (writes.length === 0) return { writes, events, result: before };
      const strangers = referrers.filter(({ details }) => (details as SegmentUser).project !== content.project);
      if (strangers.length > 0)
        throw inUse(request, `The segment "${before.value.name}" is in use outside of this project`, strangers);
      return {
        writes: [
          ...projectIsThere(content),
          ...writes,
          ...(content.project ? referrersChecks('segment', id, referrers) : []),
        ],
        events,
        result: { value, version: before.version + 1 },
      };
    },
  });
}

/**
 * Deletes a segment.
 * @throws ApiError 403 for a caller who may not, whether it exists or not; 404 for an unknown segment; 409 that names who
 * uses it; 412 by `If-Match`.
 */
export function removeSegment(request: Request, caller: Caller, id: number): Promise<void> {
  return segments.remove(request, caller, id, () => loadFor(request, caller, 'DELETE_SEGMENT', id));
}

/**
 * Checks that a name is free, for callers who may name a segment in at least one project.
 * @throws ApiError 403 for all others; 409 for a name in use.
 */
export async function requireFreeSegmentName(request: Request, caller: Caller, name: string): Promise<void> {
  const own = [...caller.rights.projects.keys()].find((project) => caller.may('UPDATE_PROJECT_SEGMENT', project));
  assertMay(caller, ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'], own);
  await segments.requireFreeName(request, name);
}

/** Permission for segments of all projects; held in one project, it is enough for the segments of that project. */
type SegmentPermission = Permission & `${'CREATE' | 'UPDATE' | 'DELETE'}_SEGMENT`;

function assertMayHave(caller: Caller, permission: SegmentPermission, project: string | null | undefined): void {
  assertMay(caller, [permission, 'UPDATE_PROJECT_SEGMENT'], project ?? undefined);
}

async function loadFor(request: Request, caller: Caller, permission: SegmentPermission, id: number) {
  const found = await segments.find(request, id);
  assertMayHave(caller, permission, found?.value.project);
  if (found === undefined) throw notFound('segment', id);
  return found;
}

function projectIsThere({ project }: Pick<Segment, 'project'>): Write[] {
  return project === null ? [] : [mustExist('project', project, keys.project(project))];
}
