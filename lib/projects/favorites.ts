import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll, readItem } from '../store/read.ts';
import * as projectKeys from './keys.ts';
import { loadProject, type Project } from './projects.ts';

/** A favorite of the project that was created at this time, not of a later one with the same id. */
interface FavoriteItem {
  readonly createdAt: string;
}

/** Tells whether a project is a favorite of a user. */
export type IsFavoriteProject = (project: Pick<Project, 'id' | 'createdAt'>) => boolean;

/** Loads the favorite projects of a user. */
export async function loadFavoriteProjects(request: Request, user: Pick<Actor, 'id'>): Promise<IsFavoriteProject> {
  const { prefix, ...partition } = projectKeys.favoriteProjects(user.id);
  const items = await queryAll<FavoriteItem & Key>(request, { ...partition, prefix });
  const createdAt = new Map(items.map((item) => [item.sk.slice(prefix.length), item.createdAt]));
  return (project) => createdAt.get(project.id) === project.createdAt;
}

/**
 * Makes a project a favorite of the user, or no longer one.
 * @throws ApiError 404 for an unknown project.
 */
export function setFavoriteProject(request: Request, user: Actor, projectId: string, favorite: boolean): Promise<void> {
  const key = projectKeys.favoriteProject(user.id, projectId);
  return change(request, user, {
    items: [key],
    read: () => Promise.all([loadProject(request, projectId), readItem<FavoriteItem>(request, key)]),
    // Replies show no version of a favorite.
    revisionOf: () => undefined,
    decide: ([{ createdAt }, item]) => {
      if ((item?.createdAt === createdAt) === favorite) return { ...noEffects, result: undefined };
      return {
        writes: [
          favorite
            ? { put: key, item: { createdAt }, when: item === undefined ? 'absent' : 'present' }
            : { remove: key, when: 'present' },
        ],
        events: [
          {
            type: favorite ? 'project-favorited' : 'project-unfavorited',
            project: projectId,
            data: { project: projectId },
          },
        ],
        result: undefined,
      };
    },
  });
}
