import { ApiError, notFound } from '../errors.ts';
import { isImported } from '../events/event.ts';
import { type EventsItem, eventsOf } from '../events/event-items.ts';
import type { Event } from '../events/event-schema.ts';
import * as eventKeys from '../events/keys.ts';
import type { Feature, FeaturePath } from '../features/feature.ts';
import { loadFeature, loadHeadsAndTombstones } from '../features/feature-store.ts';
import { isHidden, type Request, withAllProjects } from '../request.ts';
import { queryPages } from '../store/read.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { isName } from '../values/primitives.ts';
import { type EarlierFlag, toEarlierFlag } from './earlier-flag.ts';
import type { PointInTime } from './moment-schema.ts';
import { undoEvent } from './undo-event.ts';

/** A feature at a moment. */
export interface RebuiltFlag {
  /** Undefined if it did not exist. */
  readonly state: EarlierFlag | undefined;
  /** The last change before the moment; undefined if there was none. */
  readonly lastEvent: Event | undefined;
  /** The last millisecond that belongs to the moment. */
  readonly until: string;
  /** The reasons why the state may be wrong; empty for an exact state. */
  readonly doubts: readonly string[];
}

/** The present state of a feature, and the id of its last event. */
export interface PresentFlag {
  /** The project of the feature, or the last one of a deleted feature; undefined if there was never one. */
  readonly project: string | undefined;
  readonly feature: Feature | undefined;
  /** Undefined for a feature that does not exist: then all its events count. */
  readonly lastEventId: number | undefined;
}

/** The most changes that one request goes back. */
const stepsMax = 20_000;
/** The most pages of events, of at most 1 MB, that one request reads after the first pages of its features. */
const pagesMax = 100;

/** The number of pages of events that a request may still read. A large feature may have been changed thousands of times. */
export class PageBudget {
  #left: number;

  constructor(pages = pagesMax) {
    this.#left = pages;
  }

  /** @throws ApiError 404 for too many pages. */
  take(name: string): void {
    this.#left -= 1;
    if (this.#left < 0) throw unknownPast(`the changes of the feature "${name}" since then are too large to read`);
  }
}

/** The items of the first page of events. Most moments are a few changes ago. */
const firstItems = 20;
const doubtsMax = 20;

/**
 * Rebuilds a feature as SDKs got it at a moment, by undoing its events, the newest first. The feature must be in the project of the path,
 * now or then.
 * @throws ApiError 404 for an unknown event or feature, for one that was in a hidden project then, and for a moment of which the events
 * tell too little.
 */
export async function rebuildFlag(
  request: Request,
  { projectId, featureName }: FeaturePath,
  moment: PointInTime,
): Promise<RebuiltFlag> {
  const unknown = notFound(`feature in the project "${projectId.slice(0, 100)}" named`, featureName);
  const present = await loadPresent(request, featureName);
  if (present.project === undefined) throw unknown;
  const isHere = present.project === projectId;
  const rebuilt = await goBack(request, featureName, present, moment).catch((error: unknown) => {
    // The error would reveal something about a feature of another project.
    throw isHere ? error : unknown;
  });
  const project = rebuilt.state?.project ?? present.project;
  if (!isHere && project !== projectId) throw unknown;
  if (isHidden(request, project)) throw unknownPast(`the feature "${featureName}" was in another project then`);
  return rebuilt;
}

/** Reads a feature with all its environments as it is now. */
export async function loadPresent(request: Request, name: string): Promise<PresentFlag> {
  const all = withAllProjects(request);
  const stored = await retryLostRaces(request, () => loadFeature(all, name));
  if (stored !== undefined) {
    const { feature, revision } = stored;
    return { feature, project: feature.project, lastEventId: revision.lastEventId };
  }
  const { tombstones } = await loadHeadsAndTombstones(all, [name]);
  const tombstone = tombstones.get(name);
  return { feature: undefined, project: tombstone?.project, lastEventId: tombstone?.lastEventId };
}

/** Goes back from the present to a moment. @throws ApiError as `rebuildFlag` does. */
export async function goBack(
  request: Request,
  name: string,
  { feature, lastEventId }: PresentFlag,
  moment: PointInTime,
  budget = new PageBudget(),
): Promise<RebuiltFlag> {
  let state = feature && toEarlierFlag(feature);
  const doubts = new Set<string>();
  let undone: readonly Event[] = [];
  let cameByImport = false;
  let steps = 0;
  const build = (events: readonly Event[]): RebuiltFlag => {
    if (cameByImport) throw unknownPast(`the feature "${name}" came from another server later`);
    requireEvent(moment, [...undone, ...events]);
    const lastEvent = events.at(-1);
    return { state, lastEvent, until: untilOf(moment, undone, lastEvent), doubts: [...doubts].slice(0, doubtsMax) };
  };
  for await (const events of readChanges(request, name, lastEventId, budget)) {
    if (isReached(moment, events)) return build(events);
    steps += 1;
    if (steps > stepsMax) throw unknownPast(`the feature "${name}" has changed more than ${stepsMax} times since then`);
    for (const event of events.toReversed()) {
      const before = undoEvent(state, event);
      if (before.doubt !== undefined) doubts.add(before.doubt);
      state = before.state;
      cameByImport = event.type === 'feature-import' && state === undefined;
    }
    undone = events;
  }
  if (state !== undefined) throw unknownPast(`the events of the feature "${name}" begin later`);
  return build([]);
}

/**
 * Reads the events of a feature up to an id, newest first, those of one change at a time. Events of a server that it was migrated from are
 * omitted: they changed nothing here.
 */
async function* readChanges(
  request: Request,
  name: string,
  lastEventId: number | undefined,
  budget: PageBudget,
): AsyncGenerator<readonly Event[]> {
  if (!isName(name)) return;
  const before = lastEventId === undefined ? undefined : eventKeys.featureEvents(name, lastEventId + 1).sk;
  const pages = queryPages<EventsItem>(request, eventKeys.allFeatureEvents(name), {
    ...{ descending: true, before, firstPageSize: firstItems },
  });
  let isFirst = true;
  for await (const items of pages) {
    if (!isFirst) budget.take(name);
    isFirst = false;
    for (const item of items) {
      const events = eventsOf(item).filter((event) => !isImported(event));
      if (events.length > 0) yield events;
    }
  }
}

/** Tells whether the state after the events of a change is that of the moment. */
function isReached(moment: PointInTime, events: readonly Event[]): boolean {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return false;
  if ('time' in moment) return last.createdAt <= moment.time;
  return 'before' in moment ? last.id < moment.before : first.id <= moment.after;
}

/**
 * Requires that the event of a moment is one of this feature.
 * @param near the events of the changes right before and after the moment.
 */
function requireEvent(moment: PointInTime, near: readonly Event[]): void {
  if ('time' in moment) return;
  const id = 'before' in moment ? moment.before : moment.after;
  if (near.some((event) => event.id === id)) return;
  throw new ApiError('NotFoundError', `The feature has no event ${id}.`);
}

/** Returns the last millisecond that belongs to a moment. @param after the events of the next change. */
function untilOf(moment: PointInTime, after: readonly Event[], lastEvent: Event | undefined): string {
  if ('time' in moment) return moment.time;
  if ('after' in moment) return lastEvent?.createdAt ?? '';
  return new Date(Date.parse(after[0]?.createdAt ?? '') - 1).toISOString();
}

/** The error for a moment of which the events do not tell enough. */
export function unknownPast(reason: string): ApiError {
  return new ApiError('NotFoundError', `It is not known what SDKs got at that moment: ${reason}.`);
}
