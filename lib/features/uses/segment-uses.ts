import { changeFlag } from '../../entity/change.ts';
import type { FlagRequest } from '../../entity/effects.ts';
import { withoutArchived } from '../../entity/references.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { awaitInOrder } from '../../helpers/await-in-order.ts';
import { type Caller, requirePermission } from '../../identity/caller.ts';
import type { Permission } from '../../identity/permissions.ts';
import { type Request, withAllProjects } from '../../request.ts';
import {
  buildSegmentRemoval,
  buildSegmentReplacement,
  loadSegmentReferences,
} from '../../segments/administer-segments.ts';
import type { SegmentInput } from '../../segments/segment-input-schema.ts';
import {
  buildSegmentContent,
  type Segment,
  type SegmentUse,
  segments,
  segmentViewOf,
} from '../../segments/segments.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import { planUpdateStrategy } from '../strategies/change-strategies.ts';
import type { StrategyView } from '../strategies/strategy-schema.ts';
import { countUses, findFeaturesUsing, findStrategy, loadMarkedReferrers, type Usage } from './uses.ts';

/** Lists all segments by name, with the number of live features that use them. */
export async function listSegments(request: Request): Promise<(Segment & Usage)[]> {
  const [all, usageOf] = await Promise.all([segments.list(request), countUses(request, (summary) => summary.segments)]);
  const sorted = all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((segment) => ({ ...segmentViewOf(segment), ...usageOf(segment.id) }));
}

/** Lists the segments of a strategy of a live feature, in its order; none for an unknown strategy. */
export async function listSegmentsOfStrategy(request: Request, strategyId: string): Promise<Segment[]> {
  const uses = await findFeaturesUsing(request, ({ segments: ids = [] }) => ids.length > 0);
  const located = await findStrategy(request, uses, strategyId);
  const ids = located?.strategy.segments ?? [];
  const byId = await segments.findSome(request, ids);
  return ids.flatMap((id) => byId.get(id) ?? []).map(segmentViewOf);
}

/** Lists the strategies of live features that use a segment. */
export async function listStrategiesOfSegment(request: Request, id: number) {
  const [, referrers] = await Promise.all([segments.load(request, id), loadMarkedReferrers(request, segments, id)]);
  return withoutArchived(referrers).flatMap(({ details }) => {
    // Only features have `strategies`.
    const { project = '', feature = '', environment = '', strategies = [] } = details as Partial<SegmentUse>;
    return strategies.map((strategy) => ({
      id: strategy.id,
      featureName: feature,
      projectId: project,
      environment,
      strategyName: strategy.name,
    }));
  });
}

/** The new segments of a strategy, in a request that does not name the feature. */
export interface StrategySegments {
  readonly projectId: string;
  readonly environmentId: string;
  readonly strategyId: string;
  readonly segmentIds: readonly number[];
}

/**
 * Replaces the segments of a strategy in a request that does not name the feature.
 * @throws ApiError 404 if no live feature of the project has the strategy in the environment; otherwise as
 * `planUpdateStrategy` does.
 */
export async function setSegments(
  request: FlagRequest,
  actor: Actor,
  { projectId, environmentId, strategyId, segmentIds }: StrategySegments,
): Promise<Versioned<StrategyView>> {
  const hasStrategies = ({ strategies }: { readonly strategies: number }, name: string) =>
    strategies > 0 && name === environmentId;
  const uses = await findFeaturesUsing(request, hasStrategies, [projectId]);
  const located = await findStrategy(request, uses, strategyId);
  if (located === undefined)
    throw notFound(`strategy in the environment "${environmentId.slice(0, 100)}" with the id`, strategyId);
  return changeFeature(request, actor, planUpdateStrategy(request, located.path, { segments: [...segmentIds] }));
}

/**
 * Replaces the content of a segment.
 * @throws ApiError 403 for a caller without the permission for the segment or for its new project, whether these exist
 * or not; 404 for an unknown segment or project; 409 for a name in use; what `buildSegmentReplacement` throws.
 */
export function updateSegment(request: FlagRequest, caller: Caller, id: number, input: SegmentInput) {
  const { project = null } = input;
  requireSegmentPermission(caller, 'UPDATE_SEGMENT', project);
  const areReferrersNeeded = project !== null || request.gate.protected.size > 0;
  return changeFlag(request, ([{ by }]) => by, {
    items: [segments.keyOf(id)],
    read: () =>
      awaitInOrder([
        loadPermittedSegment(request, caller, 'UPDATE_SEGMENT', id),
        loadSegmentReferences(request, input),
        areReferrersNeeded ? loadMarkedReferrers(withAllProjects(request), segments, id) : Promise.resolve(undefined),
      ]),
    revisionOf: ([{ segment }]) => segment,
    decide: ([{ segment: before }, legalValues, referrers]) => {
      const content = buildSegmentContent(input, before.value);
      const effects = buildSegmentReplacement(request, before, content, { legalValues, referrers });
      if (effects.writes.length === 0) return { ...effects, result: before };
      const result = { value: { ...before.value, ...content }, version: before.version + 1 };
      return { ...effects, flag: { schedules: before.value.schedules }, result };
    },
  });
}

/**
 * Deletes a segment.
 * @throws ApiError 403 for a caller without the permission, whether the segment exists or not; 404 for an unknown
 * segment; 409 with the users of the segment; 412 if `If-Match` does not match.
 */
export function removeSegment(request: FlagRequest, caller: Caller, id: number): Promise<void> {
  return changeFlag(request, ([{ by }]) => by, {
    items: [segments.keyOf(id)],
    read: () =>
      awaitInOrder([
        loadPermittedSegment(request, caller, 'DELETE_SEGMENT', id),
        loadMarkedReferrers(withAllProjects(request), segments, id),
      ]),
    revisionOf: ([{ segment }]) => segment,
    decide: ([{ segment }, referrers]) => ({
      ...buildSegmentRemoval(request, segment, referrers),
      flag: { schedules: segment.value.schedules },
      result: undefined,
    }),
  });
}

/** A permission for all segments. For a segment of a project, UPDATE_PROJECT_SEGMENT is enough. */
type SegmentPermission = Permission & `${'CREATE' | 'UPDATE' | 'DELETE'}_SEGMENT`;

function requireSegmentPermission(caller: Caller, permission: SegmentPermission, project: string | null | undefined) {
  return requirePermission(caller, [permission, 'UPDATE_PROJECT_SEGMENT'], project ?? undefined);
}

async function loadPermittedSegment(request: Request, caller: Caller, permission: SegmentPermission, id: number) {
  const segment = await segments.find(request, id);
  const by = requireSegmentPermission(caller, permission, segment?.value.project);
  if (segment === undefined) throw notFound('segment', id);
  return { segment, by };
}
