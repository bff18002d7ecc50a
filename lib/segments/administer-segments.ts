import { isDeepStrictEqual } from 'node:util';
import { illegalValues, type LegalValues, loadLegalValues } from '../context-fields/legal-values.ts';
import { allInOrder } from '../entity/all-in-order.ts';
import { inUse } from '../entity/entity.ts';
import { mustExist, type Referrer, referrersChecks, withoutArchived } from '../entity/references.ts';
import type { Effects } from '../entity/step.ts';
import { invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import * as projectKeys from '../projects/keys.ts';
import { requireProject } from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import type { Request } from '../request.ts';
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
 * Returns the effects of giving a segment another content; none where it is the same.
 * @param found the legal values, and all that refer to it, where that matters: they stay the same until it is written.
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
  const users = withoutArchived(referrers ?? []);
  const strangers = users.filter(({ details }) => (details as SegmentUser).project !== content.project);
  if (content.project !== null && strangers.length > 0)
    throw inUse(request, `The segment "${before.value.name}" is in use outside of this project`, strangers);
  const places = users.map(({ details }) => details as SegmentUser);
  if (isOther) assertNoApprovalNeeded(request, places);
  const checks = referrers === undefined ? [] : referrersChecks('segment', before.value.id, referrers);
  return { writes: [...projectIsThere(content), ...writes, ...checks], events };
}

/**
 * Returns the effects of deleting a segment.
 * @throws ApiError 409 that names who uses it.
 */
export function segmentRemoved(request: Request, before: Versioned<Segment>, referrers: readonly Referrer[]): Effects {
  const users = withoutArchived(referrers);
  if (users.length > 0) throw inUse(request, `The segment "${before.value.name}" is in use`, users);
  return segments.removed(before, referrers);
}

function projectIsThere({ project }: Pick<Segment, 'project'>): Write[] {
  return project === null ? [] : [mustExist('project', project, projectKeys.project(project))];
}
