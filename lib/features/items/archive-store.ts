import type { Actor } from '../../events/actor.ts';
import { ReplyBudget } from '../../events/reply-budget.ts';
import { findVisibleProject, listProjectIds } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { queryPages } from '../../store/read.ts';
import { chunksOf } from '../../values/lists.ts';
import type { ArchivePage } from '../archive-schema.ts';
import { type IsFavorite, loadFavorites } from '../favorites.ts';
import type { ListedFeature } from '../feature-schema.ts';
import * as featureKeys from '../keys.ts';
import { latestOf, loadLastSeenOfProjects } from '../use/last-seen.ts';

export interface ArchivedFeatures {
  readonly features: readonly ListedFeature[];
  /** The position after which the next page begins; undefined on the last page. */
  readonly next: string | undefined;
}

/** The highest limit that is passed to the store, which accepts 32 bits. Beyond it, the store decides about the size of a page. */
const pageSizeMax = 1_000;

/**
 * Lists the archived features of a project, the latest first: as many as are requested and fit into a reply. A feature
 * is listed as soon as it is archived. As on Unleash, an unknown project has none.
 * @param user the user whose favorites the reply marks.
 */
export async function listArchivedFeatures(
  request: Request,
  user: Pick<Actor, 'id'>,
  projectId: string,
  page: ArchivePage,
): Promise<ArchivedFeatures> {
  const [archived, isFavorite, project] = await Promise.all([
    loadPage(request, projectId, page),
    loadFavorites(request, user),
    findVisibleProject(request, projectId),
  ]);
  if (project === undefined) return { features: [], next: undefined };
  return withFavorites(archived, isFavorite);
}

/** Lists the archived features of all projects, as `listArchivedFeatures` does. */
export async function listAllArchivedFeatures(
  request: Request,
  user: Pick<Actor, 'id'>,
  page: ArchivePage,
): Promise<ArchivedFeatures> {
  const favorites = loadFavorites(request, user);
  favorites.catch(() => {});
  const { limit = Number.POSITIVE_INFINITY } = page;
  let latest: ArchivedFeatures = { features: [], next: undefined };
  for (const ids of chunksOf(await listProjectIds(request), projectsAtOnce)) {
    const pages = await Promise.all(ids.map((id) => loadPage(request, id, page)));
    latest = mergePages([latest, ...pages], limit);
  }
  return withFavorites(latest, await favorites);
}

function withFavorites({ features, next }: ArchivedFeatures, isFavorite: IsFavorite): ArchivedFeatures {
  return { features: features.map((feature) => ({ ...feature, favorite: isFavorite(feature) })), next };
}

/** Number of projects read together. */
const projectsAtOnce = 16;

/** Merges pages of several projects into one page with the latest features. */
function mergePages(pages: readonly ArchivedFeatures[], limit: number): ArchivedFeatures {
  const all = pages.flatMap((page) => page.features).toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  // Features after the end of an incomplete page are left to the next page: this project may have some in between.
  const ends = pages.flatMap(({ next }) => (next === undefined ? [] : [next]));
  const end = ends.toSorted().at(-1);
  const complete = end === undefined ? all : all.filter((feature) => positionOf(feature) >= end);
  const budget = new ReplyBudget();
  const features: ListedFeature[] = [];
  for (const feature of complete) {
    const fits = budget.take(JSON.stringify(feature));
    if (features.length > 0 && (features.length >= limit || !fits)) break;
    features.push(feature);
  }
  const isLast = end === undefined && features.length === all.length;
  const last = features.at(-1);
  return { features, next: isLast || last === undefined ? undefined : positionOf(last) };
}

/** Returns the position of a feature in the archive, with which a client requests the next page. */
function positionOf({ archivedAt, name }: ListedFeature): string {
  return `${archivedAt},${name}`;
}

async function loadPage(request: Request, projectId: string, page: ArchivePage): Promise<ArchivedFeatures> {
  const [{ features, next }, lastSeenOf] = await Promise.all([
    loadEntries(request, projectId, page),
    loadLastSeenOfProjects(request, [projectId]),
  ]);
  return { features: features.map((feature) => ({ ...feature, lastSeenAt: latestOf(lastSeenOf(feature)) })), next };
}

async function loadEntries(
  request: Request,
  projectId: string,
  { limit = Number.POSITIVE_INFINITY, before }: ArchivePage,
): Promise<ArchivedFeatures> {
  const features: ListedFeature[] = [];
  const budget = new ReplyBudget();
  const pages = queryPages<{ feature: string }>(request, featureKeys.archivedFeatures(projectId), {
    descending: true,
    before: before?.replace(',', '#'),
    // One entry more than requested shows whether there is a next page.
    pageSize: limit < pageSizeMax ? limit + 1 : undefined,
  });
  for await (const items of pages) {
    for (const { feature } of items) {
      const fits = budget.take(feature);
      const last = features.at(-1);
      if (last !== undefined && (features.length >= limit || !fits)) {
        return { features, next: positionOf(last) };
      }
      features.push(JSON.parse(feature));
    }
  }
  return { features, next: undefined };
}
