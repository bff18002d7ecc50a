import type * as v from 'valibot';
import type { SafeguardInput } from '../../features/plans/safeguard-schema.ts';
import type { safeguardEvidence } from '../../safeguards/safeguard-evidence-schema.ts';
import { addressFor, change, read } from '../data/declare-call.ts';

const environment = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}';
const ofPlan = `${environment}/release-plans/{planId}/safeguards` as const;
const ofEnvironment = `${environment}/safeguards` as const;

export const setReleasePlanSafeguard = change<unknown, SafeguardInput>()('setReleasePlanSafeguard', 'PUT', ofPlan);
export const deleteReleasePlanSafeguard = change()('deleteReleasePlanSafeguard', 'DELETE', `${ofPlan}/{id}`);
export const setFeatureEnvironmentSafeguard = change<unknown, SafeguardInput>()(
  'setFeatureEnvironmentSafeguard',
  'PUT',
  ofEnvironment,
);
export const deleteFeatureEnvironmentSafeguard = change()(
  'deleteFeatureEnvironmentSafeguard',
  'DELETE',
  `${ofEnvironment}/{id}`,
);
export const getSafeguardEvidence = read<v.InferOutput<typeof safeguardEvidence>>()(
  'getSafeguardEvidence',
  `${ofEnvironment}/evidence`,
);
export const createSafeguardSignalToken = change<{ readonly token: string }>()(
  'createSafeguardSignalToken',
  'POST',
  `${ofEnvironment}/{id}/signal-token`,
);
export const addressOfSignal = addressFor('sendSafeguardSignal', 'POST', '/safeguards/{id}/signal');
