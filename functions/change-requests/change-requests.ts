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
  permission: 'NONE',
  params: changeRequestPath,
  body: commentInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => addComment(request, caller, params, body.text));

export const countChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/count',
  summary: 'Counts the newest 10,000 change requests of a project by state.',
  permission: 'NONE',
  responses: { 200: changeRequestCounts },
}).handle(({ request, caller, params }) => lib.countChangeRequests(request, caller, params.projectId));

export const deleteChangeRequest = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}',
  summary: 'Discards a draft, or cancels a change request that is under review.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => removeChangeRequest(request, caller, params));

export const deleteChangeRequestChange = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  summary: 'Takes a change out of a change request.',
  permission: 'NONE',
  params: changePath,
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => discardChange(request, caller, params));

export const endChangeRequestOverride = endpoint({
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}/change-requests/override/{id}',
  summary: 'Ends an override early, or vetoes one that is to begin.',
  permission: 'APPROVE_CHANGE_REQUEST',
  params: overridePath,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => endOverride(request, caller, params));

export const getActionableChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/actionable',
  summary: 'Counts the change requests of a project that wait for the caller.',
  permission: 'NONE',
  responses: { 200: object({ total: count }) },
}).handle(({ request, caller, params }) => lib.countActionable(request, caller, params.projectId));

export const getAvailableChangeRequestReviewers = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/available-reviewers/{environment}',
  summary: 'Lists the users who may approve changes in an environment of a project.',
  permission: 'NONE',
  responses: { 200: reviewers },
}).handle(({ request, params }) => availableReviewers(request, params.projectId, params.environment));

export const getChangeRequest = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  summary: 'Returns a change request with its changes, reviews and comments.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: changeRequest },
  etag: true,
}).handle(({ request, caller, params }) => lib.getChangeRequest(request, caller, params));

export const getChangeRequestDiff = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/diff',
  summary: 'Returns the effects that applying a change request would have now.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: preview },
}).handle(({ request, caller, params }) => previewChangeRequest(request, caller, params));

export const getChangeRequestOverrides = endpoint({
  route: 'GET /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  summary: 'Lists the overrides of an environment that are under way or to begin.',
  permission: 'NONE',
  responses: { 200: v.array(shownOverride) },
}).handle(({ request, params }) => listOverrides(request, params));

export const getChangeRequestsForProject = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests',
  summary: 'Lists the newest change requests of a project.',
  permission: 'NONE',
  responses: { 200: v.array(listedChangeRequest) },
}).handle(({ request, caller, params }) => lib.listChangeRequests(request, caller, params.projectId));

export const getOpenChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/open',
  summary: 'Lists the same as `pending`, under its old name.',
  permission: 'NONE',
  deprecated: true,
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPending(request, caller, params.projectId));

export const getPendingChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending',
  summary: 'Lists the change requests of the caller in a project that they can still edit.',
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPending(request, caller, params.projectId));

export const getPendingChangeRequestsForFeature = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending/{featureName}',
  summary: 'Lists the open change requests that change a feature.',
  permission: 'NONE',
  responses: { 200: v.array(changeRequest) },
}).handle(({ request, caller, params }) => lib.listPendingFor(request, caller, params.projectId, params.featureName));

export const getRequestedApprovers = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  summary: 'Lists the users who are asked to review a change request.',
  permission: 'NONE',
  params: changeRequestPath,
  responses: { 200: reviewers },
}).handle(({ request, caller, params }) => listRequestedReviewers(request, caller, params));

export const getScheduledChangeRequests = endpoint({
  route: 'GET /api/admin/projects/{projectId}/change-requests/scheduled',
  summary: 'Lists the scheduled change requests that a change of features, of a strategy or of variants would touch.',
  permission: 'NONE',
  query: scheduledQuery,
  repeated: ['feature'],
  responses: { 200: v.array(scheduledChangeRequest) },
}).handle(({ request, caller, params, query }) => lib.listScheduled(request, caller, params.projectId, query));

export const reviewChangeRequestOverride = endpoint({
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/review',
  summary: 'Records the review of what was changed under an override that has ended.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => reviewOverride(request, caller, params, body.comment));

export const searchChangeRequests = endpoint({
  route: 'GET /api/admin/search/change-requests',
  summary: 'Searches the change requests of all projects.',
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
  permission: 'NONE',
  params: changeRequestPath,
  body: titleInput,
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setTitle(request, caller, params, body.title));

export const updateRequestedApprovers = endpoint({
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  summary: 'Asks users to review a change request, instead of those who were asked before.',
  permission: 'NONE',
  params: changeRequestPath,
  body: reviewersInput,
  responses: { 200: null },
  etag: true,
}).handle(({ request, caller, params, body }) => setReviewers(request, caller, params, body.reviewers));
