import { isDeepStrictEqual } from 'node:util';
import { illegalValues, type LegalValues, loadLegalValues } from '../context-fields/legal-values.ts';
import { allInOrder } from '../entity/all-in-order.ts';
import { changeFlag } from '../entity/change.ts';
import { inUse } from '../entity/entity.ts';
import { mustExist, type Referrer, referrersChecks } from '../entity/references.ts';
import type { Effects, FlagRequest } from '../entity/step.ts';
import { invalidRequest, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type Caller, requirePermission } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import * as projectKeys from '../projects/keys.ts';
import { requireProject } from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import { type Request, withAllProjects } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { assertFewSteps } from './expression-limit.ts';
import type { SegmentInput } from './segment-input-schema.ts';
import { type Segment, type SegmentUser, segmentContent, segments } from './segments.ts';

/**
 * Creates a segment.
 * @throws ApiError 404 for an unknown project; 409 for a name in use; 400 for a value that is not a legal one of its context
 * field, for regular expressions that take too much work, and for one segment too many.
 */
export function createSegment(request: Request, actor: Actor, input: SegmentInput): Promise<Versioned<Segment>> {
  const content = segmentContent(input);
  return segments.create(
    request,
    actor,
    (createdAt, id) => ({ id, ...content, createdAt, createdBy: actor.name }),
    projectIsThere(content),
    async () => {
      assertLegal(content, await loadReferred(request, content));
      assertFewSteps('a segment', [], [content]);
    },
  );
}

/**
 * Reads the legal values of what the content of a segment compares.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadReferred(request: Request, { project, constraints }: SegmentInput): Promise<LegalValues> {
  const [, legalValues] = await allInOrder([requireProject(request, project), loadLegalValues(request, constraints)]);
  return legalValues;
}

/** @throws ApiError 400 with every value that is not legal. */
function assertLegal({ constraints }: Pick<Segment, 'constraints'>, legalValues: LegalValues): void {
  const problems = illegalValues(constraints, legalValues, 'constraints');
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Replaces the content of a segment; its id, its creation and the strategies that use it stay.
 * @throws ApiError 403 for a caller who may not change it, whether it exists or not, and for one who may not change
 * those of the project that it is given to; 404 for an unknown segment or project; 400 for a new value that is not a legal
 * one of its context field, and for regular expressions that take too much work; 409 for a name in use, and for a
 * project while strategies of other projects use the segment; 403 for other constraints while strategies use it where
 * changes need approval.
 */
export function updateSegment(request: FlagRequest, caller: Caller, id: number, input: SegmentInput) {
  const { project = null } = input;
  permittedFor(caller, 'UPDATE_SEGMENT', project);
  const isUseLookedAt = project !== null || request.gate.protected.size > 0;
  return changeFlag(request, ([{ by }]) => by, {
    of: [segments.keyOf(id)],
    read: () =>
      allInOrder([
        loadFor(request, caller, 'UPDATE_SEGMENT', id),
        loadReferred(request, input),
        isUseLookedAt ? segments.referrers(withAllProjects(request), id) : Promise.resolve(undefined),
      ]),
    revisionOf: ([{ segment }]) => segment,
    decide: ([{ segment: before }, legalValues, referrers]) => {
      const content = segmentContent(input, before.value);
      const effects = segmentReplaced(request, before, content, { legalValues, referrers });
      if (effects.writes.length === 0) return { ...effects, result: before };
      const result = { value: { ...before.value, ...content }, version: before.version + 1 };
      return { ...effects, flag: { schedules: before.value.schedules }, result };
    },
  });
}

/**
 * Returns the effects of giving a segment another content; none where it is the same.
 * @param found the legal values, and all that use it, where that matters: they stay the same until it is written.
 * @throws ApiError 400 for a new value that is not a legal one, and for regular expressions that take too much work; 409 for a project while strategies of other projects use
 * the segment; 403 for other constraints while strategies use it where changes need approval.
 */
export function segmentReplaced(
  request: Request,
  before: Versioned<Segment>,
  content: ReturnType<typeof segmentContent>,
  found: { readonly legalValues: LegalValues; readonly referrers: readonly Referrer[] | undefined },
): Effects {
  const isOther = !isDeepStrictEqual(before.value.constraints, content.constraints);
  // What stays as it was is not checked again, since a legal value may have been removed meanwhile.
  if (isOther) assertLegal(content, found.legalValues);
  assertFewSteps('a segment', [before.value], [content]);
  const { writes, events } = segments.updated(before, { ...before.value, ...content });
  if (writes.length === 0) return { writes, events };
  const { referrers } = found;
  const users = (referrers ?? []).map(({ details }) => details as SegmentUser);
  const strangers = referrers?.filter((_, index) => users[index]?.project !== content.project) ?? [];
  if (content.project !== null && strangers.length > 0)
    throw inUse(request, `The segment "${before.value.name}" is in use outside of this project`, strangers);
  if (isOther) assertNoApprovalNeeded(request, users);
  const checks = referrers === undefined ? [] : referrersChecks('segment', before.value.id, referrers);
  return { writes: [...projectIsThere(content), ...writes, ...checks], events };
}

/**
 * Returns the effects of deleting a segment.
 * @throws ApiError 409 that names who uses it.
 */
export function segmentRemoved(request: Request, before: Versioned<Segment>, referrers: readonly Referrer[]): Effects {
  if (referrers.length > 0) throw inUse(request, `The segment "${before.value.name}" is in use`, referrers);
  return segments.removed(before);
}

/**
 * Deletes a segment.
 * @throws ApiError 403 for a caller who may not, whether it exists or not; 404 for an unknown segment; 409 that names
 * who uses it; 412 by `If-Match`.
 */
export function removeSegment(request: FlagRequest, caller: Caller, id: number): Promise<void> {
  return changeFlag(request, ([{ by }]) => by, {
    of: [segments.keyOf(id)],
    read: () =>
      allInOrder([loadFor(request, caller, 'DELETE_SEGMENT', id), segments.referrers(withAllProjects(request), id)]),
    revisionOf: ([{ segment }]) => segment,
    decide: ([{ segment }, referrers]) => ({
      ...segmentRemoved(request, segment, referrers),
      flag: { schedules: segment.value.schedules },
      result: undefined,
    }),
  });
}

/** Permission for segments of all projects; held in one project, it is enough for the segments of that project. */
type SegmentPermission = Permission & `${'CREATE' | 'UPDATE' | 'DELETE'}_SEGMENT`;

function permittedFor(caller: Caller, permission: SegmentPermission, project: string | null | undefined) {
  return requirePermission(caller, [permission, 'UPDATE_PROJECT_SEGMENT'], project ?? undefined);
}

async function loadFor(request: Request, caller: Caller, permission: SegmentPermission, id: number) {
  const found = await segments.find(request, id);
  const by = permittedFor(caller, permission, found?.value.project);
  if (found === undefined) throw notFound('segment', id);
  return { segment: found, by };
}

function projectIsThere({ project }: Pick<Segment, 'project'>): Write[] {
  return project === null ? [] : [mustExist('project', project, projectKeys.project(project))];
}
