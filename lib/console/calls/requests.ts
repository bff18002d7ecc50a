import type * as v from 'valibot';
import type { foundChangeRequests, ShownOverride } from '../../change-requests/change-request-schema.ts';
import type { ConsoleRequestPage, ConsoleReviews } from '../../screens/request-schema.ts';
import { change, read } from '../data/declare-call.ts';

export const getConsoleReviews = read<ConsoleReviews>()('getConsoleReviews', '/api/admin/console/reviews');
export const searchChangeRequests = read<v.InferOutput<typeof foundChangeRequests>>()(
  'searchChangeRequests',
  '/api/admin/search/change-requests',
);
export const getConsoleRequest = read<ConsoleRequestPage>()(
  'getConsoleRequest',
  '/api/admin/console/requests/{projectId}/{id}',
);

/** The unfinished requests of the reader in a project, at most one for each environment. */
export const getPendingChangeRequests = read<
  readonly { readonly id: number; readonly title?: string; readonly environment: string }[]
>()('getPendingChangeRequests', '/api/admin/projects/{projectId}/change-requests/pending');

const requestsIn = '/api/admin/projects/{projectId}/environments/{environment}/change-requests';

/** A change of a flag that somebody asks for. */
export interface AskedChange {
  /** Null for a change of a segment. */
  readonly feature: string | null;
  readonly action:
    | 'updateEnabled'
    | 'addStrategy'
    | 'updateStrategy'
    | 'deleteStrategy'
    | 'reorderStrategy'
    | 'archiveFeature'
    | 'addDependency'
    | 'deleteDependency'
    | 'patchVariant'
    | 'updateSegment'
    | 'addReleasePlan'
    | 'deleteReleasePlan'
    | 'startMilestone'
    | 'updateMilestoneStrategy'
    | 'changeMilestoneProgression'
    | 'deleteMilestoneProgression'
    | 'resumeMilestoneProgression'
    | 'changeReleasePlanSafeguard'
    | 'deleteReleasePlanSafeguard'
    | 'changeFeatureEnvSafeguard'
    | 'deleteFeatureEnvSafeguard';
  readonly payload?: object;
}
export const addChangeRequestChanges = change<
  readonly { readonly id: number }[] | { readonly id: number },
  AskedChange | readonly AskedChange[] | { readonly changes: readonly AskedChange[]; readonly title?: string }
>()('addChangeRequestChanges', 'POST', requestsIn);
export const startChangeRequestOverride = change<
  ShownOverride,
  { readonly reason: string; readonly minutes: number }
>()('startChangeRequestOverride', 'POST', `${requestsIn}/override`);
export const endChangeRequestOverride = change()('endChangeRequestOverride', 'DELETE', `${requestsIn}/override/{id}`);
