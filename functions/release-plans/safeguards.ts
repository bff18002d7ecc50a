import { suspendSchedules } from '../../lib/change-requests/schedules/suspension.ts';
import { changeFeature } from '../../lib/features/change-feature.ts';
import {
  environmentSafeguard,
  environmentSafeguardInput,
  planSafeguard,
  planSafeguardInput,
} from '../../lib/features/plans/safeguard-schema.ts';
import { viewEnvironmentSafeguard, viewPlanSafeguard } from '../../lib/features/plans/view-plan.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { sentRequest } from '../../lib/http/sent-request.ts';
import { planRemoveSafeguard, planSetSafeguard } from '../../lib/release-plans/change-safeguards.ts';
import { listAlarms } from '../../lib/safeguards/alarm-evidence.ts';
import { assertMeasurable, issueSignalToken, listEvidence } from '../../lib/safeguards/list-evidence.ts';
import {
  safeguardAlarms,
  safeguardEvidence,
  safeguardSignal,
  signalToken,
} from '../../lib/safeguards/safeguard-evidence-schema.ts';
import { findSignalSender } from '../../lib/safeguards/signals.ts';
import { takeSignal } from '../../lib/safeguards/take-signal.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Safeguards');
const flagChange = endpointsOf('Safeguards', { effectsOf: suspendSchedules });

const description =
  'The metric is an impact metric of SDKs; `flag:evaluations`, `flag:yes-rate`, `flag:variant-share` or `flag:instances`, about the feature itself; `alarm:NAME` for a CloudWatch alarm; or `signal` for a signal from outside. Without an `id`, the first safeguard is replaced, if there is one; with a new `id`, one is added. The reply is 400 with everything that is wrong.';

export const setReleasePlanSafeguard = flagChange({
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans/{planId}/safeguards',
  summary: 'Adds a safeguard to a release plan, or replaces one.',
  description: `It pauses the plan if a metric is above or below a threshold. With an \`action\`, it goes back to the previous milestone instead, or switches the feature off. ${description}`,
  permission: 'UPDATE_FEATURE_STRATEGY',
  body: planSafeguardInput,
  responses: { 200: planSafeguard },
  etag: true,
}).handle(
  async ({ request, caller, params, body }) => {
    await assertMeasurable(request, body);
    return changeFeature(request, caller, planSetSafeguard(request, params, body));
  },
  (safeguard, { params }) => ({ body: viewPlanSafeguard(params.planId, safeguard) }),
);

export const deleteReleasePlanSafeguard = flagChange({
  route:
    'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans/{planId}/safeguards/{id}',
  summary: 'Removes a safeguard from a release plan.',
  description: 'In a protected environment, this needs approval. A token for its signals ceases to work.',
  permission: 'UPDATE_FEATURE_STRATEGY',
  responses: { 204: null },
  etag: 'checked',
}).handle(async ({ request, caller, params }) => {
  await changeFeature(request, caller, planRemoveSafeguard(request, params, params.id));
});

export const setFeatureEnvironmentSafeguard = flagChange({
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/safeguards',
  summary: 'Adds a safeguard to a feature in an environment, or replaces one.',
  description: `It switches the feature off there if a metric is above or below a threshold. ${description}`,
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  body: environmentSafeguardInput,
  responses: { 200: environmentSafeguard },
  etag: true,
}).handle(
  async ({ request, caller, params, body }) => {
    await assertMeasurable(request, body);
    return changeFeature(request, caller, planSetSafeguard(request, params, body));
  },
  (safeguard, { params: { projectId: project, ...place } }) => ({
    body: viewEnvironmentSafeguard({ project, ...place }, safeguard),
  }),
);

export const deleteFeatureEnvironmentSafeguard = flagChange({
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/safeguards/{id}',
  summary: 'Removes a safeguard from a feature in an environment.',
  description: 'In a protected environment, this needs approval. A token for its signals ceases to work.',
  permission: 'UPDATE_FEATURE_ENVIRONMENT',
  responses: { 204: null },
  etag: 'checked',
}).handle(async ({ request, caller, params }) => {
  await changeFeature(request, caller, planRemoveSafeguard(request, params, params.id));
});

export const getSafeguardEvidence = endpoint({
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/safeguards/evidence',
  summary:
    'Lists the present measurements of the safeguards of a feature in an environment, and of its release plan there.',
  description:
    'Without fresh evidence, the state is `no data`, and the safeguard does not trigger. It is `idle` while the feature is off, while its plan has not begun, and while its plan is paused and no milestone was started since.',
  responses: { 200: safeguardEvidence },
}).handle(async ({ request, params }) => ({ safeguards: await listEvidence(request, params) }));

export const createSafeguardSignalToken = endpoint({
  route:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/safeguards/{id}/signal-token',
  summary: 'Creates the token for signals to a safeguard, and shows it once.',
  description:
    'It is for an alerting system or a pipeline, and can do nothing else. An earlier token of the safeguard becomes invalid.',
  permission: ['UPDATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT'],
  secret: true,
  responses: { 201: signalToken },
}).handle(async ({ request, params }) => ({ token: await issueSignalToken(request, params) }));

export const getSafeguardAlarms = endpoint({
  route: 'GET /api/admin/safeguard-alarms',
  summary: 'Lists the CloudWatch alarms that safeguards can watch, by name.',
  description:
    'These are the alarms that have changed in the last 31 days, and whose names begin with the setting `safeguardAlarms` of the deployment. A safeguard names one as `alarm:NAME`.',
  responses: { 200: safeguardAlarms },
}).handle(async ({ request }) => ({ alarms: await listAlarms(request) }));

export const sendSafeguardSignal = endpoint({
  route: 'POST /safeguards/{id}/signal',
  summary: 'Signals a fault to a safeguard, which then acts at once.',
  description:
    'The header `authorization: Bearer TOKEN` has the token for signals to this safeguard. The event of the safeguard shows `reason`. The bodies of Alertmanager and Grafana are accepted as they are; `status: "resolved"` withdraws the signal. A repetition has no further effect. The reply is 429 after 30 signals in ten minutes.',
  audience: 'public',
  signedBy: (request, event) => findSignalSender(request, sentRequest(event).header('authorization')),
  // It changes something only if the safeguard acts, in the name of the system.
  rights: 'count',
  body: safeguardSignal,
  bodyOptional: true,
  responses: { 200: object({}) },
  errors: [401, 404],
}).handle(async ({ request, params, body, signer }) => {
  await takeSignal(request, signer, params.id, body);
  return {};
});
