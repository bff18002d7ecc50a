import type { Actor } from '../events/actor.ts';
import { searchEvents } from '../events/event-log.ts';
import { loadFavorites } from '../features/favorites.ts';
import { loadReadModels, type ReadModelFeature } from '../features/read-model/read-model.ts';
import type { Evaluations } from '../features/use/feature-usage.ts';
import { loadLastSeenOfProjects } from '../features/use/last-seen.ts';
import { listProjectIds, type Project, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { liveFeaturesOf } from './load-flags.ts';
import type { ConsoleNow, NowFlag } from './now-schema.ts';
import { showEvents } from './show-events.ts';
import type { ShownEvent } from './shown-event-schema.ts';
import { loadUrgentUsage } from './urgent-usage.ts';

/** The most events that the page shows. */
const eventsMax = 50;

const hourMs = 60 * 60 * 1_000;

/** Loads the states of flags in production and the events of the last hour, for an incident. */
export async function loadNow(request: Request, user: Actor): Promise<ConsoleNow> {
  const ids = await listProjectIds(request);
  const [readModels, projectsById, isFavorite, lastSeen, events] = await Promise.all([
    loadReadModels(request, ids),
    projects.findSome(request, ids),
    loadFavorites(request, user),
    loadLastSeenOfProjects(request, ids),
    listRecentEvents(request),
  ]);
  const live = readModels.flatMap(liveFeaturesOf);
  const usage = await loadUrgentUsage(request, live, isFavorite, lastSeen);
  return {
    flags: live.flatMap((entry) => {
      const { name, project, type } = entry.feature;
      const environments = listProductionStates(entry, projectsById.get(project), usage.get(name));
      if (environments.length === 0) return [];
      return [{ name, project, type, favorite: isFavorite(entry.feature), environments }];
    }),
    events,
  };
}

/** Lists the states of a feature in the production environments of its project. */
function listProductionStates(
  { summaries }: ReadModelFeature,
  project: Project | undefined,
  usage: ReadonlyMap<string, Evaluations> | undefined,
): NowFlag['environments'] {
  return (project?.environments ?? [])
    .filter(({ type }) => type === 'production')
    .map(({ name, approval }) => ({
      name,
      enabled: summaries.get(name)?.enabled ?? false,
      ...(approval !== undefined && { approvals: approval.required }),
      ...(usage?.get(name) ?? { yes: 0, no: 0 }),
    }));
}

async function listRecentEvents(request: Request): Promise<ShownEvent[]> {
  const from = new Date(Date.now() - hourMs).toISOString();
  const search = { from: { operator: 'IS', values: [from] }, offset: 0, limit: eventsMax } as const;
  const { events } = await searchEvents(request, search, false);
  return showEvents(request, events);
}
