import type * as v from 'valibot';
import type { advancedPlayground } from '../../delivery/playground-schema.ts';
import { change } from '../data/declare-call.ts';

/** The results of flags for each context, with their reasons. */
export type AdvancedPlayground = v.InferOutput<typeof advancedPlayground>;

const request = '/api/admin/projects/{projectId}/change-requests/{id}';
export const updateChangeRequestState = change<
  unknown,
  { readonly state: string; readonly comment?: string; readonly scheduledAt?: string }
>()('updateChangeRequestState', 'PUT', `${request}/state`);
export const updateChangeRequestTitle = change<unknown, { readonly title: string }>()(
  'updateChangeRequestTitle',
  'PUT',
  `${request}/title`,
);
export const updateRequestedApprovers = change<unknown, { readonly reviewers: readonly number[] }>()(
  'updateRequestedApprovers',
  'PUT',
  `${request}/approvers`,
);
export const updateChangeRequestChange = change<
  unknown,
  { readonly feature?: string; readonly action: string; readonly payload?: unknown }
>()('updateChangeRequestChange', 'PUT', `${request}/changes/{changeId}`);
export const deleteChangeRequestChange = change()(
  'deleteChangeRequestChange',
  'DELETE',
  `${request}/changes/{changeId}`,
);
export const reviewChangeRequestOverride = change<unknown, { readonly comment: string }>()(
  'reviewChangeRequestOverride',
  'POST',
  `${request}/review`,
);
export const getChangeRequestPlayground = change<
  AdvancedPlayground,
  { readonly context: Readonly<Record<string, unknown>> }
>()('getChangeRequestPlayground', 'POST', '/api/admin/playground/change-request/{id}');
export const addChangeRequestComment = change<unknown, { readonly text: string }>()(
  'addChangeRequestComment',
  'POST',
  `${request}/comments`,
);
