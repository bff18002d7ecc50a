import { approvalsOf, type ChangeRequest } from '../change-requests/change-request.ts';
import { changeRequests } from '../change-requests/change-requests.ts';
import type { Event } from '../events/event-schema.ts';
import type { Request } from '../request.ts';
import { loadPersonNames, nameAuthor } from './person-names.ts';
import type { ShownEvent } from './shown-event-schema.ts';

type Names = ReadonlyMap<number, string>;

type NamelessEvent = Omit<Event, 'tags' | 'groupType'>;

/** The most change requests that are read for a list of events. Each may be as large as an item of the store. */
const requestsMax = 100;

/** Adds the display name of the author to each event, and the names of those who asked for and approved its change request. */
export async function showEvents(request: Request, events: readonly NamelessEvent[]): Promise<ShownEvent[]> {
  return events.map(await loadEventView(request, events));
}

/** Loads the display names and the change requests of events. @returns a function that shows one of the events. */
export async function loadEventView<E extends NamelessEvent>(
  request: Request,
  events: readonly E[],
): Promise<(event: E) => ShownEvent> {
  const ids = [...new Set(events.flatMap(requestIdOf))].slice(0, requestsMax);
  const requests = await changeRequests.findSome(request, ids);
  const found = [...requests.values()];
  const people = [...found, ...found.flatMap(approvalsOf)].map(({ createdBy }) => createdBy.id);
  const names = await loadPersonNames(request, [
    ...events.map(({ createdByUserId }) => createdByUserId ?? 0),
    ...people,
  ]);
  return (event) => {
    const { id, createdAt, type, environment, project, featureName, data, preData } = event;
    const { createdBy, createdByUserId, agent } = event;
    const found = requestIdOf(event).flatMap((requestId) => requests.get(requestId) ?? []);
    return {
      ...{ id, createdAt, type, environment, project, featureName, data, preData },
      author: nameAuthor(names, { id: createdByUserId ?? 0, name: createdBy, ...(agent && { agent }) }),
      ...(found[0] !== undefined && { changeRequest: showDecision(found[0], names) }),
    };
  };
}

function requestIdOf({ groupId }: Pick<Event, 'groupId'>): number[] {
  const id = /^change-request-(\d+)$/.exec(groupId ?? '')?.[1];
  return id === undefined ? [] : [Number(id)];
}

function showDecision(changeRequest: ChangeRequest, names: Names): NonNullable<ShownEvent['changeRequest']> {
  const { id, project, override } = changeRequest;
  const nameOf = ({ createdBy }: Pick<ChangeRequest, 'createdBy'>) => nameAuthor(names, createdBy);
  return {
    ...{ id, project },
    author: nameOf(changeRequest),
    approvedBy: approvalsOf(changeRequest).map(nameOf),
    ...(override !== undefined && { override: override.reason }),
  };
}
