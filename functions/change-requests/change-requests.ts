import * as v from 'valibot';
import { changeInput, changesInput } from '../../lib/change-requests/change-input-schema.ts';
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
import { addChanges, discardChange, editChange } from '../../lib/change-requests/edit.ts';
import { endOverride, listOverrides, reviewOverride, startOverride } from '../../lib/change-requests/override.ts';
import { availableReviewers, listRequestedReviewers } from '../../lib/change-requests/reviewers.ts';
import {
  addComment,
  changeState,
  removeChangeRequest,
  setReviewers,
  setTitle,
} from '../../lib/change-requests/states.ts';
import * as lib from '../../lib/change-requests/views/lists.ts';
import { previewChangeRequest } from '../../lib/change-requests/views/preview.ts';
import { changeRequestView } from '../../lib/change-requests/views/views.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { count, object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Change requests');

export const addChangeRequestChanges = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests',
  summary: 'Adds changes to the draft of the caller in an environment, or to a new one.',
  description:
    'The body is one change or a list of at most 200. Each caller has one unfinished request in an environment, which collects their changes; nobody else sees it before it is sent to review. A change to an approved request makes the approvals void. A 400 means that the environment needs no approval, or that a change could not be made.',
  permission: 'NONE',
  body: changesInput,
  responses: { 200: changeRequest },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => addChanges(request, caller, params, body),
  (value) => ({ body: changeRequestView(value) }),
);

export const addChangeRequestComment = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/comments',
  summary: 'Adds a comment to a change request.',
  description: 'In a protected or private project, only members may comment. A request holds at most 300 comments.',
  permission: 'NONE',
  params: changeRequestPath,
  body: commentInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addComment(request, caller, params, body.text));

export const countChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/count',
  summary: 'Counts the newest 10,000 change requests of a project by state.',
  description: "Drafts of others are not counted. `total` also has the caller's draft and what was cancelled.",
  permission: 'NONE',
  responses: { 200: changeRequestCounts },
}).handle(({ request, caller, params }) => lib.countChangeRequests(request, caller, params.projectId));

export const deleteChangeRequest = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}',
  summary: 'Discards a draft, or cancels a change request that is under review.',
  description: 'Only the author and Admins may do so. A request that is closed or scheduled is a 400.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => removeChangeRequest(request, caller, params));

export const deleteChangeRequestChange = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  summary: 'Takes a change out of a change request.',
  description:
    'Only the author may do so. A draft is discarded with its last change; the last change of a request under review is a 400. Approvals become void.',
  permission: 'NONE',
  params: changePath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => discardChange(request, caller, params));

export const endChangeRequestOverride = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}/change-requests/override/{id}',
  summary: 'Ends an override early, or vetoes one that is to begin.',
  description: 'Changes under it stay, and still have to be reviewed. One that has ended is a 404.',
  permission: 'APPROVE_CHANGE_REQUEST',
  params: overridePath,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => endOverride(request, caller, params));

export const getActionableChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/actionable',
  summary: 'Counts the change requests of a project that wait for the caller.',
  description:
    'Counted are requests that the caller may approve or apply, their own schedules that failed or were suspended, and overrides that they may review.',
  permission: 'NONE',
  responses: { 200: object({ total: count }) },
}).handle(({ request, caller, params }) => lib.countActionable(request, caller, params.projectId));

export const getAvailableChangeRequestReviewers = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/available-reviewers/{environment}',
  summary: 'Lists the users who may approve changes in an environment of a project.',
  description: 'These are the users with `APPROVE_CHANGE_REQUEST` there, by a role of their own or of a group.',
  permission: 'NONE',
  responses: { 200: reviewers },
}).handle(({ request, params }) => availableReviewers(request, params.projectId, params.environment));

export const getChangeRequest = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  summary: 'Returns a change request with its changes, reviews and comments.',
  description:
    'A change says in `conflict` where somebody else has changed the same since. The ETag is for `If-Match` of a decision: it is refused if the request has changed since. The draft of somebody else is a 404.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: changeRequest },
  etag: true,
}).handle(({ request, caller, params }) => lib.getChangeRequest(request, caller, params));

export const getChangeRequestDiff = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/diff',
  summary: 'Returns the effects that applying a change request would have now.',
  description:
    'It lists the JSON Patches of features and segments, the events and the conflicts, by the code that applies the request. Nothing is changed.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: preview },
}).handle(({ request, caller, params }) => previewChangeRequest(request, caller, params));

export const getChangeRequestOverrides = endpoint({
  route: 'GET /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  summary: 'Lists the overrides of an environment that are under way or to begin.',
  description:
    'Whoever has an override changes the environment without approval until `until`. Everybody who may approve can end it.',
  permission: 'NONE',
  responses: { 200: v.array(shownOverride) },
}).handle(({ request, params }) => listOverrides(request, params));

