import { permitForOwnData } from '../../events/actor.ts';
import { loadFavorites, setFavorite } from '../../features/favorites.ts';
import { users } from '../../identity/users.ts';
import { loadFavoriteProjects, setFavoriteProject } from '../../projects/favorites.ts';
import { projects as ownProjects } from '../../projects/projects.ts';
import { isJsonObject } from '../../values/json.ts';
import { buildKind, buildRunStep, type ServerMigration } from './plan.ts';

/** Favourites of the person whose personal token reads the server: nobody else's are shown. */
export const favoriteKind = buildKind('favourites of the reader', async ({ request, source, target }) => {
  const there = isJsonObject(source.me?.user) ? source.me.user.id : undefined;
  const id = typeof there === 'number' ? target.idOf('user', there) : undefined;
  if (id === undefined) return { steps: [] };
  const user = permitForOwnData({ id, name: (await users.find(request, id))?.value.username ?? String(id) });
  const [isFavorite, isFavoriteProject] = await Promise.all([
    loadFavorites(request, user),
    loadFavoriteProjects(request, user),
  ]);
  const isMarked = ({ favorite }: { readonly favorite?: unknown }) => favorite === true;
  const flags: { name: string; project: string; createdAt: string }[] = [];
  for (const { name, project, content } of source.copy.features()) {
    if (!isMarked(content) || typeof content.archivedAt === 'string') continue;
    flags.push({ name, project, createdAt: String(content.createdAt) });
  }
  const projects = source.projects.filter(({ listed, overview }) => isMarked({ ...listed, ...overview }));
  // A favourite is of a project as it was made here, which for the first one was at a time of its own.
  const marked = projects.map(({ id: project }) => project);
  const here = await ownProjects.someVersioned(request, marked);
  const isFavoriteHere = (project: string) => {
    const own = here.get(project)?.value;
    return own !== undefined && isFavoriteProject(own);
  };
  const all = [
    ...flags.map(({ name, project, createdAt }) => ({
      name,
      isThere: isFavorite({ name, createdAt }),
      run: (ours: ServerMigration['request']) =>
        setFavorite(ours, user, { projectId: project, featureName: name }, true),
    })),
    ...projects.map(({ id: project }) => ({
      name: project,
      isThere: isFavoriteHere(project),
      run: (ours: ServerMigration['request']) => setFavoriteProject(ours, user, project, true),
    })),
  ];
  const steps = all.filter(({ isThere }) => !isThere).map(({ name, run }) => buildRunStep(run, name, 'created'));
  return { steps, left: all.filter(({ isThere }) => isThere).map(({ name }) => name) };
});
