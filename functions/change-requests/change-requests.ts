import * as v from 'valibot';
import { addChanges } from '../../lib/change-requests/add-changes.ts';
import { type ChangeInput, changeInput, changesInput } from '../../lib/change-requests/change-input-schema.ts';
import {
  changePath,
  changeRequest,
  changeRequestCounts,
  changeRequestPath,
  changeRequestSearch,
  commentInput,
  foundChangeRequests,
  listedChangeRequest,
  overrideInput,
  overridePath,
  preview,
  reviewers,
  reviewersInput,
  reviewInput,
  scheduledChangeRequest,
  scheduledQuery,
  shownOverride,
  stateInput,
  stateReply,
  titleInput,
} from '../../lib/change-requests/change-request-schema.ts';
import { discardChange, editChange } from '../../lib/change-requests/edit-changes.ts';
import { endOverride, listOverrides, reviewOverride, startOverride } from '../../lib/change-requests/override.ts';
import { listAvailableReviewers, listRequestedReviewers } from '../../lib/change-requests/reviewers.ts';
import {
  addComment,
  changeState,
  removeChangeRequest,
  setReviewers,
  setTitle,
} from '../../lib/change-requests/states.ts';
import * as lib from '../../lib/change-requests/views/lists.ts';
import { previewChangeRequest } from '../../lib/change-requests/views/preview.ts';
import { toChangeRequestView } from '../../lib/change-requests/views/views.ts';
import type { SafeguardInput } from '../../lib/features/plans/safeguard-schema.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import type { Request } from '../../lib/request.ts';
import { assertMeasurable } from '../../lib/safeguards/list-evidence.ts';
import { count, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Change requests');

/** @throws ApiError 400 for a safeguard that cannot be measured, as the direct change does. */
async function assertMeasurableIn(request: Request, changes: readonly ChangeInput[]): Promise<void> {
  const safeguards = changes.flatMap(
    ({ payload }) => (Object(payload) as { readonly safeguard?: SafeguardInput }).safeguard ?? [],
  );
  await Promise.all(safeguards.map((safeguard) => assertMeasurable(request, safeguard)));
}

export const addChangeRequestChanges = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests',
  summary: "Adds changes to the caller's draft in an environment, or to a new draft.",
  description:
    'The body is a change, a list of at most 200 changes, or `{ changes, title, reason, changeRequest }`, where `changeRequest` is the id of the request to add to. Each person has at most one unfinished request per environment, which collects their changes. Nobody else sees it before it is sent to review. A token with the scope `propose` makes a new request with each call that names none, at most 20 open ones of 50 changes, also where changes need no approval. Adding a change to an approved request cancels its approvals. The reply is 400 if the environment needs no approval, or if a change is not possible.',
  permission: 'NONE',
  agents: 'allowed',
  body: changesInput,
  responses: { 200: changeRequest },
  etag: true,
  errors: [409],
}).handle(
  async ({ request, caller, params, body }) => {
    await assertMeasurableIn(request, 'changes' in body ? body.changes : [body].flat());
    return addChanges(request, caller, params, body);
  },
  (value) => ({ body: toChangeRequestView(value) }),
);

export const addChangeRequestComment = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/comments',
  summary: 'Adds a comment to a change request.',
  description: 'In a protected or private project, only members may comment. A request can have at most 300 comments.',
  permission: 'NONE',
  agents: 'allowed',
  params: changeRequestPath,
  body: commentInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addComment(request, caller, params, body.text));

export const countChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/count',
  summary: 'Counts the newest 10,000 change requests of a project by state.',
  description: "Drafts of others are not counted. `total` includes the caller's draft and cancelled requests.",
  permission: 'NONE',
  responses: { 200: changeRequestCounts },
}).handle(({ request, caller, params }) => lib.countChangeRequests(request, caller, params.projectId));

export const deleteChangeRequest = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}',
  summary: 'Discards a draft, or cancels a change request that is under review.',
  description: 'Only the author and Admins may do so. The reply is 400 if the request is closed or scheduled.',
  permission: 'NONE',
  agents: 'allowed',
  params: changeRequestPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => removeChangeRequest(request, caller, params));

