import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { frontendOrigins } from '../../lib/http/origins.ts';
import { buildName } from '../../lib/http/version.ts';
import { resourceLimits } from '../../lib/pages/resource-limits.ts';
import { uiConfig } from '../../lib/pages/ui-config-schema.ts';
import { uiSwitches } from '../../lib/pages/ui-switches.ts';
import { storeFeedback, storeSplash } from '../../lib/people/ui-state.ts';
import { feedback, feedbackChange, feedbackInput, splash, uiId } from '../../lib/people/ui-state-schema.ts';
import { loadFrontendSettings } from '../../lib/settings/frontend-origins.ts';
import { loadInstanceId } from '../../lib/settings/instance-id.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';
import { mailSender } from '../../lib/sign-in/send-mail.ts';
import { takesPasswords } from '../../lib/sign-in/ways.ts';
import { boolean, object, text } from '../../lib/values/primitives.ts';

export const createFeedback = endpoint({
  route: 'POST /api/admin/feedback',
  group: 'Admin UI',
  summary: "Records the caller's answer to a question of the admin UI.",
  description:
    'Only the caller sees it. It replaces an earlier answer to the same question. With `neverShow`, the admin UI does not ask again.',
  permission: 'NONE',
  body: feedbackInput,
  responses: { 200: feedback },
}).handle(({ request, caller, body }) =>
  storeFeedback(request, { ...body, userId: caller.id, given: new Date().toISOString() }),
);

export const getTelemetrySettings = endpoint({
  route: 'GET /api/admin/telemetry/settings',
  group: 'Telemetry',
  summary: 'Returns the telemetry settings. No telemetry is sent.',
  description: 'Both values are always false; they exist for pages that request them.',
  rights: 'none',
  responses: { 200: object({ versionInfoCollectionEnabled: boolean, featureInfoCollectionEnabled: boolean }) },
}).handle(async () => ({ versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false }));

export const getUiConfig = endpoint({
  route: 'GET /api/admin/ui-config',
  group: 'Admin UI',
  summary: 'Returns the configuration of the admin UI.',
  description:
    "It includes the version, the limits of the service, maintenance mode, and the feature switches of Unleash's admin UI.",
  // Not without a permission: the reply depends on the caller, who must be loaded.
  permission: 'NONE',
  reads: ['API_TOKENS_LIMIT', 'PROJECT_FEATURES_LIMIT', 'EMAIL_SENDER', 'FLAGSTAFF_COMMIT'],
  responses: { 200: uiConfig },
}).handle(async ({ request, caller, origin = '' }) => {
  const [maintenance, frontend, hasPasswords, instanceId] = await Promise.all([
    loadMaintenance(request),
    loadFrontendSettings(request),
    takesPasswords(request),
    loadInstanceId(request),
  ]);
  const build = buildName();
  return {
    name: 'Flagstaff',
    slogan: 'With the admin UI of Unleash 7.6.5 (Apache-2.0)',
    // The admin UI shows the name of a plan here; there are no plans.
    environment: '',
    // The admin UI announces the new features of all releases after this version. For anything else it reads versionInfo.
    version: '7.6.5',
    // The UI shows environments, roles, groups and single sign-on only if it gets a version of Enterprise.
    versionInfo: { current: { oss: build, enterprise: build }, latest: {}, isLatest: true, instanceId },
    unleashUrl: origin,
    baseUriPath: '',
    authenticationType: 'open-source',
    disablePasswordAuth: !hasPasswords,
    emailEnabled: mailSender() !== undefined,
    maintenanceMode: maintenance.enabled,
    maxSessionsCount: 0,
    prometheusAPIAvailable: false,
    frontendApiOrigins: [...(frontend.frontendApiOrigins ?? frontendOrigins(process.env))],
    flags: uiSwitches,
    unleashContext: { userId: caller.id },
    resourceLimits: resourceLimits(),
  };
});

export const uiObservability = endpoint({
  route: 'POST /api/admin/record-ui-error',
  group: 'Admin UI',
  summary: 'Accepts a report of an error in the admin UI. It is not stored.',
  description: 'The log has a line for the request, but not its body, which may contain data of the page.',
  rights: 'none',
  body: object({ errorMessage: text, errorStack: v.exactOptional(text) }),
  responses: { 204: null },
}).handle(async () => {});

export const updateFeedback = endpoint({
  route: 'PUT /api/admin/feedback/{id}',
  group: 'Admin UI',
  summary: "Updates the caller's answer to a question of the admin UI.",
  description: '`id` is that of the question. The answer is created if there is none.',
  permission: 'NONE',
  params: object({ id: uiId }),
  body: feedbackChange,
  responses: { 200: feedback },
  errors: [],
}).handle(({ request, caller, params, body: { neverShow, given = new Date().toISOString() } }) =>
  storeFeedback(request, { feedbackId: params.id, userId: caller.id, neverShow, given }),
);

export const updateSplashSettings = endpoint({
  route: 'POST /api/admin/splash/{id}',
  group: 'Admin UI',
  summary: 'Marks a splash screen of the admin UI as seen by the caller.',
  description: 'The admin UI then does not show it to the caller again. The admin UI chooses the id.',
  permission: 'NONE',
  params: object({ id: uiId }),
  responses: { 200: splash },
  errors: [],
}).handle(({ request, caller, params }) => storeSplash(request, caller.id, params.id));
