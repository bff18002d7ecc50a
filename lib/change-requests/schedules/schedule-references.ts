import type { ChangedFlag } from '../../entity/effects.ts';
import { invalid } from '../../errors.ts';
import { loadHeads } from '../../features/feature-store.ts';
import type { FeatureHead } from '../../features/items/feature-items.ts';
import { buildSchedulesWrite } from '../../features/items/own-write.ts';
import * as featureKeys from '../../features/keys.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { type Segment, segments } from '../../segments/segments.ts';
import { rightsConditionOf } from '../../store/transactions/authority.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { ChangeRequest, RequestedChange } from '../change-request.ts';
import { changeRequests } from '../change-requests.ts';
import { featurePartName, segmentIdOf, strategySegmentIdsOf } from '../plan/base.ts';

/** Returns the ids of the scheduled requests that change a feature or a segment. */
export function scheduleIdsOf(thing: WithSchedules | undefined): number[] {
  return JSON.parse(thing?.schedules ?? '[]');
}

/** The schedule references of a feature or a segment. */
type WithSchedules = Pick<ChangedFlag, 'schedules'>;

/** The most scheduled requests that can change the same thing: a direct change suspends all of them in one transaction. */
const schedulesMax = 10;
/** The most features and segments of a schedule: all of them get a reference in one transaction. */
const thingsMax = 80;

/** The features and segments that a request changes or uses. */
export interface Touched {
  readonly features: readonly FeatureHead[];
  readonly segments: readonly Versioned<Segment>[];
  /** The ids of those referenced requests that are still scheduled. */
  readonly scheduled: ReadonlySet<number>;
}

/** Lists the names of the features and the ids of the segments that changes change or use. */
export function listTouched(changes: readonly RequestedChange[]) {
  const names = changes.flatMap(({ action, feature, payload }) => [
    ...(feature === null ? [] : [feature]),
    ...(action === 'addDependency' ? [(payload as { readonly feature: string }).feature] : []),
  ]);
  const ids = changes.flatMap((change) =>
    change.feature === null ? [segmentIdOf(change)] : strategySegmentIdsOf(change),
  );
  return { names, ids };
}

/** Reads the features and segments that a request changes or uses, also those that were moved to other projects. */
export async function loadTouched(request: Request, { changes }: ChangeRequest): Promise<Touched> {
  const { names, ids } = listTouched(changes);
  const systemRequest = withAllProjects(request);
  const [heads, usedSegments] = await Promise.all([
    loadHeads(systemRequest, names),
    segments.findSomeVersioned(systemRequest, ids),
  ]);
  const things = [
    ...[...heads.values()].map(({ own }) => own),
    ...[...usedSegments.values()].map(({ value }) => value),
  ];
  const referenced = new Set(things.flatMap(scheduleIdsOf));
  const referencing =
    referenced.size === 0 ? [] : [...(await changeRequests.findSome(systemRequest, referenced)).values()];
  const scheduled = new Set(referencing.flatMap(({ id, state }) => (state === 'Scheduled' ? [id] : [])));
  return { features: [...heads.values()], segments: [...usedSegments.values()], scheduled };
}

/**
 * Builds the writes that add references to a scheduled request to all things it changes or uses, or remove them after it.
 * With the reference, a direct change of a thing finds the schedules to suspend without a further read. Things that have
 * the reference already must not have changed since they were read.
 * @throws ApiError 400 for a schedule with too many things, or a thing with too many schedules.
 */
export function buildScheduleWrites(
  { features, segments: usedSegments, scheduled }: Touched,
  { id, project, state, applied = [] }: Pick<ChangeRequest, 'id' | 'project' | 'state' | 'applied'>,
): Write[] {
  const isScheduled = state === 'Scheduled';
  if (isScheduled && features.length + usedSegments.length > thingsMax)
    throw invalid(
      `A schedule can change at most ${thingsMax} features and segments; create several requests.`,
      'scheduledAt',
    );
  const buildWrites = (
    thing: WithSchedules & { readonly name: string },
    isReferring: boolean,
    unchangedCondition: Write,
    buildWrite: (schedules: string | undefined) => Write,
  ): Write[] => {
    const others = scheduleIdsOf(thing).filter((other) => other !== id && scheduled.has(other));
    if (isReferring && others.length >= schedulesMax)
      throw invalid(`At most ${schedulesMax} schedules can change "${thing.name}".`, 'scheduledAt');
    const schedules = formatIds(isReferring ? [...others, id] : others);
    if (schedules !== thing.schedules) return [buildWrite(schedules)];
    return isReferring ? [unchangedCondition] : [];
  };
  return [
    ...features.flatMap((head) =>
      buildWrites(
        head.own,
        isScheduled && head.project === project && !applied.includes(featurePartName(head.name)),
        rightsConditionOf(featureKeys.feature(head.name), head.revision),
        (schedules) => buildSchedulesWrite(head, schedules),
      ),
    ),
    ...usedSegments.flatMap(({ value, ...versions }) =>
      buildWrites(value, isScheduled, rightsConditionOf(segments.keyOf(value.id), versions), (schedules) =>
        segments.buildRenewalWrite({ value: { ...value, schedules }, ...versions }),
      ),
    ),
  ];
}

function formatIds(schedules: readonly number[]): string | undefined {
  return schedules.length === 0 ? undefined : JSON.stringify(schedules);
}

/** Removes the reference to a schedule from the thing that a write writes. */
export function dropScheduleReference(write: Write, id: number): Write {
  if (!('item' in write && 'schedules' in write.item)) return write;
  const others = scheduleIdsOf(write.item as WithSchedules).filter((other) => other !== id);
  return { ...write, item: { ...write.item, schedules: formatIds(others) } };
}
