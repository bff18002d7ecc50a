import { permitForOwnData } from '../../events/actor.ts';
import { loadFavorites, setFavorite } from '../../features/favorites.ts';
import { users } from '../../identity/users.ts';
import { loadFavoriteProjects, setFavoriteProject } from '../../projects/favorites.ts';
import { projects as ownProjects } from '../../projects/projects.ts';
import { isJsonObject } from '../../values/json.ts';
import { buildKind, buildRunStep, type ServerMigration } from './plan.ts';

/** The favourites of the owner of the token. The server shows no others. */
export const favoriteKind = buildKind('favourites of the reader', async ({ request, source, target }) => {
  const sourceId = isJsonObject(source.me?.user) ? source.me.user.id : undefined;
  const id = typeof sourceId === 'number' ? target.idOf('user', sourceId) : undefined;
  if (id === undefined) return { steps: [] };
  const user = permitForOwnData({ id, name: (await users.find(request, id))?.value.username ?? String(id) });
  const [isFavorite, isFavoriteProject] = await Promise.all([
    loadFavorites(request, user),
    loadFavoriteProjects(request, user),
  ]);
  const isMarked = ({ favorite }: { readonly favorite?: unknown }) => favorite === true;
  const flags: { name: string; project: string; createdAt: string }[] = [];
  for (const { name, project, content } of source.copy.features()) {
    if (isMarked(content)) flags.push({ name, project, createdAt: String(content.createdAt) });
  }
  const projects = source.projects.filter(({ listed, overview }) => isMarked({ ...listed, ...overview }));
  // A favourite refers to the creation time of a project here, which for the project `default` differs from the server.
  const marked = projects.map(({ id: project }) => project);
  const stored = await ownProjects.findSome(request, marked);
  const isFavoriteHere = (project: string) => {
    const storedProject = stored.get(project);
    return storedProject !== undefined && isFavoriteProject(storedProject);
  };
  const all = [
    ...flags.map(({ name, project, createdAt }) => ({
      name,
      isSame: isFavorite({ name, createdAt }),
      run: (stepRequest: ServerMigration['request']) =>
        setFavorite(stepRequest, user, { projectId: project, featureName: name }, true),
    })),
    ...projects.map(({ id: project }) => ({
      name: project,
      isSame: isFavoriteHere(project),
      run: (stepRequest: ServerMigration['request']) => setFavoriteProject(stepRequest, user, project, true),
    })),
  ];
  const steps = all.filter(({ isSame }) => !isSame).map(({ name, run }) => buildRunStep(run, name, 'created'));
  return { steps, unchanged: all.filter(({ isSame }) => isSame).map(({ name }) => name) };
});
