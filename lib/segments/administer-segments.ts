import { isDeepStrictEqual } from 'node:util';
import { findIllegalValues, type LegalValues, loadLegalValues } from '../context-fields/legal-values.ts';
import type { Effects } from '../entity/effects.ts';
import { buildReferrerChecks, inUseError, type Referrer, withoutArchived } from '../entity/references.ts';
import { invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { buildProjectCheck, requireProject } from '../projects/projects.ts';
import { assertNoApprovalNeeded } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { assertFewSteps } from './expression-limit.ts';
import type { SegmentInput } from './segment-input-schema.ts';
import { buildSegmentContent, type Segment, type SegmentUser, segments } from './segments.ts';

/**
 * Creates a segment.
 * @throws ApiError 404 for an unknown project; 409 for a name in use; 400 for an illegal value of a context field, for regular
 * expressions with too many steps, and for more segments than the limit.
 */
export function createSegment(request: Request, actor: Actor, input: SegmentInput): Promise<Versioned<Segment>> {
  const content = buildSegmentContent(input);
  return segments.create(
    request,
    actor,
    (createdAt, id) => ({ id, ...content, createdAt, createdBy: actor.name }),
    buildProjectCheck(content.project),
    async () => {
      assertLegal(content, await loadSegmentReferences(request, content));
      assertFewSteps('a segment', [], [content]);
    },
  );
}

/**
 * Loads the legal values of the context fields that a segment compares.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadSegmentReferences(
  request: Request,
  { project, constraints }: SegmentInput,
): Promise<LegalValues> {
  const [, legalValues] = await awaitInOrder([requireProject(request, project), loadLegalValues(request, constraints)]);
  return legalValues;
}

/** @throws ApiError 400 with every illegal value. */
function assertLegal({ constraints }: Pick<Segment, 'constraints'>, legalValues: LegalValues): void {
  const problems = findIllegalValues(constraints, legalValues, 'constraints');
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Builds the effects of a new content of a segment; none if it is the same.
 * @param referrers all users of the segment, which must stay the same. Only a project and protected environments need them.
 * @throws ApiError 400 for a new illegal value of a context field, and for regular expressions with too many steps; 409 for a
 * project while strategies of other projects use the segment; 403 for other constraints while strategies use it where changes
 * need approval.
 */
export function buildSegmentReplacement(
  request: Request,
  before: Versioned<Segment>,
  content: ReturnType<typeof buildSegmentContent>,
  {
    legalValues,
    referrers,
  }: { readonly legalValues: LegalValues; readonly referrers: readonly Referrer[] | undefined },
): Effects {
  const hasOtherConstraints = !isDeepStrictEqual(before.value.constraints, content.constraints);
  // The same constraints may stay, even if a value has become illegal meanwhile.
  if (hasOtherConstraints) assertLegal(content, legalValues);
  assertFewSteps('a segment', [before.value], [content]);
  const { writes, events } = segments.buildUpdateEffects(before, { ...before.value, ...content });
  if (writes.length === 0) return { writes, events };
  const users = withoutArchived(referrers ?? []);
  const foreignUsers = users.filter(({ details }) => (details as SegmentUser).project !== content.project);
  if (content.project !== null && foreignUsers.length > 0)
    throw inUseError(request, `The segment "${before.value.name}" is in use outside of this project`, foreignUsers);
  const places = users.flatMap(({ details }) => {
    const { project, environment } = details as SegmentUser;
    // Templates change nothing that SDKs get.
    return project === null || environment === undefined ? [] : [{ project, environment }];
  });
  if (hasOtherConstraints) assertNoApprovalNeeded(request, places);
  const checks = referrers === undefined ? [] : buildReferrerChecks('segment', before.value.id, referrers);
  return { writes: [...buildProjectCheck(content.project), ...writes, ...checks], events };
}

/**
 * Builds the effects of deleting a segment.
 * @throws ApiError 409 that names its users.
 */
export function buildSegmentRemoval(
  request: Request,
  before: Versioned<Segment>,
  referrers: readonly Referrer[],
): Effects {
  const users = withoutArchived(referrers);
  if (users.length > 0) throw inUseError(request, `The segment "${before.value.name}" is in use`, users);
  return segments.buildRemovalEffects(before, referrers);
}
