import type { ConsoleRequestPage, ConsoleReviews } from '../../screens/request-schema.ts';
import { change, read } from '../data/declare-call.ts';

export const getConsoleReviews = read<ConsoleReviews>()('getConsoleReviews', '/api/admin/console/reviews');
export const getConsoleRequest = read<ConsoleRequestPage>()(
  'getConsoleRequest',
  '/api/admin/console/requests/{projectId}/{id}',
);

const request = '/api/admin/projects/{projectId}/change-requests/{id}';
export const updateChangeRequestState = change<unknown, { readonly state: string; readonly comment?: string }>()(
  'updateChangeRequestState',
  'PUT',
  `${request}/state`,
);
export const addChangeRequestComment = change<unknown, { readonly text: string }>()(
  'addChangeRequestComment',
  'POST',
  `${request}/comments`,
);

const requestsIn = '/api/admin/projects/{projectId}/environments/{environment}/change-requests';

/** A change of a flag that somebody asks for. */
export interface AskedChange {
  readonly feature: string;
  readonly action: 'updateEnabled' | 'addStrategy' | 'updateStrategy';
  readonly payload: object;
}
export const addChangeRequestChanges = change<
  readonly { readonly id: number }[] | { readonly id: number },
  AskedChange
>()('addChangeRequestChanges', 'POST', requestsIn);
export const startChangeRequestOverride = change<unknown, { readonly reason: string; readonly minutes: number }>()(
  'startChangeRequestOverride',
  'POST',
  `${requestsIn}/override`,
);
export const endChangeRequestOverride = change()('endChangeRequestOverride', 'DELETE', `${requestsIn}/override/{id}`);