export const deleteChangeRequestChange = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  summary: 'Removes a change from a change request.',
  description:
    'Only the author may do so. Removing the last change discards a draft; in a request under review, the reply is 400. Approvals are cancelled.',
  permission: 'NONE',
  agents: 'allowed',
  params: changePath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => discardChange(request, caller, params));

export const endChangeRequestOverride = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}/change-requests/override/{id}',
  summary: 'Ends an override early, or prevents one that has not begun.',
  description:
    'It does not undo changes that were made under it; they still need a review. The reply is 404 if the override has ended.',
  permission: 'APPROVE_CHANGE_REQUEST',
  params: overridePath,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => endOverride(request, caller, params));

export const getActionableChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/actionable',
  summary: 'Counts the change requests of a project that need an action of the caller.',
  description:
    "These are requests that the caller may approve or apply, the caller's own schedules that failed or were suspended, and overrides that the caller may review.",
  permission: 'NONE',
  responses: { 200: object({ total: count }) },
}).handle(({ request, caller, params }) => lib.countActionable(request, caller, params.projectId));

export const getAvailableChangeRequestReviewers = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/available-reviewers/{environment}',
  summary: 'Lists the users who may approve changes in an environment of a project.',
  description:
    'These are the users who have `APPROVE_CHANGE_REQUEST` there, through a role of their own or of a group.',
  permission: 'NONE',
  responses: { 200: reviewers },
}).handle(({ request, params }) => listAvailableReviewers(request, params.projectId, params.environment));

export const getChangeRequest = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  summary: 'Returns a change request with its changes, reviews and comments.',
  description:
    'If somebody else has since changed the same value, a change has a `conflict`. Send the ETag as `If-Match` with a decision, which is then refused if the request has changed. The reply is 404 for a draft of somebody else.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: changeRequest },
  etag: true,
}).handle(({ request, caller, params }) => lib.getChangeRequest(request, caller, params));

export const getChangeRequestDiff = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/diff',
  summary: 'Returns the effects of applying a change request now, without applying it.',
  description:
    'It lists the JSON Patches of features and segments, the events and the conflicts. The code is the same that applies the request.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: preview },
}).handle(({ request, caller, params }) => previewChangeRequest(request, caller, params));

export const getChangeRequestOverrides = endpoint({
  route: 'GET /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  summary: 'Lists the active and pending overrides of an environment.',
  description:
    'The user of an override can change the environment without approval until `until`. Anyone who may approve can end it.',
  permission: 'NONE',
  responses: { 200: v.array(shownOverride) },
}).handle(({ request, params }) => listOverrides(request, params));

export const getChangeRequestsForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests',
  summary: 'Lists the newest change requests of a project.',
  description:
    'It lists at most 300 requests, newest first, without drafts of others. `GET …/change-requests/{id}` has the content of their changes.',
  permission: 'NONE',
  responses: { 200: v.array(listedChangeRequest) },
}).handle(({ request, caller, params }) => lib.listChangeRequests(request, caller, params.projectId));

export const getOpenChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/open',
  summary: 'Lists the same as `pending`; it is the old name.',
  description: 'Use `GET …/change-requests/pending` instead.',
  permission: 'NONE',
  deprecated: true,
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPending(request, caller, params.projectId));

export const getPendingChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending',
  summary: "Lists the caller's change requests in a project that can still be edited.",
  description:
    "There is at most one per environment: the caller's draft, or a request of the caller under review. Each is returned with its content.",
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPending(request, caller, params.projectId));

export const getPendingChangeRequestsForFeature = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending/{featureName}',
  summary: 'Lists the open change requests that change a feature.',
  description: 'It returns at most the newest 50, with their content, and without drafts of others.',
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPendingFor(request, caller, params.projectId, params.featureName));

export const getRequestedApprovers = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  summary: 'Lists the users who were asked to review a change request.',
  description:
    'The list is empty if nobody was asked. Anyone with `APPROVE_CHANGE_REQUEST` may approve, even without being asked.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: reviewers },
}).handle(({ request, caller, params }) => listRequestedReviewers(request, caller, params));

