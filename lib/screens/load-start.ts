import { banners, bannerView } from '../banners/banners.ts';
import { changeRequests } from '../change-requests/change-requests.ts';
import { loadOpenRequests } from '../change-requests/views/lists.ts';
import { loadAccessFlags } from '../identity/access-flags/access-flags.ts';
import { listOverrideGrants } from '../identity/access-flags/approval-gate.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { listGrants } from '../identity/permissions.ts';
import { loadSelf } from '../people/profile.ts';
import { loadFavoriteProjects } from '../projects/favorites.ts';
import { loadFeatureCounts } from '../projects/ledger.ts';
import { listProjectIds, projects } from '../projects/projects.ts';
import { isHidden, type Request } from '../request.ts';
import { loadMaintenance } from '../settings/maintenance.ts';
import { loadPersonNames } from './person-names.ts';
import type { ConsoleStart, RunningOverride } from './start-schema.ts';

/** Loads the data that every page of the console shows, or needs to decide what its reader may do. */
export async function loadConsoleStart(
  request: Request,
  caller: PermittedCaller,
): Promise<Omit<ConsoleStart, 'version'>> {
  const [user, overriding, shownProjects, open, overrides, allBanners, maintenance, access] = await Promise.all([
    loadSelf(request, caller),
    listOverrideGrants(request, caller),
    listStartProjects(request, caller),
    loadOpenRequests(request, caller),
    listRunningOverrides(request),
    banners.list(request),
    loadMaintenance(request),
    loadAccessFlags(request),
  ]);
  const { id, username, email } = user;
  return {
    user: {
      id,
      name: user.name ?? username ?? email ?? caller.name,
      ...(username !== undefined && { username }),
      ...(email !== undefined && { email }),
    },
    permissions: [...listGrants(caller.rights), ...overriding],
    projects: shownProjects,
    reviews: { waiting: open.filter(({ isWaiting }) => isWaiting).length, open: open.length },
    overrides,
    banners: allBanners
      .map((banner) => bannerView(banner))
      .filter(({ enabled }) => enabled)
      .map(({ id: bannerId, message, variant, link, linkText }) => ({
        ...{ id: bannerId, message, variant },
        // The word "dialog" stands for a text that other clients show in a window.
        ...(link !== undefined && link !== '' && link !== 'dialog' && { link }),
        ...(linkText !== undefined && linkText !== '' && { linkText }),
      })),
    isInMaintenance: maintenance.enabled,
    adminsSkip: access.adminsSkip,
  };
}

async function listStartProjects(request: Request, caller: PermittedCaller): Promise<ConsoleStart['projects']> {
  const ids = await listProjectIds(request);
  const [all, isFavorite, counts] = await Promise.all([
    projects.findSome(request, ids),
    loadFavoriteProjects(request, caller),
    Promise.all(ids.map((id) => request.store.limiter(() => loadFeatureCounts(request, id)))),
  ]);
  return ids
    .flatMap((id, index) => {
      const project = all.get(id);
      if (project === undefined || project.archivedAt !== null) return [];
      return [{ id, name: project.name, features: counts[index]?.live ?? 0, favorite: isFavorite(project) }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

async function listRunningOverrides(request: Request): Promise<RunningOverride[]> {
  const { overrides } = await loadAccessFlags(request);
  const now = new Date().toISOString();
  const running = overrides.filter(({ project, until }) => until > now && !isHidden(request, project));
  if (running.length === 0) return [];
  const [requests, names] = await Promise.all([
    changeRequests.findSome(
      request,
      running.map(({ id }) => id),
    ),
    loadPersonNames(
      request,
      running.map(({ holder }) => holder),
    ),
  ]);
  return running.map(({ id, project, environment, holder, from, until }) => ({
    id,
    project,
    environment,
    reason: requests.get(id)?.override?.reason ?? '',
    createdBy: { id: holder, name: names.get(holder) ?? requests.get(id)?.createdBy.name ?? 'Somebody' },
    from,
    until,
  }));
}
