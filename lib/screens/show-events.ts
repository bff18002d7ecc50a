import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import { loadPersonNames } from './person-names.ts';
import type { ShownEvent } from './shown-event-schema.ts';

/** Names the authors of events as colleagues call them. */
export async function showEvents(
  request: Request,
  events: readonly Omit<Event, 'tags' | 'groupType' | 'groupId'>[],
): Promise<ShownEvent[]> {
  const names = await loadPersonNames(
    request,
    events.map(({ createdByUserId }) => createdByUserId ?? 0),
  );
  return events.map(
    ({ id, createdAt, type, environment, project, featureName, data, preData, createdBy, createdByUserId }) => ({
      ...{ id, createdAt, type, environment, project, featureName, data, preData },
      author: names.get(createdByUserId ?? 0) ?? createdBy,
    }),
  );
}
