import { approvalsOf } from '../change-requests/change-request.ts';
import { loadOpenRequests } from '../change-requests/views/lists.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import type { Request } from '../request.ts';
import { loadPersonNames, nameAuthor } from './person-names.ts';
import type { ConsoleReviews } from './request-schema.ts';

/** Loads the open change requests that the reader sees, the newest first. */
export async function loadReviews(request: Request, caller: PermittedCaller): Promise<ConsoleReviews> {
  const open = await loadOpenRequests(request, caller);
  const names = await loadPersonNames(
    request,
    open.map(({ changeRequest }) => changeRequest.createdBy.id),
  );
  const requests = open.map(({ changeRequest, isWaiting, required }) => {
    const { id, title, project, environment, state, createdBy, createdAt, changes, reviewers, schedule, override } =
      changeRequest;
    return {
      ...{ id, project, environment, state, createdAt, required, isWaiting },
      ...(title !== undefined && { title }),
      author: { id: createdBy.id, name: nameAuthor(names, createdBy) },
      features: [...new Set(changes.flatMap(({ feature }) => feature ?? []))],
      approvals: approvalsOf(changeRequest).length,
      isAsked: reviewers.includes(caller.id),
      ...(schedule?.status === 'pending' && { scheduledAt: schedule.scheduledAt }),
      ...(schedule !== undefined && schedule.status !== 'pending' && { isScheduleBroken: true }),
      ...(override !== undefined && { override: override.reason }),
    };
  });
  return { requests: requests.toSorted((a, b) => b.id - a.id) };
}
