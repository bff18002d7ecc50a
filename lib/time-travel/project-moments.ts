import { ReplyBudget } from '../events/reply-budget.ts';
import type { Request } from '../request.ts';
import { viewDifference } from './compare-moments.ts';
import { viewFlagThen } from './get-flag-then.ts';
import type { RebuiltFlag } from './rebuild-flag.ts';
import {
  type FlagThen,
  type LoadedPage,
  loadPage,
  type ProjectPage,
  rebuildPage,
  rebuildSegmentsOf,
} from './rebuild-project.ts';
import type { FeatureDifference, ProjectDifference, ProjectThen } from './time-travel-schema.ts';

/**
 * Returns the live features of a project as SDKs got them at a time, page by page.
 * @throws ApiError 404 for an unknown project, and if the service has changed more than 20,000 times since then.
 */
export async function getProjectThen(
  request: Request,
  projectId: string,
  time: string,
  page: ProjectPage,
): Promise<ProjectThen> {
  const loaded = await loadPage(request, projectId, page, time, true);
  const flags = await rebuildPage(request, loaded, [time]);
  const segments = await rebuildSegmentsOf(
    request,
    flags.flatMap(({ moments }) => moments),
    loaded.since,
    time,
  );
  const live = flags.flatMap(({ name, moments: [then] }) =>
    then === undefined || !isShown(then, projectId) ? [] : [{ name, then }],
  );
  const { things: features, next } = fitIntoReply(live, loaded, ({ name, then }) =>
    viewFlagThen(request, name, then, loaded.project, segments),
  );
  return { at: time, features, next };
}

/** Tells whether a feature was live in a project, or is not known to have been elsewhere. */
function isShown({ state, doubts }: RebuiltFlag, projectId: string): boolean {
  return state === undefined ? doubts.length > 0 : !state.archived && state.project === projectId;
}

/**
 * Lists the features of a project that are different at two times, with their changes, page by page.
 * @throws ApiError as `getProjectThen` does.
 */
export async function compareProject(
  request: Request,
  projectId: string,
  { from, to = new Date().toISOString() }: { readonly from: string; readonly to?: string | undefined },
  page: ProjectPage,
): Promise<ProjectDifference> {
  const loaded = await loadPage(request, projectId, page, from < to ? from : to, false);
  const flags = await rebuildPage(request, loaded, [from, to]);
  const sideOf = (index: number, time: string) =>
    rebuildSegmentsOf(
      request,
      flags.flatMap(({ moments }) => moments[index] ?? []),
      loaded.since,
      time,
    );
  const [oldSegments, newSegments] = await Promise.all([sideOf(0, from), sideOf(1, to)]);
  const both = flags.flatMap(({ name, moments: [before, after] }: FlagThen) =>
    before === undefined || after === undefined ? [] : [{ name, before, after }],
  );
  const { things, next } = fitIntoReply(both, loaded, ({ name, before, after }) =>
    viewDifference(name, [before, oldSegments], [after, newSegments]),
  );
  const isChanged = ({ fields, dependencies, environments, segments, ...moments }: FeatureDifference) =>
    fields.length + dependencies.length + environments.length + segments.length > 0 ||
    moments.from.exists !== moments.to.exists;
  return { from, to, features: things.filter(isChanged), next };
}

/** Returns the views that fit into a reply, and the name after which the next page begins. */
function fitIntoReply<T extends { readonly name: string }, View>(
  flags: readonly T[],
  { next }: LoadedPage,
  view: (flag: T) => View,
): { readonly things: View[]; readonly next: string | null } {
  const budget = new ReplyBudget();
  const things: View[] = [];
  for (const [index, flag] of flags.entries()) {
    const thing = view(flag);
    if (!budget.take(JSON.stringify(thing)) && index > 0) return { things, next: flags[index - 1]?.name ?? null };
    things.push(thing);
  }
  return { things, next: next ?? null };
}
