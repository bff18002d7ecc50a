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
import { partOfFeature, segmentIdOf, segmentsUsedBy } from '../plan/base.ts';

/** Returns the ids of the scheduled requests that touch a feature or a segment. */
export function schedulesOn(thing: Scheduled | undefined): number[] {
  return JSON.parse(thing?.schedules ?? '[]');
}

/** A feature or a segment, as far as its schedules are concerned. */
type Scheduled = Pick<ChangedFlag, 'schedules'>;

/** The most requests under a schedule that may touch one thing: who changes it directly suspends all in one transaction. */
const schedulesMax = 10;
/** The most features and segments under one schedule: all of them are marked in one transaction. */
const thingsMax = 80;

/** Features and segments that a request touches. */
export interface Touched {
  readonly features: readonly FeatureHead[];
  readonly segments: readonly Versioned<Segment>[];
  /** The requests that are under a schedule, of those that have a mark there. */
  readonly scheduled: ReadonlySet<number>;
}

/** Returns the names of the features and the ids of the segments that changes touch. */
export function listTouched(changes: readonly RequestedChange[]) {
  const names = changes.flatMap(({ action, feature, payload }) => [
    ...(feature === null ? [] : [feature]),
    ...(action === 'addDependency' ? [(payload as { readonly feature: string }).feature] : []),
  ]);
  const ids = changes.flatMap((change) => (change.feature === null ? [segmentIdOf(change)] : segmentsUsedBy(change)));
  return { names, ids };
}

/** Reads all that a request touches, for the marks of its schedule, also what has left its project. */
export async function loadTouched(request: Request, { changes }: ChangeRequest): Promise<Touched> {
  const { names, ids } = listTouched(changes);
  const all = withAllProjects(request);
  const [heads, found] = await Promise.all([loadHeads(all, names), segments.someVersioned(all, ids)]);
  const things = [...[...heads.values()].map(({ own }) => own), ...[...found.values()].map(({ value }) => value)];
  const marks = new Set(things.flatMap(schedulesOn));
  const known = marks.size === 0 ? [] : [...(await changeRequests.some(all, marks)).values()];
  const scheduled = new Set(known.flatMap(({ id, state }) => (state === 'Scheduled' ? [id] : [])));
  return { features: [...heads.values()], segments: [...found.values()], scheduled };
}

/**
 * Returns the writes that mark what a request touches while it is under a schedule, or not any more: with the mark, who
 * changes it directly learns of the request by the read that they make anyway. What is marked already must be as it was read.
 * @throws ApiError 400 for a schedule that touches too much, or what too many others touch.
 */
export function scheduleReferenceWrites(
  { features, segments: found, scheduled }: Touched,
  { id, project, state, applied = [] }: Pick<ChangeRequest, 'id' | 'project' | 'state' | 'applied'>,
): Write[] {
  const isScheduled = state === 'Scheduled';
  if (isScheduled && features.length + found.length > thingsMax)
    throw invalid(`A schedule takes at most ${thingsMax} features and segments; make several requests.`, 'scheduledAt');
  const marked = (
    thing: Scheduled & { readonly name: string },
    isMarked: boolean,
    unchanged: Write,
    write: (schedules: string | undefined) => Write,
  ): Write[] => {
    const others = schedulesOn(thing).filter((each) => each !== id && scheduled.has(each));
    if (isMarked && others.length >= schedulesMax)
      throw invalid(`At most ${schedulesMax} schedules may touch "${thing.name}".`, 'scheduledAt');
    const schedules = textOf(isMarked ? [...others, id] : others);
    if (schedules !== thing.schedules) return [write(schedules)];
    return isMarked ? [unchanged] : [];
  };
  return [
    ...features.flatMap((head) =>
      marked(
        head.own,
        isScheduled && head.project === project && !applied.includes(partOfFeature(head.name)),
        rightsConditionOf(featureKeys.feature(head.name), head.revision),
        (schedules) => buildSchedulesWrite(head, schedules),
      ),
    ),
    ...found.flatMap(({ value, ...versions }) =>
      marked(value, isScheduled, rightsConditionOf(segments.keyOf(value.id), versions), (schedules) =>
        segments.renewed({ value: { ...value, schedules }, ...versions }),
      ),
    ),
  ];
}

function textOf(schedules: readonly number[]): string | undefined {
  return schedules.length === 0 ? undefined : JSON.stringify(schedules);
}

/** Returns a write without the mark of a schedule on the thing that it writes. */
export function withoutScheduleReference(write: Write, id: number): Write {
  if (!('item' in write && 'schedules' in write.item)) return write;
  const others = schedulesOn(write.item as Scheduled).filter((each) => each !== id);
  return { ...write, item: { ...write.item, schedules: textOf(others) } };
}
