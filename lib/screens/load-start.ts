import type { ShownBanner } from '../banners/banner-schema.ts';
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
import type { ConsoleStart, OpenOverride } from './start-schema.ts';

/**
 * Loads the data that every page of the console needs: the reader, their permissions and projects, reviews, overrides and banners.
 * Disabled banners and archived projects are left out.
 */
export async function loadConsoleStart(
  request: Request,
  caller: PermittedCaller,
): Promise<Omit<ConsoleStart, 'version'>> {
  const [user, overrideGrants, startProjects, openRequests, overrides, allBanners, maintenance, accessFlags] =
    await Promise.all([
      loadSelf(request, caller),
      listOverrideGrants(request, caller),
      listStartProjects(request, caller),
      loadOpenRequests(request, caller),
      listOpenOverrides(request),
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
    permissions: [...listGrants(caller.rights), ...overrideGrants],
    projects: startProjects,
    reviews: { waiting: openRequests.filter(({ isWaiting }) => isWaiting).length, open: openRequests.length },
    overrides,
    banners: allBanners
      .map((banner) => bannerView(banner))
      .filter(({ enabled }) => enabled)
      .map(toStartBanner),
    isInMaintenance: maintenance.enabled,
    adminsSkip: accessFlags.adminsSkip,
  };
}

function toStartBanner({ id, message, variant, link, linkText }: ShownBanner): ConsoleStart['banners'][number] {
  return {
    id,
    message,
    variant,
    // In Unleash, the link "dialog" opens a dialog with more text. The console has no such dialog.
    ...(link !== undefined && link !== '' && link !== 'dialog' && { link }),
    ...(linkText !== undefined && linkText !== '' && { linkText }),
  };
}

/** Lists the live projects that the reader sees, by name. */
async function listStartProjects(request: Request, caller: PermittedCaller): Promise<ConsoleStart['projects']> {
  const ids = await listProjectIds(request);
  const [byId, isFavorite, counts] = await Promise.all([
    projects.findSome(request, ids),
    loadFavoriteProjects(request, caller),
    Promise.all(ids.map((id) => request.store.limiter(() => loadFeatureCounts(request, id)))),
  ]);
  return ids
    .flatMap((id, index) => {
      const project = byId.get(id);
      if (project === undefined || project.archivedAt !== null) return [];
      return [{ id, name: project.name, features: counts[index]?.live ?? 0, favorite: isFavorite(project) }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** Lists the overrides that have not ended, in projects that the reader sees. Some of them have not begun either. */
async function listOpenOverrides(request: Request): Promise<OpenOverride[]> {
  const { overrides } = await loadAccessFlags(request);
  const now = new Date().toISOString();
  const open = overrides.filter(({ project, until }) => until > now && !isHidden(request, project));
  if (open.length === 0) return [];
  const [requests, names] = await Promise.all([
    changeRequests.findSome(
      request,
      open.map(({ id }) => id),
    ),
    loadPersonNames(
      request,
      open.map(({ holder }) => holder),
    ),
  ]);
  return open.map(({ id, project, environment, holder, from, until }) => ({
    id,
    project,
    environment,
    reason: requests.get(id)?.override?.reason ?? '',
    createdBy: { id: holder, name: names.get(holder) ?? requests.get(id)?.createdBy.name ?? 'Somebody' },
    from,
    until,
  }));
}
