import { setChangeRequestSettings } from '../../lib/change-requests/settings.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { configureChangeRequests } from '../../lib/projects/change-request-config.ts';
import { listProjectIds, projects } from '../../lib/projects/projects.ts';
import type { Request } from '../../lib/request.ts';

/** An environment of a project. */
export interface Protected {
  readonly projectId: string;
  readonly environment: string;
}

/** Makes changes in an environment of a project need approval. */
export async function protect(table: Request, place: Protected): Promise<void> {
  await configureChangeRequests(table, systemUser, place, { changeRequestsEnabled: true });
}

/** Makes changes in every environment of every project need approval, also those of administrators; returns these. */
export async function protectEverything(table: Request): Promise<Protected[]> {
  await setChangeRequestSettings(table, systemUser, { adminsSkip: false });
  const found = await projects.findSome(table, await listProjectIds(table));
  const places = [...found.values()].flatMap(({ id, environments }) =>
    environments.map(({ name }) => ({ projectId: id, environment: name })),
  );
  for (const place of places) await protect(table, place);
  return places;
}

/** Makes changes there need no approval. */
export async function unprotect(table: Request, places: readonly Protected[]): Promise<void> {
  for (const place of places) await configureChangeRequests(table, systemUser, place, { changeRequestsEnabled: false });
}
