import type { Actor } from '../../events/actor.ts';
import { AnswerRoom } from '../../events/answer-size.ts';
import { findVisibleProject, listProjectIds } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { queryPages } from '../../store/read.ts';
import { chunksOf } from '../../values/lists.ts';
import type { ArchivePage } from '../archive-schema.ts';
import { type IsFavorite, loadFavorites } from '../favorites.ts';
import type { ListedFeature } from '../feature-schema.ts';
import * as featureKeys from '../keys.ts';
import { lastSeenIn, latestOf } from '../use/last-seen.ts';

export interface ArchivedFeatures {
  readonly features: readonly ListedFeature[];
  /** The place after which the next page begins; undefined on the last page. */
  readonly next: string | undefined;
}

/** For more, a page takes what it holds; the store takes no number beyond 32 bits. */
const pageSizeMax = 1_000;

/**
 * Lists the archived features of a project, the latest first, each as soon as it is archived: as many as are requested
 * and fit into a reply. An unknown project has none, as on Unleash.
 * @param user the user whose favorites are marked.
 */
export async function listArchivedFeatures(
  request: Request,
  user: Pick<Actor, 'id'>,
  projectId: string,
  page: ArchivePage,
): Promise<ArchivedFeatures> {
  const [archived, isFavorite, project] = await Promise.all([
    collect(request, projectId, page),
    loadFavorites(request, user),
    findVisibleProject(request, projectId),
  ]);
  if (project === undefined) return { features: [], next: undefined };
  return withFavorites(archived, isFavorite);
}

/**
 * Lists the archived features of all projects, the latest first, each as soon as it is archived: as many as are
 * requested and fit into a reply.
 */
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
    const lists = await Promise.all(ids.map((id) => collect(request, id, page)));
    latest = merged([latest, ...lists], limit);
  }
  return withFavorites(latest, await favorites);
}

function withFavorites({ features, next }: ArchivedFeatures, isFavorite: IsFavorite): ArchivedFeatures {
  return { features: features.map((each) => ({ ...each, favorite: isFavorite(each) })), next };
}

/** Number of projects read together. */
const projectsAtOnce = 16;

/** Returns the latest of several lists. */
function merged(lists: readonly ArchivedFeatures[], limit: number): ArchivedFeatures {
  const all = lists.flatMap((list) => list.features).toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  // What comes after the end of a list that goes on may stand among what that list has not given.
  const ends = lists.flatMap(({ next }) => (next === undefined ? [] : [next]));
  const end = ends.toSorted().at(-1);
  const known = end === undefined ? all : all.filter((feature) => placeOf(feature) >= end);
  const room = new AnswerRoom();
  const features: ListedFeature[] = [];
  for (const feature of known) {
    const fits = room.take(JSON.stringify(feature));
    if (features.length > 0 && (features.length >= limit || !fits)) break;
    features.push(feature);
  }
  const isLast = end === undefined && features.length === all.length;
  const last = features.at(-1);
  return { features, next: isLast || last === undefined ? undefined : placeOf(last) };
}

/** Returns the position of a feature in the archive, which a request for the next page names. */
function placeOf({ archivedAt, name }: ListedFeature): string {
  return `${archivedAt},${name}`;
}

async function collect(request: Request, projectId: string, page: ArchivePage): Promise<ArchivedFeatures> {
  const [{ features, next }, lastSeen] = await Promise.all([
    collectEntries(request, projectId, page),
    lastSeenIn(request, [projectId]),
  ]);
  return { features: features.map((each) => ({ ...each, lastSeenAt: latestOf(lastSeen(each)) })), next };
}

async function collectEntries(
  request: Request,
  projectId: string,
  { limit = Number.POSITIVE_INFINITY, before }: ArchivePage,
): Promise<ArchivedFeatures> {
  const features: ListedFeature[] = [];
  const room = new AnswerRoom();
  const pages = queryPages<{ feature: string }>(request, featureKeys.archivedFeatures(projectId), {
    descending: true,
    before: before?.replace(',', '#'),
    // One more than asked for says whether there are more.
    pageSize: limit < pageSizeMax ? limit + 1 : undefined,
  });
  for await (const items of pages) {
    for (const { feature } of items) {
      const fits = room.take(feature);
      const last = features.at(-1);
      if (last !== undefined && (features.length >= limit || !fits)) {
        return { features, next: placeOf(last) };
      }
      features.push(JSON.parse(feature));
    }
  }
  return { features, next: undefined };
}
