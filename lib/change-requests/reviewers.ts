import type { Caller } from '../identity/caller.ts';
import { authorNameOf, type User, users } from '../identity/users.ts';
import { listUsersWithPermission } from '../identity/users-with-permission.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Review } from './change-request.ts';
import type { RequestPlace } from './change-request-schema.ts';
import { loadChangeRequest } from './change-requests.ts';

/**
 * Lists the users who may approve changes in an environment of a project.
 * @throws ApiError 404 for an unknown project.
 */
export async function availableReviewers(request: Request, projectId: string, environment: string) {
  const [, found] = await Promise.all([
    loadProject(request, projectId),
    listUsersWithPermission(request, 'APPROVE_CHANGE_REQUEST', projectId, environment),
  ]);
  return { reviewers: found.map((user) => reviewerView(user)) };
}

/**
 * Lists the users who are asked to review a request.
 * @throws ApiError 404 for an unknown request.
 */
export async function listRequestedReviewers(request: Request, caller: Caller, place: RequestPlace) {
  const { value } = await loadChangeRequest(request, caller, place);
  const found = await users.some(request, value.reviewers);
  const reviews = [...value.approvals, ...value.rejections];
  return { reviewers: [...found.values()].map((user) => reviewerView(user, reviews)) };
}

/** The admin UI finds the review of somebody by this user name, which is the one that they had then. */
function reviewerView(user: User, reviews: readonly Review[] = []) {
  const { id, email, name } = user;
  const { createdBy } = reviews.find((review) => review.createdBy.id === id) ?? {};
  const username = createdBy?.name ?? (name || authorNameOf(user));
  return { id, email: email ?? '', ...(name && { name }), username, imageUrl: '' };
}