export const getChangeRequestsForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests',
  summary: 'Lists the newest change requests of a project.',
  description:
    'It lists at most 300, newest first, without the drafts of others. `GET …/change-requests/{id}` shows the content of a change.',
  permission: 'NONE',
  responses: { 200: v.array(listedChangeRequest) },
}).handle(({ request, caller, params }) => lib.listChangeRequests(request, caller, params.projectId));

export const getOpenChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/open',
  summary: 'Lists the same as `pending`, under its old name.',
  description: 'Use `GET …/change-requests/pending` instead.',
  permission: 'NONE',
  deprecated: true,
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPending(request, caller, params.projectId));

export const getPendingChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending',
  summary: 'Lists the change requests of the caller in a project that they can still edit.',
  description:
    'There is at most one for each environment: the draft of the caller, or a request of theirs under review. Each is shown whole.',
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPending(request, caller, params.projectId));

export const getPendingChangeRequestsForFeature = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending/{featureName}',
  summary: 'Lists the open change requests that change a feature.',
  description: 'At most the newest 50 are listed, each whole, without the drafts of others.',
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPendingFor(request, caller, params.projectId, params.featureName));

export const getRequestedApprovers = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  summary: 'Lists the users who are asked to review a change request.',
  description:
    'The list is empty if nobody was asked. Everybody with `APPROVE_CHANGE_REQUEST` may approve, asked or not.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: reviewers },
}).handle(({ request, caller, params }) => listRequestedReviewers(request, caller, params));

export const getScheduledChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/scheduled',
  summary: 'Lists the scheduled change requests that a change of features, of a strategy or of variants would touch.',
  description:
    'An admin UI warns by it before a change: the change would suspend these schedules. The query names features, the id of a strategy, or a feature whose variants change.',
  permission: 'NONE',
  query: scheduledQuery,
  repeated: ['feature'],
  responses: { 200: v.array(scheduledChangeRequest) },
}).handle(({ request, caller, params, query }) => lib.listScheduled(request, caller, params.projectId, query));

export const reviewChangeRequestOverride = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/review',
  summary: 'Records the review of what was changed under an override that has ended.',
  description:
    'It needs `APPROVE_CHANGE_REQUEST`, and somebody else than those who made the changes. An override that is under way, or that was reviewed, is a 400.',
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
    'It searches the projects that the caller sees, and of each the open and the newest 300 closed requests. All filters must hold: `state=IS:open`, `createdBy=IS:1`, `requestedApproverId=IS:1`. `sortBy` is `createdAt` (the default), `title`, `project`, `environment`, `state`, or `waiting`, which begins with those that the caller could review or apply now.',
  permission: 'NONE',
  query: changeRequestSearch,
  responses: { 200: foundChangeRequests },
}).handle(({ request, caller, query }) => lib.searchChangeRequests(request, caller, query));

export const startChangeRequestOverride = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  summary: 'Lets the caller change an environment without approval for some minutes, in an emergency.',
  description:
    'It begins at once, or after the `overrideDelayMinutes` of the environment, in which others may end it. Its `id` is ' +
    'that of a change request that lists what is changed under it, and that somebody else has to review afterwards.',
  permission: 'APPROVE_CHANGE_REQUEST',
  body: overrideInput,
  responses: { 201: shownOverride },
}).handle(({ request, caller, params, body }) => startOverride(request, caller, params, body));

export const updateChangeRequestChange = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  summary: 'Replaces a change of a change request.',
  description:
    'Only the author may do so. The new change has the same action and gets a new id. Approvals become void.',
  permission: 'NONE',
  params: changePath,
  body: changeInput,
  responses: { 200: changeRequest },
  etag: true,
  errors: [409],
}).handle(
  ({ request, caller, params, body }) => editChange(request, caller, params, body),
  (value) => ({ body: changeRequestView(value) }),
);

export const updateChangeRequestState = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/state',
  summary: 'Sends a change request to review, approves, rejects, cancels, schedules or applies it.',
  description:
    'The author sends a draft to review or cancels the request. Approving and rejecting need `APPROVE_CHANGE_REQUEST`, applying and scheduling `APPLY_CHANGE_REQUEST`, in the environment of the request. Nobody approves their own request, unless the environment lets Admins do so. Applying is a 409 if somebody has changed the same value since; `details` show each value before, now and wanted. With `If-Match`, a decision is only for the content that was read.',
  permission: 'NONE',
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
  summary: 'Gives a change request a title.',
  description:
    'Only the author and Admins may do so, until the request is closed. After review began, a comment keeps the earlier title.',
  permission: 'NONE',
  params: changeRequestPath,
  body: titleInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setTitle(request, caller, params, body.title));

export const updateRequestedApprovers = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  summary: 'Asks users to review a change request, instead of those who were asked before.',
  description:
    'Only the author and Admins may do so. At most 10 users are asked; with a mail sender, those who may approve get a mail.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewersInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setReviewers(request, caller, params, body.reviewers));
