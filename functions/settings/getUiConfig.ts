import { endpoint } from '../../lib/http/endpoint.ts';
import { frontendOrigins } from '../../lib/http/origins.ts';
import { version } from '../../lib/http/version.ts';
import { loadFrontendSettings } from '../../lib/settings/frontend-origins.ts';
import { instanceIdOf } from '../../lib/settings/instance-id.ts';
import { loadMaintenance } from '../../lib/settings/maintenance.ts';
import { resourceLimits } from '../../lib/settings/resource-limits.ts';
import { uiConfig } from '../../lib/settings/ui-config-schema.ts';
import { uiSwitches } from '../../lib/settings/ui-switches.ts';
import { mailSender } from '../../lib/sign-in/send-mail.ts';
import { takesPasswords } from '../../lib/sign-in/ways.ts';

export const handler = endpoint({
  route: 'GET /api/admin/ui-config',
  group: 'Admin UI',
  summary: 'Returns the configuration that the admin UI needs.',
  // Who asks is part of it.
  permission: 'NONE',
  reads: ['API_TOKENS_LIMIT', 'PROJECT_FEATURES_LIMIT', 'EMAIL_SENDER'],
  responses: { 200: uiConfig },
}).handle(async ({ request, caller, origin = '' }) => {
  const [maintenance, frontend, hasPasswords, instanceId] = await Promise.all([
    loadMaintenance(request),
    loadFrontendSettings(request),
    takesPasswords(request),
    instanceIdOf(request),
  ]);
  return {
    name: 'Flagstaff',
    slogan: 'With the admin UI of Unleash 7.6.5 (Apache-2.0)',
    // The name of a plan, of which there is none.
    environment: '',
    // Version of the admin UI, which announces the features of all releases after this version, and otherwise reads versionInfo.
    version: '7.6.5',
    // With a version of Enterprise, the UI shows environments, roles, groups and single sign-on.
    versionInfo: { current: { oss: version, enterprise: version }, latest: {}, isLatest: true, instanceId },
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
