import { nameTakenError } from '../../entity/names.ts';
import { ApiError, invalidRequest } from '../../errors.ts';
import { childrenMax, listParentProblems, tooManyChildrenMessage } from '../../features/dependencies/parent-rules.ts';
import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import type { RequestedChange } from '../change-request.ts';
import { inputOf, isOfSegment } from './base.ts';
import type { Conflict, LoadedPlan, PlannedFeature } from './plan.ts';

/**
 * Returns the conflicts of changes that could each be made without the others, but not together: each was decided on what
 * is there before any of them.
 */
export function findConflicts(
  { asked, segments, parents }: LoadedPlan,
  features: readonly PlannedFeature[],
): Conflict[] {
  const dependsOn = (name: string) => (feature: Feature | undefined) =>
    feature?.dependencies.some((parent) => parent.feature === name) === true;
  const [before, after] = [features.map(({ stored }) => stored?.feature), features.map((each) => each.after)] as const;
  const afterOf = new Map(features.flatMap(({ name, after }) => (after ? [[name, after] as const] : [])));
  const found = asked.changes.flatMap((change): Conflict[] => {
    const input = inputOf(change);
    if (input.action !== 'addDependency') return [];
    const { feature: name } = input.payload;
    if (!dependsOn(name)(afterOf.get(input.feature))) return [];
    const { archivedAt, dependencies } = afterOf.get(name) ?? { archivedAt: null, dependencies: [] };
    const facts = { isElsewhere: false, isArchived: archivedAt !== null, hasParent: dependencies.length > 0 };
    const more = after.filter(dependsOn(name)).length - before.filter(dependsOn(name)).length;
    const total = (parents.get(name)?.revision.childCount ?? 0) + more;
    const messages = [
      ...listParentProblems(input.payload, facts),
      ...(more > 0 && total > childrenMax ? [tooManyChildrenMessage(name, total)] : []),
    ];
    const problems = messages.map((message) => ({ message, path: 'feature' }));
    return problems.length === 0 ? [] : [conflictOf(change, invalidRequest(problems))];
  });
  const used = new Set(features.flatMap((each) => segmentsAddedTo(each, asked.environment)));
  return [...found, ...segments.flatMap((each) => segmentEntanglements(each, segments, used, asked.project))];
}

function segmentEntanglements(
  { id, segment, changes }: LoadedPlan['segments'][number],
  all: LoadedPlan['segments'],
  used: ReadonlySet<number>,
  project: string,
): Conflict[] {
  const change = changes.at(-1);
  if (change === undefined || segment === undefined) return [];
  const content = contentOf(change);
  const isOutOfReach = content === undefined || (content.project ? content.project !== project : false);
  const conflicts: Conflict[] = [];
  if (used.has(id) && isOutOfReach) {
    const message = `The segment "${segment.value.name}" is used by another change of this request.`;
    conflicts.push(conflictOf(change, new ApiError('InUseError', message)));
  }
  const others = all.filter((other) => other.id !== id);
  const isTaken = others.some(({ segment: other, changes: asked }) => {
    const wanted = asked.map(contentOf).at(-1)?.name;
    return content !== undefined && [other?.value.name, wanted].includes(content.name);
  });
  if (content !== undefined && content.name !== segment.value.name && isTaken)
    conflicts.push(conflictOf(change, nameTakenError('segment', 'name', content.name)));
  return conflicts;
}

/** Returns the content that a segment is to have; undefined where it is to go. */
function contentOf(change: RequestedChange) {
  const input = inputOf(change);
  return isOfSegment(input) && input.action === 'updateSegment' ? input.payload : undefined;
}

function segmentsAddedTo({ stored, after }: PlannedFeature, environment: string): number[] {
  const idsIn = (feature: Feature | undefined) =>
    feature === undefined
      ? []
      : environmentOfFeature(feature, environment).strategies.flatMap(({ segments }) => segments);
  const before = new Set(idsIn(stored?.feature));
  return idsIn(after).filter((id) => !before.has(id));
}

/** Returns the conflict of a change that the error refuses. */
export function conflictOf({ id }: RequestedChange, error: ApiError): Conflict {
  return { change: id, message: error.message, error };
}