export const getScheduledChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/scheduled',
  summary: 'Lists the scheduled change requests that a change of features, a strategy or variants would affect.',
  description:
    'Admin UIs use it to warn before a change that would suspend these schedules. The query names features, the id of a strategy, or a feature whose variants change.',
  permission: 'NONE',
  query: scheduledQuery,
  repeated: ['feature'],
  responses: { 200: v.array(scheduledChangeRequest) },
}).handle(({ request, caller, params, query }) => lib.listScheduled(request, caller, params.projectId, query));

export const reviewChangeRequestOverride = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/review',
  summary: 'Records the review of the changes that were made under an override that has ended.',
  description:
    'The caller needs `APPROVE_CHANGE_REQUEST`, and must not have made any of the changes. The reply is 400 if the override is still active or has been reviewed.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => reviewOverride(request, caller, params, body.comment));

export const searchChangeRequests = endpoint({
  route: 'GET /api/admin/search/change-requests',
  summary: 'Searches the change requests of all projects.',
  description:
    'It searches the projects that the caller may see: all open requests, and the newest 300 closed ones of each project. A request must match all filters: `state=IS:open`, `createdBy=IS:1`, `requestedApproverId=IS:1`. `sortBy` is `createdAt` (the default), `title`, `project`, `environment`, `state`, or `waiting`, which lists the requests first that the caller can review or apply now.',
  permission: 'NONE',
  query: changeRequestSearch,
  responses: { 200: foundChangeRequests },
}).handle(({ request, caller, query }) => lib.searchChangeRequests(request, caller, query));

export const startChangeRequestOverride = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  summary: 'Lets the caller change an environment without approval for some minutes, in an emergency.',
  description:
    'It begins at once, or after `overrideDelayMinutes` of the environment, during which others may end it. `id` is a change request that lists the changes that are made under the override. Somebody else has to review them afterwards.',
  permission: 'APPROVE_CHANGE_REQUEST',
  body: overrideInput,
  responses: { 201: shownOverride },
}).handle(({ request, caller, params, body }) => startOverride(request, caller, params, body));

export const updateChangeRequestChange = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  summary: 'Replaces a change of a change request.',
  description:
    'Only the author may do so. The new change has the same action and gets a new id. Approvals are cancelled.',
  permission: 'NONE',
  agents: 'allowed',
  params: changePath,
  body: changeInput,
  responses: { 200: changeRequest },
  etag: true,
  errors: [409],
}).handle(
  async ({ request, caller, params, body }) => {
    await assertMeasurableIn(request, [body]);
    return editChange(request, caller, params, body);
  },
  (value) => ({ body: toChangeRequestView(value) }),
);

export const updateChangeRequestState = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/state',
  summary: 'Sends a change request to review, or approves, rejects, cancels, schedules or applies it.',
  description:
    'The author sends a draft to review, or cancels the request. A token with the scope `propose` can do only that, and needs a reason or a comment. Approving and rejecting need `APPROVE_CHANGE_REQUEST`, applying and scheduling need `APPLY_CHANGE_REQUEST`, in the environment of the request. Callers cannot approve their own requests, unless the environment allows that to Admins. Applying is refused with 409 if somebody else has since changed the same value; `details` has each earlier, current and wanted value. With `If-Match`, a decision only applies to the content that was read.',
  permission: 'NONE',
  agents: 'allowed',
  params: changeRequestPath,
  body: stateInput,
  responses: { 200: stateReply },
  etag: 'checked',
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => changeState(request, caller, params, body),
  ({ state, scheduledAt }, { body: { comment } }) => ({
    body: { state, ...(scheduledAt && { scheduledAt }), ...(comment && { comment }) },
  }),
);

export const updateChangeRequestTitle = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/title',
  summary: 'Sets the title of a change request.',
  description:
    'Only the author and Admins may do so, until the request is closed. Once the review has begun, a comment records the earlier title.',
  permission: 'NONE',
  agents: 'allowed',
  params: changeRequestPath,
  body: titleInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setTitle(request, caller, params, body.title));

export const updateRequestedApprovers = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  summary: 'Replaces the users who are asked to review a change request.',
  description:
    'Only the author and Admins may do so. At most 10 users can be asked. If the service can send mails, those who may approve get one.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewersInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setReviewers(request, caller, params, body.reviewers));
