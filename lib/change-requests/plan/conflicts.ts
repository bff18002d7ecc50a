import { nameTakenError } from '../../entity/names.ts';
import { ApiError, invalidRequest } from '../../errors.ts';
import { childrenMax, listParentProblems, tooManyChildrenMessage } from '../../features/dependencies/parent-rules.ts';
import { listAllStrategies } from '../../features/environments/feature-environment.ts';
import { environmentOfFeature, type Feature } from '../../features/feature.ts';
import type { StoredFeature } from '../../features/items/feature-items.ts';
import type { RequestedChange } from '../change-request.ts';
import { inputOf, isOfSegment } from './base.ts';
import type { Drift } from './differences.ts';
import type { LoadedPlan } from './load-plan.ts';

/** A reason why a change cannot be made as requested. */
export interface Conflict {
  /** The id of the change. */
  readonly change: number;
  readonly message: string;
  /** The error of the direct change. */
  readonly error?: ApiError;
  /** The differences, if somebody else has changed the old value. */
  readonly differences?: readonly Drift[];
  /** The id of the segment that somebody else has changed, if the conflict is about one that the change uses. */
  readonly segment?: number;
  /** The id of the release template that somebody else has changed, if the conflict is about the one that the change copies. */
  readonly template?: string;
}

/** A feature before and after the changes. */
export interface FeatureOutcome {
  readonly name: string;
  readonly stored: StoredFeature | undefined;
  readonly after: Feature | undefined;
}

/** Finds the conflicts between changes of one request, each of which could be made without the others. */
export function findConflicts(
  { requested, segments, parents }: LoadedPlan,
  features: readonly FeatureOutcome[],
): Conflict[] {
  const dependsOn = (name: string) => (feature: Feature | undefined) =>
    feature?.dependencies.some((parent) => parent.feature === name) === true;
  const before = features.map(({ stored }) => stored?.feature);
  const after = features.map((feature) => feature.after);
  const afterOf = new Map(features.flatMap(({ name, after }) => (after ? [[name, after] as const] : [])));
  const parentConflicts = requested.changes.flatMap((change): Conflict[] => {
    const input = inputOf(change);
    if (input.action !== 'addDependency') return [];
    const { feature: name } = input.payload;
    if (!dependsOn(name)(afterOf.get(input.feature))) return [];
    const { archivedAt, dependencies } = afterOf.get(name) ?? { archivedAt: null, dependencies: [] };
    const facts = { isElsewhere: false, isArchived: archivedAt !== null, hasParent: dependencies.length > 0 };
    const addedChildren = after.filter(dependsOn(name)).length - before.filter(dependsOn(name)).length;
    const total = (parents.get(name)?.revision.childCount ?? 0) + addedChildren;
    const messages = [
      ...listParentProblems(input.payload, facts),
      ...(addedChildren > 0 && total > childrenMax ? [tooManyChildrenMessage(name, total)] : []),
    ];
    const problems = messages.map((message) => ({ message, path: 'feature' }));
    return problems.length === 0 ? [] : [conflictOf(change, invalidRequest(problems))];
  });
  const addedSegments = new Set(features.flatMap((feature) => segmentsAddedTo(feature, requested.environment)));
  return [
    ...parentConflicts,
    ...segments.flatMap((segment) => findSegmentConflicts(segment, segments, addedSegments, requested.project)),
  ];
}

function findSegmentConflicts(
  { id, segment, changes }: LoadedPlan['segments'][number],
  all: LoadedPlan['segments'],
  addedSegments: ReadonlySet<number>,
  project: string,
): Conflict[] {
  const change = changes.at(-1);
  if (change === undefined || segment === undefined) return [];
  const content = contentOf(change);
  const isUnusable = content === undefined || (content.project ? content.project !== project : false);
  const conflicts: Conflict[] = [];
  if (addedSegments.has(id) && isUnusable) {
    const message = `The segment "${segment.value.name}" is used by another change of this request.`;
    conflicts.push(conflictOf(change, new ApiError('InUseError', message)));
  }
  const others = all.filter((other) => other.id !== id);
  const isTaken = others.some(({ segment: other, changes: otherChanges }) => {
    const newName = otherChanges.map(contentOf).at(-1)?.name;
    return content !== undefined && [other?.value.name, newName].includes(content.name);
  });
  if (content !== undefined && content.name !== segment.value.name && isTaken)
    conflicts.push(conflictOf(change, nameTakenError('segment', 'name', content.name)));
  return conflicts;
}

/** Returns the new content of a segment; undefined if the change deletes it. */
function contentOf(change: RequestedChange) {
  const input = inputOf(change);
  return isOfSegment(input) && input.action === 'updateSegment' ? input.payload : undefined;
}

function segmentsAddedTo({ stored, after }: FeatureOutcome, environment: string): number[] {
  const idsOf = (feature: Feature | undefined) =>
    feature === undefined
      ? []
      : listAllStrategies(environmentOfFeature(feature, environment)).flatMap(({ segments }) => segments);
  const before = new Set(idsOf(stored?.feature));
  return idsOf(after).filter((id) => !before.has(id));
}

/** Builds the conflict of a change from the error that refuses it. */
export function conflictOf({ id }: RequestedChange, error: ApiError): Conflict {
  return { change: id, message: error.message, error };
}
