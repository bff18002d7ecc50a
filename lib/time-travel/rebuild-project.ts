import { ApiError } from '../errors.ts';
import { type EventsAfter, loadEventsAfter } from '../events/event-log.ts';
import { loadReadModel, type ReadModel } from '../features/read-model/read-model.ts';
import { loadProject, type Project } from '../projects/projects.ts';
import { isHidden, type Request, withAllProjects } from '../request.ts';
import { segments } from '../segments/segments.ts';
import { mapChunks } from '../values/lists.ts';
import { listUsedSegments } from './earlier-flag.ts';
import { goBack, loadPresent, PageBudget, type RebuiltFlag } from './rebuild-flag.ts';
import { type RebuiltSegments, segmentEvents, undoSegments } from './segments-at.ts';

/** A page of the features of a project. */
export interface ProjectPage {
  /** The most features to look at. */
  readonly limit: number;
  /** The name after which the page begins. */
  readonly after?: string | undefined;
}

/** The features that belong to a page, now and since a time. */
export interface LoadedPage {
  readonly project: Project;
  /** The names of the page, in their order. They may have been in other projects, or not exist any more. */
  readonly names: readonly string[];
  /** The last name, if others come after it. */
  readonly next: string | undefined;
  readonly since: EventsAfter;
}

const moveType = 'feature-project-change';

/** Features that are rebuilt at the same time. */
const featuresAtOnce = 8;

/**
 * Finds the features that a project has, or may have had since a time, page by page. It reads the index of events once.
 * @param includesUnchanged false for only the features that have changed.
 * @throws ApiError 404 for an unknown project, and if the service has changed more than 20,000 times since then.
 */
export async function loadPage(
  request: Request,
  projectId: string,
  { limit, after = '' }: ProjectPage,
  time: string,
  includesUnchanged: boolean,
): Promise<LoadedPage> {
  const all = withAllProjects(request);
  const [project, since, readModel] = await Promise.all([
    loadProject(request, projectId),
    loadEventsAfter(all, time, new Set([...segmentEvents, moveType])),
    loadReadModel(request, projectId),
  ]);
  if (!since.isComplete) throw tooManyChanges();
  const changed = since.outlines.flatMap(({ featureName, project: owner }) =>
    featureName !== null && owner === projectId ? [featureName] : [],
  );
  // The event of a move belongs to the new project. Moves between two other projects must not be shown.
  const left = since.events.flatMap(({ type, featureName, data }) =>
    type === moveType && featureName != null && data?.oldProject === projectId ? [featureName] : [],
  );
  const candidates = includesUnchanged ? [...readModel.features.keys()] : listSegmentUsers(readModel, since);
  const names = [...new Set([...candidates, ...changed, ...left])].filter((name) => name > after).toSorted();
  const page = names.slice(0, limit);
  return { project, names: page, next: names.length > limit ? page.at(-1) : undefined, since };
}

/** Lists the features that use a segment which has changed. */
function listSegmentUsers({ features }: ReadModel, { events }: EventsAfter): string[] {
  const changed = new Set(events.map(({ data, preData }) => (data ?? preData)?.id));
  return [...features].flatMap(([name, { summaries }]) =>
    [...summaries.values()].some(({ segments: used = [] }) => used.some((id) => changed.has(id))) ? [name] : [],
  );
}

function tooManyChanges(): ApiError {
  return new ApiError(
    'NotFoundError',
    'The service has changed more than 20,000 times since then. Travel with single features instead.',
  );
}

/** A feature at some moments. */
export interface FlagThen {
  readonly name: string;
  readonly moments: readonly RebuiltFlag[];
}

/**
 * Rebuilds the features of a page at some times; those that were in the project at none of them are omitted. A feature whose events tell too
 * little has no state, but a doubt that says why.
 */
export async function rebuildPage(
  request: Request,
  { project, names }: LoadedPage,
  times: readonly string[],
): Promise<FlagThen[]> {
  const all = withAllProjects(request);
  const budget = new PageBudget();
  const rebuilt = await mapChunks(names, featuresAtOnce, async (name): Promise<FlagThen> => {
    const present = await loadPresent(all, name);
    const moments = await Promise.all(
      times.map((time) => goBack(all, name, present, { time }, budget).catch((error) => toUnknown(error, time))),
    );
    return { name, moments: moments.map((moment) => withoutHidden(request, moment)) };
  });
  return rebuilt.filter(({ moments }) =>
    moments.some(({ state, doubts }) => state?.project === project.id || (state === undefined && doubts.length > 0)),
  );
}

/** Returns a feature that was in a hidden project as one that did not exist. */
function withoutHidden(request: Request, moment: RebuiltFlag): RebuiltFlag {
  if (!isHidden(request, moment.state?.project)) return moment;
  return { state: undefined, lastEvent: undefined, until: moment.until, doubts: [] };
}

function toUnknown(error: unknown, until: string): RebuiltFlag {
  if (!(error instanceof ApiError)) throw error;
  return { state: undefined, lastEvent: undefined, until, doubts: [error.message] };
}

/** Rebuilds the segments that features used at a time, from one read of their present content. */
export async function rebuildSegmentsOf(
  request: Request,
  flags: readonly RebuiltFlag[],
  since: EventsAfter,
  time: string,
): Promise<RebuiltSegments> {
  const ids = [...new Set(flags.flatMap(({ state }) => (state ? listUsedSegments(state) : [])))];
  const present = ids.length === 0 ? new Map() : await segments.findSome(withAllProjects(request), ids);
  const events = since.events.filter(({ createdAt }) => createdAt > time);
  return undoSegments(ids, present, { events, isComplete: since.isComplete });
}
