import type { Actor } from '../events/actor.ts';
import { searchEvents } from '../events/event-log.ts';
import { loadFavorites } from '../features/favorites.ts';
import { type ShelvedFeature, shelvesOf } from '../features/shelf/shelf.ts';
import { type Evaluations, loadUsageOfLastHour, mayBeUsedInThisHour } from '../features/use/feature-usage.ts';
import { latestOf, loadLastSeenOfProjects } from '../features/use/last-seen.ts';
import { listProjectIds, type Project, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { mapChunks } from '../values/lists.ts';
import type { ConsoleNow, NowFlag } from './now-schema.ts';
import { showEvents } from './show-events.ts';
import type { ShownEvent } from './shown-event-schema.ts';

/** The most events that the page shows. */
const eventsMax = 50;

/** The most flags whose use is read: starred ones and kill switches first. */
const usedMax = 100;

/** Features whose use is read at the same time. */
const featuresAtOnce = 16;

const hourMs = 60 * 60 * 1_000;

/** Loads what somebody needs in an incident: the switches of production, and what changed in the last hour. */
export async function loadNow(request: Request, user: Actor): Promise<ConsoleNow> {
  const ids = await listProjectIds(request);
  const [shelves, places, isFavorite, lastSeen, events] = await Promise.all([
    shelvesOf(request, ids),
    projects.some(request, ids),
    loadFavorites(request, user),
    loadLastSeenOfProjects(request, ids),
    listRecentEvents(request),
  ]);
  const live = shelves.flatMap(({ features }) =>
    [...features.values()].filter(({ feature }) => feature.archivedAt === null),
  );
  const isUrgent = ({ feature }: ShelvedFeature) => isFavorite(feature) || feature.type === 'kill-switch';
  const used = live
    .filter(({ feature }) => mayBeUsedInThisHour(latestOf(lastSeen(feature))))
    .toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)))
    .slice(0, usedMax);
  const usage = new Map(
    await mapChunks(used, featuresAtOnce, async ({ feature: { name } }) => {
      return [name, await loadUsageOfLastHour(request, name)] as const;
    }),
  );
  return {
    flags: live.flatMap((shelved) => {
      const { name, project, type } = shelved.feature;
      const environments = listProductionStates(shelved, places.get(project), usage.get(name));
      if (environments.length === 0) return [];
      return [{ name, project, type, favorite: isFavorite(shelved.feature), environments }];
    }),
    events,
  };
}

/** Lists the states of a feature in the environments of its project that are production. */
function listProductionStates(
  { summaries }: ShelvedFeature,
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
  const { events } = await searchEvents(request, {
    from: { operator: 'IS', values: [from] },
    offset: 0,
    limit: eventsMax,
  });
  return showEvents(request, events);
}
