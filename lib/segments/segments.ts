import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { entity, inUse } from '../entity/entity.ts';
import { mustExist, referrersChecks } from '../entity/references.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Constraint } from '../schemas/constraint.ts';
import type { SegmentInput } from '../schemas/segment.ts';
import { keys, partitions } from '../table/keys.ts';
import { isHidden, isUnseen, type Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import type { Write } from '../table/write.ts';

/** Constraints under a name, which many strategies share. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The one project that may use it; null for all. */
  readonly project: string | null;
  readonly createdAt: string;
  /** Who created it; null for what release 0.1 wrote. */
  readonly createdBy: string | null;
  readonly constraints: readonly Constraint[];
}

/** How many segments there may be. */
export const segmentsMax = 300;

export const segments = entity<Segment, number>({
  kind: 'segment',
  idOf: ({ id }) => id,
  keyOf: keys.segment,
  partitions: [partitions.segments()],
  codec: codec<Segment>({ constraints: true }),
  fallbacks: { createdBy: null },
  unique: { name: keys.segmentName },
  max: segmentsMax,
  counter: 'segment',
  // What SDKs get of segments is kept in memory until this says that one has changed.
  besides: [{ add: keys.segmentsRevision(), amounts: { r: 1 } }],
  referable: true,
  events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
  shown: ({ createdAt: _createdAt, createdBy: _createdBy, ...shown }) => shown,
  projectOf: ({ project }) => project,
});

/**
 * Creates a segment.
 * @throws ApiError 404 for an unknown project; 409 for a name in use; 400 for one segment too many.
 */
export function createSegment(table: Table, actor: Actor, input: SegmentInput): Promise<Versioned<Segment>> {
  const content = segmentContent(input);
  assertSeen(table, content);
  return segments.create(
    table,
    actor,
    (createdAt, id) => ({ id, ...content, createdAt, createdBy: actor.name }),
    projectIsThere(content),
  );
}

/**
 * Replaces what a segment says; its id, its creation and the strategies that use it stay.
 * @throws ApiError 404 for an unknown segment or project; 409 for a name in use, and for a project while strategies of
 * other projects use the segment.
 */
export function updateSegment(
  table: Table,
  actor: Actor,
  id: number,
  input: SegmentInput,
): Promise<Versioned<Segment>> {
  const content = segmentContent(input);
  return change(table, actor, {
    of: [keys.segment(id)],
    read: () => Promise.all([segments.load(table, id), content.project === null ? [] : segments.referrers(table, id)]),
    revisionOf: ([before]) => before,
    decide: ([before, referrers]) => {
      const value = { ...before.value, ...content };
      const { writes, events } = segments.updated(before, value);
      if (writes.length === 0) return { writes, events, result: before };
      const isStrange = (project: string) => project !== content.project || isUnseen(table, project);
      const strangers = referrers.filter(({ details }) => isStrange((details as SegmentUser).project));
      if (strangers.length > 0)
        throw inUse(table, `The segment "${before.value.name}" is in use outside of this project`, strangers);
      // After what an unknown project is refused for as well.
      assertSeen(table, content);
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

/** What a segment knows of who uses it: a feature in an environment, or the default strategy of a project there. */
interface SegmentUser {
  readonly project: string;
  readonly environment: string;
}

/** What a segment knows of a feature that uses it in an environment. */
export interface SegmentUse extends SegmentUser {
  readonly feature: string;
  readonly strategies: readonly { readonly id: string; readonly name: string }[];
}

/** The strategies of features that use a segment. */
export async function strategiesOfSegment(table: Table, id: number) {
  const [, referrers] = await Promise.all([segments.load(table, id), segments.referrers(table, id)]);
  return referrers.flatMap(({ details }) => {
    const { project, feature = '', environment, strategies = [] } = details as SegmentUser & Partial<SegmentUse>;
    if (isHidden(table, project)) return [];
    return strategies.map((strategy) => ({
      id: strategy.id,
      featureName: feature,
      projectId: project,
      environment,
      strategyName: strategy.name,
    }));
  });
}

/** What an input says of a segment. */
export function segmentContent({ name, description, project = null, constraints }: SegmentInput) {
  return { name, description: description ?? '', project, constraints };
}

function assertSeen(table: Table, { project }: Pick<Segment, 'project'>): void {
  if (project !== null && isUnseen(table, project)) throw notFound('project', project);
}

function projectIsThere({ project }: Pick<Segment, 'project'>): Write[] {
  return project === null ? [] : [mustExist('project', project, keys.project(project))];
}
