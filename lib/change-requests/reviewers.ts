import type { Caller } from '../identity/caller.ts';
import { authorNameOf, type User, users } from '../identity/users.ts';
import { listUsersWithPermission, listUsersWithRights } from '../identity/users-with-permission.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { ChangeRequest, Review } from './change-request.ts';
import type { RequestPath } from './change-request-schema.ts';
import { loadChangeRequest } from './change-requests.ts';
import { isApprover, type Rules } from './rules.ts';

/**
 * Lists the users who may approve changes in an environment of a project.
 * @throws ApiError 404 for an unknown project.
 */
export async function listAvailableReviewers(request: Request, projectId: string, environment: string) {
  const [, approvers] = await Promise.all([
    loadProject(request, projectId),
    listUsersWithPermission(request, 'APPROVE_CHANGE_REQUEST', projectId, environment),
  ]);
  return { reviewers: approvers.map((user) => toReviewerView(user)) };
}

/** Lists the users who may approve a request, or have approved it. */
export async function listReviewersOf(request: Request, changeRequest: ChangeRequest, rules: Rules) {
  const approvers = await listUsersWithRights(request, changeRequest.project, (may, { id }) =>
    isApprover({ id, may }, changeRequest, rules),
  );
  return approvers.map((user) => toReviewerView(user));
}

/**
 * Lists the users who were asked to review a request.
 * @throws ApiError 404 for an unknown request.
 */
export async function listRequestedReviewers(request: Request, caller: Caller, path: RequestPath) {
  const { value } = await loadChangeRequest(request, caller, path);
  const byId = await users.findSome(request, value.reviewers);
  const reviews = [...value.approvals, ...value.rejections];
  return { reviewers: [...byId.values()].map((user) => toReviewerView(user, reviews)) };
}

/** Returns a reviewer with the user name of their review, by which the admin UI matches reviewers with reviews. */
function toReviewerView(user: User, reviews: readonly Review[] = []) {
  const { id, email, name } = user;
  const { createdBy } = reviews.find((review) => review.createdBy.id === id) ?? {};
  const username = createdBy?.name ?? (name || authorNameOf(user));
  return { id, email: email ?? '', ...(name && { name }), username, imageUrl: '' };
}
