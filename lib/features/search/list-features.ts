import { type ShelvedFeature, shelfOf } from '../../delivery/snapshot/shelf.ts';
import type { Actor } from '../../events/actor.ts';
import { loadProject } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import { lastSeenIn } from '../../usage/last-seen.ts';
import { loadFavorites } from '../favorites.ts';
import type { ProjectFeature, ProjectFeaturesQuery } from '../feature-list-schema.ts';
import { projectView } from './search-features.ts';

/**
 * Lists the live features of a project that match a query, by name. It reflects every change that was confirmed before,
 * and all features as they were at one moment.
 * @param user the user whose favorites are marked.
 * @throws ApiError 404 for an unknown project.
 */
export async function listFeatures(
  request: Request,
  user: Actor,
  projectId: string,
  asked: ProjectFeaturesQuery = {},
): Promise<ProjectFeature[]> {
  const [project, shelf, isFavorite, lastSeen] = await Promise.all([
    loadProject(request, projectId),
    shelfOf(request, projectId),
    loadFavorites(request, user),
    lastSeenIn(request, [projectId]),
  ]);
  const listed = [...shelf.features.values()].filter((each) => isAskedFor(each, asked));
  return listed.map((shelved) => ({
    ...projectView(shelved, project, lastSeen(shelved.feature)),
    favorite: isFavorite(shelved.feature),
  }));
}

function isAskedFor({ feature }: ShelvedFeature, { tag: tags = [], namePrefix = '' }: ProjectFeaturesQuery): boolean {
  return (
    feature.archivedAt === null &&
    feature.name.toLowerCase().startsWith(namePrefix.toLowerCase()) &&
    (tags.length === 0 ||
      tags.some(([type, value]) => feature.tags.some((own) => own.type === type && own.value === value)))
  );
}
